// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Testing
import _TestSupport

/// Sorting by words, digit by digit.
@Suite struct RadixOrderTests {
    private struct Item: Equatable {
        let word: UInt64
        let place: Int
    }

    private func sorted(_ words: [UInt64]) -> [Item] {
        var items = ContiguousArray(words.enumerated().map { Item(word: $1, place: $0) })
        RadixOrder.sort(&items, by: \.word)
        return Array(items)
    }

    @Test func few_items() {
        #expect(sorted([]).isEmpty)
        #expect(sorted([7]).map(\.word) == [7])
        #expect(sorted([.max, 0, 1 << 63, 5]).map(\.word) == [0, 5, 1 << 63, .max])
    }

    @Test func items_with_equal_words_stay_in_their_order() {
        #expect(sorted([2, 1, 2, 1]).map(\.place) == [1, 3, 0, 2])
        let many = sorted((0..<10_000).map { UInt64($0 % 2) })
        #expect(many[..<5_000].map(\.place) == Array(stride(from: 0, to: 10_000, by: 2)))
        #expect(many[5_000...].map(\.place) == Array(stride(from: 1, to: 10_000, by: 2)))
    }

    @Test(
        "Random words, in lists of all sizes for which there is a way of its own",
        arguments: [2, 47, 48, 300, 8_191, 8_192, 20_000])
    func random_words(count: Int) {
        var random = SplitMix64(state: UInt64(count))
        for mask in [.max, 0xFF, 0xFFFF_0000, 0x8000_0000_0000_0001, 0x7FF << 22] as [UInt64] {
            let words = (0..<count).map { _ in random.next() & mask }
            let expected = words.enumerated().sorted {
                ($0.element, $0.offset) < ($1.element, $1.offset)
            }
            let found = sorted(words)
            #expect(found.map(\.word) == expected.map(\.element))
            #expect(found.map(\.place) == expected.map(\.offset))
        }
    }
}
