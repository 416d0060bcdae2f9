// SPDX-License-Identifier: Apache-2.0

/// A row's place among the rows that are sorted, with the word by which it is compared next.
struct WordItem {
    var word: UInt64
    let index: Int
}

/// Sorts items by their words.
///
/// Many items by radix, from the last byte to the first: eight passes at most, less for bytes that
/// all have in common, whereas a merge sort compares each item twenty times among a million.
struct WordSorter {
    private var scratch: ContiguousArray<WordItem>
    /// How often each value occurs, by byte.
    private var counts: ContiguousArray<Int>

    /// With fewer items, comparing them takes less than counting bytes.
    private static var fewItems: Int { 512 }

    /// - Parameter count: The greatest number of items to sort.
    init(count: Int) {
        let isLarge = count >= WordSorter.fewItems
        scratch = ContiguousArray(
            repeating: WordItem(word: 0, index: 0), count: isLarge ? count : 0)
        counts = ContiguousArray(repeating: 0, count: isLarge ? 8 * 256 : 0)
    }

    /// Sorts a range of items by their words.
    mutating func sort(_ items: inout ContiguousArray<WordItem>, _ range: Range<Int>) {
        guard range.count >= WordSorter.fewItems else {
            if range.count > 24 {
                items[range].sort { $0.word < $1.word }
            } else {
                WordSorter.insertEach(&items, range)
            }
            return
        }
        count(items, range)
        for byte in 0..<8 where !isCommon(byte, items[range.lowerBound].word, range.count) {
            scatter(items, range, byte)
            // What lies outside of the range is in the items only.
            for position in range { items[position] = scratch[position] }
        }
    }

    private static func insertEach(
        _ items: inout ContiguousArray<WordItem>, _ range: Range<Int>
    ) {
        for position in range.dropFirst() {
            let item = items[position]
            var place = position
            while place > range.lowerBound, items[place - 1].word > item.word {
                items[place] = items[place - 1]
                place -= 1
            }
            items[place] = item
        }
    }

    private mutating func count(_ items: ContiguousArray<WordItem>, _ range: Range<Int>) {
        for slot in counts.indices { counts[slot] = 0 }
        for position in range {
            var word = items[position].word
            for byte in 0..<8 {
                counts[byte << 8 | Int(word & 0xFF)] += 1
                word >>= 8
            }
        }
    }

    private func isCommon(_ byte: Int, _ word: UInt64, _ count: Int) -> Bool {
        counts[byte << 8 | Int(word >> UInt64(byte * 8) & 0xFF)] == count
    }

    /// Puts the items of a range in the order of one byte, in the scratch array.
    private mutating func scatter(
        _ items: ContiguousArray<WordItem>, _ range: Range<Int>, _ byte: Int
    ) {
        var next = range.lowerBound
        for value in 0..<256 {
            let count = counts[byte << 8 | value]
            counts[byte << 8 | value] = next
            next += count
        }
        for position in range {
            let item = items[position]
            let slot = byte << 8 | Int(item.word >> UInt64(byte * 8) & 0xFF)
            scratch[counts[slot]] = item
            counts[slot] += 1
        }
    }
}
