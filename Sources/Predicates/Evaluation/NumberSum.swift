// SPDX-License-Identifier: Apache-2.0

import Schema

/// A sum of numbers, and how many they are.
///
/// Integers stay integers and decimals stay decimals as long as the sum is exact, see
/// ``Number/adding(_:)``; so the order in which numbers are added may count.
struct NumberSum {
    private(set) var total = Number.integer(0)
    private(set) var count = 0

    mutating func add(_ number: Number) {
        total = total.adding(number)
        count += 1
    }

    /// The mean as a double; 0 of nothing.
    var mean: Double { count == 0 ? 0 : total.doubleValue / Double(count) }
}
