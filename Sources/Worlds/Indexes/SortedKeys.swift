// SPDX-License-Identifier: Apache-2.0

/// Keys with their rows, in the order of the keys.
///
/// New entries are collected and merged now and then. Entries are never searched for to be removed:
/// readers skip one that does not hold any more, and it goes with the next merge.
@frozen
@usableFromInline
struct SortedKeys<Key: Comparable> {
    @frozen
    @usableFromInline
    struct Entry: Comparable {
        @usableFromInline let key: Key
        @usableFromInline let row: Int

        @inlinable
        init(_ key: Key, _ row: Int) {
            self.key = key
            self.row = row
        }

        @inlinable
        static func == (left: Entry, right: Entry) -> Bool {
            left.row == right.row && left.key == right.key
        }

        @inlinable
        static func < (left: Entry, right: Entry) -> Bool {
            left.key == right.key ? left.row < right.row : left.key < right.key
        }
    }

    @usableFromInline typealias Entries = ContiguousArray<Entry>.SubSequence

    @usableFromInline var merged: ContiguousArray<Entry> = []
    /// Entries that came later, in order.
    @usableFromInline var recent: ContiguousArray<Entry> = []

    @inlinable
    init() {}

    /// Adds entries.
    ///
    /// - Parameters:
    ///   - new: The entries, in any order.
    ///   - holds: Whether an entry is still right.
    @inlinable
    mutating func add(_ new: ContiguousArray<Entry>, _ holds: (Entry) -> Bool) {
        guard !new.isEmpty else { return }
        var new = new
        new.sort()
        recent = SortedKeys.merge(recent[...], new[...]) { _ in true }
        // Adding copies the recent ones, and merging all: balanced, both cost about the same.
        guard recent.count > max(256, 4 * Int(Double(merged.count).squareRoot())) else { return }
        compact(holds)
    }

    /// The number of entries, of which some may be outdated.
    @inlinable var count: Int { merged.count + recent.count }

    /// Merges all entries that hold.
    @inlinable
    mutating func compact(_ holds: (Entry) -> Bool) {
        merged = SortedKeys.merge(merged[...], recent[...], holds)
        recent = []
    }

    /// The entries of both, in order and each once.
    @inlinable
    static func merge(
        _ one: Entries, _ other: Entries, _ holds: (Entry) -> Bool
    ) -> ContiguousArray<Entry> {
        var result: ContiguousArray<Entry> = []
        result.reserveCapacity(one.count + other.count)
        var (left, right) = (one.startIndex, other.startIndex)
        while left < one.endIndex || right < other.endIndex {
            let isLeft =
                right == other.endIndex || left < one.endIndex && one[left] < other[right]
            let entry = isLeft ? one[left] : other[right]
            if isLeft { left += 1 } else { right += 1 }
            if entry != result.last, holds(entry) { result.append(entry) }
        }
        return result
    }

    /// The rows of the keys between limits that hold, in the order of keys and rows.
    @inlinable
    func rows(
        _ bounds: KeyBounds<Key>, _ holds: (Entry) -> Bool
    ) -> (rows: [Int], outdated: Int) {
        guard bounds.isOrdered else { return ([], 0) }
        let old = merged[range(merged, bounds)]
        let new = recent[range(recent, bounds)]
        let found = SortedKeys.merge(old, new, holds).map(\.row)
        return (found, old.count + new.count - found.count)
    }

    @inlinable
    func range(_ entries: ContiguousArray<Entry>, _ bounds: KeyBounds<Key>) -> Range<Int> {
        let start = bounds.lower.map { lower in first(entries) { $0 >= lower } } ?? 0
        let end =
            bounds.upper.map { upper in
                first(entries) { bounds.includesUpper ? $0 > upper : $0 >= upper }
            } ?? entries.count
        return start..<max(start, end)
    }

    /// The first entry whose key is beyond a limit.
    @inlinable
    func first(_ entries: ContiguousArray<Entry>, _ isBeyond: (Key) -> Bool) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(entries[middle].key) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
