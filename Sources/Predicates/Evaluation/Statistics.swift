// SPDX-License-Identifier: Apache-2.0

import Schema

/// Sums and the like over the members of a collection; nil members do not count.
enum Statistics {
    static func numbers(_ members: [SubjectOperand]) throws -> [Number] {
        try members.filter { !$0.isNull }.map { member in
            guard let value = member.scalar, let number = Number(value) else {
                throw PredicateEvaluationError(
                    code: .typeMismatch, message: "a number is needed, not \(member.kind)")
            }
            return number
        }
    }

    /// How many members there are, nil ones left out, as SQL counts a column; objects are never
    /// nil, so that `count:(SELF)` counts all.
    static func count(_ members: [SubjectOperand]) -> Value {
        .integer64(Int64(members.count { !$0.isNull }))
    }

    /// The sum; 0 of nothing.
    static func sum(_ members: [SubjectOperand]) throws -> Value {
        try numbers(members).reduce(Number.integer(0)) { $0.adding($1) }.value
    }

    /// The mean as a double; 0 of nothing.
    static func average(_ members: [SubjectOperand]) throws -> Value {
        let numbers = try numbers(members)
        if numbers.isEmpty { return .double(0) }
        let sum = numbers.reduce(Number.integer(0)) { $0.adding($1) }.doubleValue
        return .double(sum / Double(numbers.count))
    }

    /// The smallest or the largest member of any comparable type; nil of nothing.
    static func extreme(_ members: [SubjectOperand], _ wanted: Ordering) throws -> Value {
        var best = Value.null
        for member in members where !member.isNull {
            guard let value = member.scalar else {
                throw PredicateEvaluationError(
                    code: .typeMismatch, message: "a value is needed, not \(member.kind)")
            }
            if best.isNull || value.predicateCompare(best) == wanted { best = value }
        }
        return best
    }

    /// The middle number, the mean of the two middle ones; nil of nothing.
    static func median(_ members: [SubjectOperand]) throws -> Value {
        let sorted = try numbers(members).map(\.doubleValue).sorted()
        guard !sorted.isEmpty else { return .null }
        let middle = sorted.count / 2
        if sorted.count % 2 == 1 { return .double(sorted[middle]) }
        return .double((sorted[middle - 1] + sorted[middle]) / 2)
    }

    /// The numbers that occur most often, smallest first.
    static func mode(_ members: [SubjectOperand]) throws -> SubjectOperand {
        var counts: [Double: Int] = [:]
        for number in try numbers(members) { counts[number.doubleValue, default: 0] += 1 }
        let most = counts.values.max()
        let modes = counts.filter { $0.value == most }.keys.sorted()
        return .collection(modes.map { .value(.double($0)) })
    }

    /// The standard deviation of the whole population; nil of nothing.
    static func standardDeviation(_ members: [SubjectOperand]) throws -> Value {
        let numbers = try numbers(members).map(\.doubleValue)
        guard !numbers.isEmpty else { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return .double((squares / Double(numbers.count)).squareRoot())
    }
}
