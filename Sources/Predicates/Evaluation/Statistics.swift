// SPDX-License-Identifier: Apache-2.0

import Schema

/// Sums and the like over the members of a collection; nil members do not count.
enum Statistics {
    /// What an aggregate function makes of all members.
    ///
    /// - Returns: nil for a function that is no aggregate.
    static func value(_ name: String, of members: [SubjectOperand]) throws -> SubjectOperand? {
        guard var aggregate = RunningAggregate(name) else { return nil }
        for member in members { try aggregate.add(member) }
        return aggregate.value
    }

    /// The middle number, the mean of the two middle ones; nil of nothing, and NaN, as the mean is,
    /// where one of them is.
    static func median(_ numbers: [Double]) -> Value {
        if numbers.contains(where: \.isNaN) { return .double(.nan) }
        let sorted = numbers.sorted()
        guard !sorted.isEmpty else { return .null }
        let middle = sorted.count / 2
        if sorted.count % 2 == 1 { return .double(sorted[middle]) }
        return .double((sorted[middle - 1] + sorted[middle]) / 2)
    }

    /// The numbers that occur most often, smallest first; NaN is none of them.
    static func mode(_ numbers: [Double]) -> SubjectOperand {
        var counts: [Double: Int] = [:]
        for number in numbers where !number.isNaN { counts[number, default: 0] += 1 }
        let most = counts.values.max()
        let modes = counts.filter { $0.value == most }.keys.sorted()
        return .collection(modes.map { .value(.double($0)) })
    }

    /// The standard deviation of the whole population; nil of nothing.
    static func standardDeviation(_ numbers: [Double]) -> Value {
        guard !numbers.isEmpty else { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return .double((squares / Double(numbers.count)).squareRoot())
    }
}
