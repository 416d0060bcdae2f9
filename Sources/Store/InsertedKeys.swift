// SPDX-License-Identifier: Apache-2.0

import Schema

/// The keys of all objects that a save inserts.
///
/// What is written beside an object may depend on whether another one is new, too. The rows of an
/// entity mostly come without gaps, so the place of a key is known without a search.
public struct InsertedKeys {
    private let keys: ContiguousArray<ObjectKey>
    /// Where the keys of each entity stand, by its number, once anyone asks; numbers are small.
    private var runs: ContiguousArray<Range<Int>> = []

    /// Takes keys as they are.
    ///
    /// - Parameter keys: The keys, entity by entity and in ascending order within each.
    public init(_ keys: ContiguousArray<ObjectKey> = []) { self.keys = keys }

    /// Whether a key is one of them.
    ///
    /// - Complexity: O(1), and O(log n) in an entity whose rows have gaps.
    public mutating func contains(_ key: ObjectKey) -> Bool {
        if runs.isEmpty { findRuns() }
        let number = Int(key.entity.rawValue)
        guard number < runs.count, !runs[number].isEmpty else { return false }
        let run = runs[number]
        let first = keys[run.lowerBound]
        guard key >= first, key <= keys[run.upperBound - 1] else { return false }
        let distance = Int(key.row - first.row)
        if distance < run.count, keys[run.lowerBound + distance] == key { return true }
        let place = firstIndex(in: run) { keys[$0] >= key }
        return place < run.upperBound && keys[place] == key
    }

    private mutating func findRuns() {
        var start = 0
        while start < keys.count {
            let entity = keys[start].entity
            let end = firstIndex(in: start..<keys.count) { keys[$0].entity != entity }
            let number = Int(entity.rawValue)
            while runs.count <= number { runs.append(0..<0) }
            runs[number] = start..<end
            start = end
        }
    }

    /// The first place of a range from which on something holds; its end for none.
    private func firstIndex(in range: Range<Int>, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
