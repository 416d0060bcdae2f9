// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// Sorts rows by order-preserving bytes that lie one after the other in one array.
///
/// Rows are compared eight bytes at a time: first by the first word of all, then, among rows that
/// have it in common, by the next one. No row's bytes begin another's, unless both are the same.
struct ByteSorter {
    private let paths: [SortPath]
    private let keysAscend: Bool
    private let bound: Int
    private var rows: ContiguousArray<ResultRow> = []
    private var bytes: [UInt8] = []
    /// Where the bytes of each row begin; one more at the end.
    private var starts: ContiguousArray<Int> = [0]
    /// The first word of the last of the best rows, once there were enough: no other row's may be
    /// greater.
    private var threshold = UInt64.max
    /// All bytes of that row; empty before.
    private var last: [UInt8] = []
    private var leading: LeadingField?

    init(_ paths: [SortPath], keysAscend: Bool, bound: Int) {
        self.paths = paths
        self.keysAscend = keysAscend
        self.bound = bound
        leading = bound > 0 ? LeadingField(paths) : nil
    }

    /// Takes a row in, unless enough others come before it.
    @inline(__always)
    mutating func append(_ row: ResultRow, _ snapshot: StoreSnapshot) throws {
        if threshold != .max, leading?.isBehind(threshold, row, snapshot) == true { return }
        try appendBytes(of: row, snapshot)
    }

    private mutating func appendBytes(of row: ResultRow, _ snapshot: StoreSnapshot) throws {
        let start = bytes.count
        // One reference for all: each path would count its own ones.
        let paths = paths
        for index in paths.indices {
            let from = bytes.count
            try paths[index].appendKey(to: &bytes, row, snapshot)
            if !paths[index].order.isAscending {
                for position in from..<bytes.count { bytes[position] = ~bytes[position] }
            }
            // What follows can only make the word greater.
            guard index == 0, threshold != .max,
                OrderedBytes.word(in: bytes, from: start, to: bytes.count) > threshold
            else { continue }
            bytes.removeLast(bytes.count - start)
            return
        }
        if !last.isEmpty, isBehindLast(from: start) {
            bytes.removeLast(bytes.count - start)
            return
        }
        rows.append(row)
        starts.append(bytes.count)
        if bound > 0, rows.count >= bound * 2 + 64 { keepBest(snapshot) }
    }

    /// Whether bytes come behind those of the last of the best rows; equal ones do not, as keys
    /// decide between them.
    private func isBehindLast(from start: Int) -> Bool {
        bytes.withUnsafeBytes { bytes in
            last.withUnsafeBytes { last in
                let count = min(bytes.count - start, last.count)
                for position in 0..<count where bytes[start + position] != last[position] {
                    return bytes[start + position] > last[position]
                }
                return false
            }
        }
    }

    func sorted() -> [ResultRow] { order().map { rows[$0.index] } }

    private mutating func keepBest(_ snapshot: StoreSnapshot) {
        let best = order().prefix(bound)
        if let worst = best.last {
            threshold = word(of: worst.index, 0)
            leading?.note(last: rows[worst.index], snapshot)
            last = Array(bytes[starts[worst.index]..<starts[worst.index + 1]])
        }
        var keptBytes: [UInt8] = []
        var keptStarts: ContiguousArray<Int> = [0]
        for item in best {
            keptBytes += bytes[starts[item.index]..<starts[item.index + 1]]
            keptStarts.append(keptBytes.count)
        }
        rows = ContiguousArray(best.map { rows[$0.index] })
        (bytes, starts) = (keptBytes, keptStarts)
    }

    /// The bytes from eight times a depth on as a number; zeros where there are none.
    private func word(of index: Int, _ depth: Int) -> UInt64 {
        OrderedBytes.word(in: bytes, from: starts[index] + depth * 8, to: starts[index + 1])
    }
}

extension ByteSorter {
    /// A range of rows that have as many words in common as the depth says.
    private struct Run {
        let range: Range<Int>
        let depth: Int
    }

    /// The rows' places in order.
    private func order() -> ContiguousArray<WordItem> {
        var items = ContiguousArray(rows.indices.map { WordItem(word: word(of: $0, 0), index: $0) })
        var sorter = WordSorter(count: items.count)
        // A list and not a recursion: long texts may have thousands of words in common.
        var runs = [Run(range: items.indices, depth: 0)]
        while let run = runs.popLast() {
            sorter.sort(&items, run.range)
            var start = run.range.lowerBound
            while start < run.range.upperBound {
                var end = start + 1
                while end < run.range.upperBound, items[end].word == items[start].word { end += 1 }
                if end - start > 1 {
                    settle(&items, Run(range: start..<end, depth: run.depth + 1), &runs)
                }
                start = end
            }
        }
        return items
    }

    /// Puts rows with common words in order at once, or gives them their next words.
    private func settle(
        _ items: inout ContiguousArray<WordItem>, _ run: Run, _ runs: inout [Run]
    ) {
        let first = items[run.range.lowerBound].index
        guard starts[first] + run.depth * 8 < starts[first + 1] else {
            items[run.range].sort { precedesByKey($0, $1) }
            return
        }
        for position in run.range {
            items[position].word = word(of: items[position].index, run.depth)
        }
        runs.append(run)
    }

    private func precedesByKey(_ left: WordItem, _ right: WordItem) -> Bool {
        keysAscend
            ? rows[left.index].key < rows[right.index].key
            : rows[left.index].key > rows[right.index].key
    }
}
