// SPDX-License-Identifier: Apache-2.0

import Schema

/// A sum of numbers, and how many they are.
///
/// Integers stay integers where the sum fits 64 bits, decimals stay decimals as long as the sum is
/// exact. Doubles and integers are rounded once, at the end, so their order does not count.
struct NumberSum {
    private(set) var count = 0
    private var integers: Int128 = 0
    private var doubles = ExactSum()
    private var hasDoubles = false
    private var decimals: Number?

    mutating func add(_ number: Number) {
        count += 1
        switch number {
        case .integer(let number): integers += Int128(number)
        case .double(let number):
            doubles.add(number)
            hasDoubles = true
        case .decimal: decimals = decimals?.adding(number) ?? number
        }
    }

    var total: Number {
        if let integer = Int64(exactly: integers), !hasDoubles {
            return decimals.map { $0.adding(.integer(integer)) } ?? .integer(integer)
        }
        var sum = doubles
        sum.add(integers)
        if let decimals { sum.add(decimals.doubleValue) }
        return .double(sum.value)
    }

    /// The mean as a double; 0 of nothing.
    var mean: Double { count == 0 ? 0 : total.doubleValue / Double(count) }
}
