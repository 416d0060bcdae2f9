// SPDX-License-Identifier: Apache-2.0

import Schema

extension FunctionCall {
    /// The result of an operation on bits, nil where an argument is nil.
    func bits() throws -> SubjectOperand? {
        if name == FunctionName.complement {
            guard let numbers = try bitIntegers(1) else { return .value(.null) }
            return .value(.integer64(~numbers[0]))
        }
        guard let operation = BitOperation(function: name) else { return nil }
        guard let numbers = try bitIntegers(2) else { return .value(.null) }
        return .value(.integer64(operation(numbers[0], numbers[1])))
    }

    /// The arguments as integers, of which even a whole floating point number is none.
    private func bitIntegers(_ count: Int) throws -> [Int64]? {
        guard arguments.count == count else { throw unknown }
        var numbers: [Int64] = []
        for (argument, source) in zip(arguments, sources) where !argument.isNull {
            guard let value = argument.scalar, case .integer(let number) = Number(value) else {
                throw PredicateEvaluationError(
                    code: .typeMismatch,
                    message: "\(name) needs integers of at most 64 bits, and "
                        + "\(source.description.prefix(80)) is \(argument.kind)")
            }
            numbers.append(number)
        }
        return numbers.count == count ? numbers : nil
    }
}
