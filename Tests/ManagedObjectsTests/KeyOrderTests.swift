// SPDX-License-Identifier: Apache-2.0

import Testing
import _TestSupport

@testable import ManagedObjects

/// Orders of keys, below and above the count from which digits are looked at.
@Suite struct KeyOrderTests {
    private func order(_ keys: [UInt64]) -> [Int] {
        Array(KeyOrder(ContiguousArray(keys)).positions)
    }

    @Test func few_keys() {
        #expect(order([]) == [])
        #expect(order([7]) == [0])
        #expect(order([1, 2, 9]) == [0, 1, 2])
        #expect(order([9, 1, 2]) == [1, 2, 0])
        #expect(order([.max, 0, 1 << 63]) == [1, 2, 0])
    }

    @Test func equal_keys_stay_in_their_order() {
        #expect(order([5, 3, 5, 3]) == [1, 3, 0, 2])
        let keys = (0..<200).map { UInt64($0 % 2) }
        let (even, odd) = (stride(from: 0, to: 200, by: 2), stride(from: 1, to: 200, by: 2))
        #expect(order(keys) == Array(even) + Array(odd))
    }

    @Test func entities_are_counted_in_their_order() {
        func order(_ ordinals: [Int]) -> [Int] {
            Array(SaveWriter.orderByOrdinal(ContiguousArray(ordinals)))
        }
        #expect(order([]) == [])
        #expect(order([3]) == [0])
        #expect(order([2, 0, 2, 1, 0]) == [1, 4, 3, 0, 2])
        #expect(order([5, 5, 5]) == [0, 1, 2])
        var random = SplitMix64(state: 5)
        let ordinals = (0..<1_000).map { _ in Int.random(in: 0..<7, using: &random) }
        let expected = ordinals.indices.sorted { (ordinals[$0], $0) < (ordinals[$1], $1) }
        #expect(order(ordinals) == expected)
    }

    @Test func duplicates_are_noticed() {
        #expect(!KeyOrder([]).hasDuplicates)
        #expect(!KeyOrder([1, 2]).hasDuplicates)
        #expect(!KeyOrder([2, 1]).hasDuplicates)
        #expect(KeyOrder([1, 1]).hasDuplicates)
        #expect(KeyOrder([2, 1, 2]).hasDuplicates)
        #expect(KeyOrder(ContiguousArray((0..<100).reversed() + [50])).hasDuplicates)
        #expect(!KeyOrder(ContiguousArray((0..<100).reversed())).hasDuplicates)
    }

    /// Keys that differ in the lowest digit, in one in the middle, in the highest bits, in all.
    @Test(arguments: [0, 11, 22, 40, 48, 53, 55] as [UInt64])
    func many_keys(shift: UInt64) {
        let keys = (0..<300 as Range<UInt64>).map { ($0 * 7 % 300) << shift }
        // 43 is the inverse of 7 modulo 300.
        #expect(order(keys) == (0..<300).map { $0 * 43 % 300 })
    }

    @Test(arguments: [64, 65, 1_000, 5_000])
    func random_keys_come_as_by_comparing(count: Int) {
        var random = SplitMix64(state: UInt64(count))
        for bits in [12, 23, 64] as [UInt64] {
            let keys = (0..<count).map { _ in random.next() >> (64 - bits) }
            let expected = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
            #expect(order(keys) == expected)
        }
    }
}
