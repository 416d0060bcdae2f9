// SPDX-License-Identifier: Apache-2.0

/// Sorts items by words, digit by digit rather than by comparing; items with equal words stay in
/// their order.
///
/// A merge sort compares each item twenty times among a million, and most of those comparisons wait
/// for memory. Here each item moves once for each digit in which words differ: twice for the rows
/// of an entity up to four million.
public enum RadixOrder {
    /// With fewer items, moving them one by one takes less than counting digits.
    @usableFromInline static var fewItems: Int { 48 }

    /// So many items are worth counters that fill half of a first-level cache.
    @usableFromInline static var manyItems: Int { 8_192 }

    /// Sorts items.
    ///
    /// - Parameter word: What an item is sorted by.
    /// - Complexity: O(n) for each digit of eight bits (eleven, of many items) in which words
    ///   differ, with a second list of the items; O(n) for sorted ones, without.
    @inlinable
    public static func sort<Item>(
        _ items: inout ContiguousArray<Item>, by word: (Item) -> UInt64
    ) {
        guard let differing = unsorted(items, word) else { return }
        if items.count < fewItems { return insertEach(&items, word) }
        let digitBits: UInt64 = items.count < manyItems ? 8 : 11
        let mask = 1 << digitBits - 1 as UInt64
        var ends = ContiguousArray(repeating: 0, count: 1 << Int(digitBits))
        var sorted = items
        var shift: UInt64 = 0
        while shift < 64 {
            if differing >> shift & mask != 0 {
                distribute(items, into: &sorted, &ends) { Int(word($0) >> shift & mask) }
                swap(&items, &sorted)
            }
            shift += digitBits
        }
    }

    /// The bits in which words differ; `nil` where they ascend already.
    @inlinable
    static func unsorted<Item>(
        _ items: ContiguousArray<Item>, _ word: (Item) -> UInt64
    ) -> UInt64? {
        guard let first = items.first.map(word) else { return nil }
        var (last, differing) = (first, 0 as UInt64)
        var isSorted = true
        for item in items {
            let next = word(item)
            if next < last { isSorted = false }
            differing |= next ^ first
            last = next
        }
        return isSorted ? nil : differing
    }

    @inlinable
    static func insertEach<Item>(
        _ items: inout ContiguousArray<Item>, _ word: (Item) -> UInt64
    ) {
        for position in items.indices.dropFirst() {
            let item = items[position]
            let own = word(item)
            var place = position
            while place > 0, word(items[place - 1]) > own {
                items[place] = items[place - 1]
                place -= 1
            }
            items[place] = item
        }
    }

    /// Puts items in the order of one digit into another list of as many.
    @inlinable
    static func distribute<Item>(
        _ items: ContiguousArray<Item>, into sorted: inout ContiguousArray<Item>,
        _ ends: inout ContiguousArray<Int>, _ digit: (Item) -> Int
    ) {
        for value in ends.indices { ends[value] = 0 }
        for item in items { ends[digit(item)] += 1 }
        var end = 0
        for value in ends.indices {
            let count = ends[value]
            ends[value] = end
            end += count
        }
        for item in items {
            let value = digit(item)
            sorted[ends[value]] = item
            ends[value] += 1
        }
    }
}
