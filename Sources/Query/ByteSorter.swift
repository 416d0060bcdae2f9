// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// Sorts rows by order-preserving bytes that lie one after the other in one array.
///
/// Most comparisons need only the 64-bit prefix that each row keeps of its bytes.
struct ByteSorter {
    private struct Entry {
        let prefix: UInt64
        let start: Int
        let count: Int
        let row: ResultRow
    }

    private let paths: [SortPath]
    private let keysAscend: Bool
    private let bound: Int
    private var bytes: [UInt8] = []
    private var entries: ContiguousArray<Entry> = []
    /// The last of the best rows, once there were enough: others must come before it.
    private var threshold: Entry?
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
        if let threshold, leading?.isBehind(threshold.prefix, row, snapshot) == true { return }
        try appendBytes(of: row, snapshot)
    }

    private mutating func appendBytes(of row: ResultRow, _ snapshot: StoreSnapshot) throws {
        let start = bytes.count
        var prefix: UInt64 = 0
        for index in paths.indices {
            let from = bytes.count
            var first = try paths[index].appendKey(to: &bytes, row, snapshot)
            if !paths[index].order.isAscending {
                for position in from..<bytes.count { bytes[position] = ~bytes[position] }
                first = ~first
            }
            guard index == 0 else { continue }
            prefix = first
            if let threshold, prefix > threshold.prefix {
                bytes.removeLast(bytes.count - start)
                return
            }
        }
        let entry = Entry(prefix: prefix, start: start, count: bytes.count - start, row: row)
        if let threshold, !precedes(entry, threshold) {
            bytes.removeLast(bytes.count - start)
            return
        }
        entries.append(entry)
        if bound > 0, entries.count >= bound * 2 + 64 { keepBest() }
    }

    mutating func sorted() -> [ResultRow] {
        sort()
        return entries.map(\.row)
    }

    private mutating func sort() {
        var taken: ContiguousArray<Entry> = []
        swap(&taken, &entries)
        taken.sort { precedes($0, $1) }
        swap(&taken, &entries)
    }

    private mutating func keepBest() {
        sort()
        var kept: [UInt8] = []
        entries = ContiguousArray(
            entries.prefix(bound).map { entry in
                let start = kept.count
                kept += bytes[entry.start..<entry.start + entry.count]
                return Entry(
                    prefix: entry.prefix, start: start, count: entry.count, row: entry.row)
            })
        bytes = kept
        threshold = entries.last
    }

    private func precedes(_ left: Entry, _ right: Entry) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        for index in 0..<min(left.count, right.count) {
            let a = bytes[left.start + index]
            let b = bytes[right.start + index]
            if a != b { return a < b }
        }
        if left.count != right.count { return left.count < right.count }
        return keysAscend ? left.row.key < right.row.key : left.row.key > right.row.key
    }
}
