// SPDX-License-Identifier: Apache-2.0

import RecordFormat

/// The order of keys.
///
/// - Complexity: As that of ``RadixOrder/sort(_:by:)``.
package struct KeyOrder {
    /// The positions of the keys, the least key first; equal keys stay in their order.
    package let positions: ContiguousArray<Int>
    /// Whether a key comes twice.
    package let hasDuplicates: Bool

    private typealias Entry = (key: UInt64, position: Int)

    package init(_ keys: ContiguousArray<UInt64>) {
        if KeyOrder.isAscending(keys) {
            positions = ContiguousArray(keys.indices)
            hasDuplicates = false
            return
        }
        var entries: ContiguousArray<Entry> = []
        entries.reserveCapacity(keys.count)
        for position in keys.indices { entries.append((keys[position], position)) }
        RadixOrder.sort(&entries, by: \.key)
        var hasDuplicates = false
        for index in 1..<entries.count where entries[index].key == entries[index - 1].key {
            hasDuplicates = true
        }
        self.hasDuplicates = hasDuplicates
        positions = ContiguousArray(entries.lazy.map(\.position))
    }

    /// Whether each key is greater than the one before it, as those of new objects are.
    private static func isAscending(_ keys: ContiguousArray<UInt64>) -> Bool {
        for position in keys.indices.dropFirst() where keys[position] <= keys[position - 1] {
            return false
        }
        return true
    }
}
