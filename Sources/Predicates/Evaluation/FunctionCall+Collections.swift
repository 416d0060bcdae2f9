// SPDX-License-Identifier: Apache-2.0

import Schema

extension FunctionCall {
    func collections() throws -> SubjectOperand? {
        switch (name, arguments.count) {
        case (FunctionName.index, 2): try member()
        case (FunctionName.first, 1): try members(0).first ?? .value(.null)
        case (FunctionName.last, 1): try members(0).last ?? .value(.null)
        case (FunctionName.size, 1): .value(.integer64(Int64(try members(0).count)))
        case (FunctionName.union, 2):
            .collection((try members(0) + members(1)).distinct())
        case (FunctionName.intersect, 2): .collection(try members(isSecond: true))
        case (FunctionName.minus, 2): .collection(try members(isSecond: false))
        default: nil
        }
    }

    /// The members of the first collection that the second one has, or has not.
    private func members(isSecond: Bool) throws -> [SubjectOperand] {
        let second = MemberSet(try members(1))
        return try members(0).filter { second.contains($0) == isSecond }
    }

    /// The member at a position, nil beyond the end; or the value of a key given as text.
    private func member() throws -> SubjectOperand {
        if arguments[0].isNull || arguments[1].isNull { return .value(.null) }
        guard let index = arguments[1].scalar else { throw unknown }
        if let key = index.text { return try arguments[0].value(forKey: key) }
        guard case .integer(let position) = Number(index) else { throw unknown }
        let members = try members(0)
        return members.indices.contains(Int(position)) ? members[Int(position)] : .value(.null)
    }

    /// The members of an argument that must be a collection; nil has none.
    private func members(_ index: Int) throws -> [SubjectOperand] {
        switch arguments[index] {
        case .collection(let members): return members
        case .value(.null): return []
        default:
            throw PredicateEvaluationError(
                code: .typeMismatch,
                message: "\(name) needs a collection, not \(arguments[index].kind)")
        }
    }
}
