// SPDX-License-Identifier: Apache-2.0

/// The order of keys, found digit by digit rather than by comparing.
///
/// - Complexity: O(n) for each digit in which keys differ, at most six: two for the rows of one
///   entity up to four million.
package struct KeyOrder {
    /// The positions of the keys, the least key first; equal keys stay in their order.
    package let positions: ContiguousArray<Int>
    /// Whether a key comes twice.
    package let hasDuplicates: Bool

    private typealias Entry = (key: UInt64, position: Int)
    private static let digitBits: UInt64 = 11
    private static let fewKeys = 64

    package init(_ keys: ContiguousArray<UInt64>) {
        var entries: ContiguousArray<Entry> = []
        entries.reserveCapacity(keys.count)
        var isSorted = true
        var differing: UInt64 = 0
        for position in keys.indices {
            if position > 0, keys[position] <= keys[position - 1] { isSorted = false }
            differing |= keys[position] ^ keys[0]
            entries.append((keys[position], position))
        }
        if isSorted {
            positions = ContiguousArray(keys.indices)
            hasDuplicates = false
            return
        }
        if keys.count < KeyOrder.fewKeys {
            entries.sort { ($0.key, $0.position) < ($1.key, $1.position) }
        } else {
            KeyOrder.sort(&entries, differing)
        }
        var hasDuplicates = false
        for index in 1..<entries.count where entries[index].key == entries[index - 1].key {
            hasDuplicates = true
        }
        self.hasDuplicates = hasDuplicates
        positions = ContiguousArray(entries.lazy.map(\.position))
    }

    /// Sorts by one digit after the other, the least significant one first.
    private static func sort(_ entries: inout ContiguousArray<Entry>, _ differing: UInt64) {
        var sorted = entries
        var shift: UInt64 = 0
        while shift < 64 {
            if differing >> shift & (1 << digitBits - 1) != 0 {
                distribute(entries, into: &sorted, shift)
                swap(&entries, &sorted)
            }
            shift += digitBits
        }
    }

    private static func distribute(
        _ entries: ContiguousArray<Entry>, into sorted: inout ContiguousArray<Entry>,
        _ shift: UInt64
    ) {
        let mask = 1 << digitBits - 1 as UInt64
        var ends = ContiguousArray(repeating: 0, count: 1 << Int(digitBits))
        for entry in entries { ends[Int(entry.key >> shift & mask)] += 1 }
        var end = 0
        for digit in ends.indices {
            let count = ends[digit]
            ends[digit] = end
            end += count
        }
        for entry in entries {
            let digit = Int(entry.key >> shift & mask)
            sorted[ends[digit]] = entry
            ends[digit] += 1
        }
    }
}
