// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The rows or links of one group of changes of components, encoded as they come.
struct ComponentRows {
    /// How many there are.
    private(set) var count = 0
    private var writer = ByteWriter()
    /// The rows that wait to be written as a run; none where both are the same.
    private var run: (start: UInt64, end: UInt64) = (0, 0)
    /// The last row that was written.
    private var last: UInt64 = 0
    /// The ends of the last link.
    private var link: (source: UInt64, target: UInt64) = (0, 0)

    /// Adds those of 64 rows that have a bit; they are behind all others.
    mutating func add(_ rows: UInt64, from first: UInt64) {
        count += rows.nonzeroBitCount
        var rest = rows
        while rest != 0 {
            let start = rest.trailingZeroBitCount
            let length = (~(rest >> UInt64(start))).trailingZeroBitCount
            extend(first + UInt64(start), UInt64(length))
            // A shift by 64 leaves nothing.
            rest &= ~0 << UInt64(start + length)
        }
    }

    private mutating func extend(_ start: UInt64, _ length: UInt64) {
        if run.end != start || run.start == run.end {
            endRun()
            run = (start, start)
        }
        run.end += length
    }

    private mutating func endRun() {
        let length = run.end - run.start
        guard length > 0 else { return }
        writer.writeVarint((run.start - last) << 1 | (length > 1 ? 1 : 0))
        if length > 1 { writer.writeVarint(length - 1) }
        last = run.end - 1
        run = (0, 0)
    }

    /// Adds a link.
    mutating func addLink(_ source: UInt64, _ target: UInt64) {
        count += 1
        writer.writeVarint(HistoryRuns.distance(from: link.source, to: source) + 1)
        writer.writeVarint(HistoryRuns.distance(from: link.target, to: target))
        link = (source, target)
    }

    /// Notes that the column's only value is in the group.
    mutating func addResource() { count += 1 }

    /// Writes the group behind others, if it has anything, and begins a new one.
    mutating func end(
        _ group: HistoryComponentGroup, _ name: String, _ entity: EntityNumber,
        _ groups: inout ByteWriter
    ) {
        guard count > 0 else { return }
        endRun()
        groups.write(group.rawValue)
        groups.writeVarint(UInt64(entity.rawValue))
        groups.writeVarint(UInt64(name.utf8.count))
        groups.append(name)
        groups.append(writer.bytes)
        if group.column != .resource { groups.writeVarint(0) }
        removeAll()
    }

    /// Forgets everything, and keeps the room for the next group.
    mutating func removeAll() {
        writer.removeAll()
        (count, last, run, link) = (0, 0, (0, 0), (0, 0))
    }
}
