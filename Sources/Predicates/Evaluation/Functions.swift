// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// The functions of the format language.
enum Functions {
    /// Calls a function by its selector.
    ///
    /// - Parameters:
    ///   - name: The selector.
    ///   - arguments: What the arguments yield.
    ///   - sources: The arguments as the predicate states them, for messages.
    static func call(
        _ name: String, _ arguments: [SubjectOperand], of sources: [Expression]
    ) throws -> SubjectOperand {
        let call = FunctionCall(name: name, arguments: arguments, sources: sources)
        if let result = try call.statistics() { return result }
        if let result = try call.arithmetic() { return result }
        if let result = try call.mathematics() { return result }
        if let result = try call.bits() { return result }
        if let result = try call.textAndTime() { return result }
        if let result = try call.collections() { return result }
        if name == FunctionName.call { return try target(arguments) }
        throw call.unknown
    }

    /// `FUNCTION(target, "selector")` for the few selectors that values have.
    private static func target(_ arguments: [SubjectOperand]) throws -> SubjectOperand {
        guard arguments.count == 2, let selector = arguments[1].scalar?.text else {
            throw PredicateEvaluationError(
                code: .unknownFunction,
                message: "FUNCTION calls methods without arguments only, such as lowercaseString")
        }
        return try arguments[0].value(forKey: selector)
    }
}

/// A function's selector with the values of its arguments.
struct FunctionCall {
    let name: String
    let arguments: [SubjectOperand]
    /// The arguments as the predicate states them, for messages.
    let sources: [Expression]

    /// The members of one collection, or all arguments.
    private var members: [SubjectOperand] {
        arguments.flatMap(\.members)
    }

    func statistics() throws -> SubjectOperand? {
        if FunctionName.aggregates.contains(name) { try refuseOneProperty() }
        return try Statistics.value(name, of: members)
    }

    /// Refuses the aggregate of one property's one value; what is computed may be summed alone.
    private func refuseOneProperty() throws {
        guard arguments.count == 1, arguments[0].isSingle, case .keyPath = sources[0] else {
            return
        }
        throw PredicateEvaluationError(
            code: .typeMismatch,
            message: "\(name) needs a collection, and \(sources[0].description.prefix(80)) is "
                + arguments[0].kind)
    }

    func arithmetic() throws -> SubjectOperand? {
        switch name {
        case FunctionName.add, FunctionName.subtract:
            if let time = try timeArithmetic() { return .value(time) }
            return try binary { name == FunctionName.add ? $0.adding($1) : $0.subtracting($1) }
        case FunctionName.multiply: return try binary { $0.multiplied(by: $1) }
        case FunctionName.divide: return try binary { $0.divided(by: $1) }
        case "modulus:by:": return try binary { $0.remainder(dividingBy: $1) }
        case FunctionName.power: return try binary { $0.raised(to: $1) }
        default: return nil
        }
    }

    /// A date plus or minus seconds, or the seconds between two dates.
    private func timeArithmetic() throws -> Value? {
        guard arguments.count == 2, let a = arguments[0].scalar, let b = arguments[1].scalar else {
            return nil
        }
        switch (a, b) {
        case (.date(let first), .date(let second)):
            return name == FunctionName.subtract ? .double(first - second) : nil
        case (.date(let date), _):
            guard let seconds = Number(b)?.doubleValue else { return nil }
            return .date(name == FunctionName.add ? date + seconds : date - seconds)
        case (_, .date(let date)):
            guard name == FunctionName.add, let seconds = Number(a)?.doubleValue else { return nil }
            return .date(date + seconds)
        default: return nil
        }
    }

    func mathematics() throws -> SubjectOperand? {
        switch name {
        case "abs:": try unary { $0.absolute }
        case "floor:": try unary { $0.rounded(.down) }
        case "ceiling:": try unary { $0.rounded(.up) }
        case "trunc:": try unary { $0.rounded(.towardZero) }
        case "sqrt:": try unary { .double($0.doubleValue.squareRoot()) }
        case "log:": try unary { .double(log10($0.doubleValue)) }
        case "ln:": try unary { .double(log($0.doubleValue)) }
        case "exp:": try unary { .double(exp($0.doubleValue)) }
        case "random": .value(.double(Double.random(in: 0..<1)))
        case "randomn:":
            try integers(1) { .random(in: 0..<max(1, $0[0])) }
        default: nil
        }
    }
}

extension FunctionCall {
    /// Applies an operation to one number; nil stays nil.
    private func unary(_ operation: (Number) -> Number) throws -> SubjectOperand {
        guard let numbers = try numbers(1) else { return .value(.null) }
        return .value(operation(numbers[0]).value)
    }

    /// Applies an operation to two numbers; nil where one of them or the result is nil.
    private func binary(_ operation: (Number, Number) -> Number?) throws -> SubjectOperand {
        guard let numbers = try numbers(2), let result = operation(numbers[0], numbers[1]) else {
            return .value(.null)
        }
        return .value(result.value)
    }

    private func integers(
        _ count: Int, _ operation: ([Int64]) -> Int64
    ) throws -> SubjectOperand {
        guard let numbers = try numbers(count) else { return .value(.null) }
        let integers = try numbers.map { number -> Int64 in
            switch number {
            case .integer(let value): return value
            case .double(let value): if let value = Int64(exactly: value) { return value }
            case .decimal(let value): if let value = value.exactInteger { return value }
            }
            throw PredicateEvaluationError(
                code: .typeMismatch, message: "\(name) needs whole numbers of 64 bits")
        }
        return .value(.integer64(operation(integers)))
    }

    /// The arguments as numbers; `nil` when one of them is nil.
    private func numbers(_ count: Int) throws -> [Number]? {
        guard arguments.count == count else { throw unknown }
        if arguments.contains(where: \.isNull) { return nil }
        return try zip(arguments, sources).map { argument, source in
            guard let value = argument.scalar, let number = Number(value) else {
                throw PredicateEvaluationError(
                    code: .typeMismatch,
                    message: "\(name) needs numbers, and \(source.description.prefix(80)) is "
                        + argument.kind)
            }
            return number
        }
    }

    var unknown: PredicateEvaluationError {
        PredicateEvaluationError(
            code: .unknownFunction,
            message: "there is no function \(name) of \(arguments.count) arguments")
    }
}
