// SPDX-License-Identifier: Apache-2.0

import Schema

/// The keys of all objects that a save inserts.
///
/// What is written beside an object may depend on whether another one is new, too. The rows of an
/// entity mostly come without gaps, so the place of a key is known without a search.
public struct InsertedKeys {
    private let keys: ContiguousArray<ObjectKey>
    /// Where the keys of each entity stand, by its number; numbers are small.
    private var runs: ContiguousArray<Range<Int>> = []

    /// No keys.
    public init() { keys = [] }

    /// Takes keys as they are.
    ///
    /// - Parameters:
    ///   - keys: The keys, entity by entity and in ascending order within each.
    ///   - runs: Where the keys of each entity stand; none is empty.
    public init(_ keys: ContiguousArray<ObjectKey>, runs: ContiguousArray<Range<Int>>) {
        self.keys = keys
        for run in runs {
            let number = Int(keys[run.lowerBound].entity.rawValue)
            while self.runs.count <= number { self.runs.append(0..<0) }
            self.runs[number] = run
        }
    }

    /// Whether a key is one of them.
    ///
    /// - Complexity: O(1), and O(log n) in an entity whose rows have gaps.
    public func contains(_ key: ObjectKey) -> Bool {
        let number = Int(key.entity.rawValue)
        guard number < runs.count, !runs[number].isEmpty else { return false }
        let run = runs[number]
        let first = keys[run.lowerBound]
        guard key >= first, key <= keys[run.upperBound - 1] else { return false }
        let distance = Int(key.row - first.row)
        if distance < run.count, keys[run.lowerBound + distance] == key { return true }
        return hasKey(key, in: run)
    }

    private func hasKey(_ key: ObjectKey, in run: Range<Int>) -> Bool {
        var (low, high) = (run.lowerBound, run.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < run.upperBound && keys[low] == key
    }
}
