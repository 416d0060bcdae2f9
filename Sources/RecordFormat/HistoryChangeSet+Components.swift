// SPDX-License-Identifier: Apache-2.0

import Schema

extension HistoryChangeSet {
    /// Reads what happened to components, group by group.
    ///
    /// - Throws: ``RecordFormatError`` for damaged bytes, before the first change, or what the body
    ///   throws.
    public func forEachComponentChange(_ body: (HistoryComponentChange) throws -> Void) throws {
        try check { _, _ in ObjectKey.temporaryBit }
        try forEachGroup { group, reader in
            guard case .components(let rows) = group else { return try group.skip(&reader) }
            try rows.forEachRun(&reader) { first, last, target in
                var change = HistoryComponentChange(
                    name: rows.name, kind: rows.group.kind, object: nil)
                guard first > 0 else { return try body(change) }
                if target > 0 { change.target = ObjectKey(entity: rows.entity, row: target) }
                for row in first...last {
                    change.object = ObjectKey(entity: rows.entity, row: row)
                    try body(change)
                }
            }
        }
    }

    /// How many changes of components there are; a few bytes may stand for any number.
    ///
    /// - Throws: ``RecordFormatError`` for damaged bytes.
    /// - Complexity: O(bytes)
    public func componentChangeCount() throws -> UInt64 {
        var count: UInt64 = 0
        try forEachGroup { group, reader in
            guard case .components(let rows) = group else { return try group.skip(&reader) }
            try rows.forEachRun(&reader) { first, last, _ in
                // Damaged groups may have more than fit into a number.
                let (sum, isTooMany) = count.addingReportingOverflow(last - first + 1)
                count = isTooMany ? .max : sum
            }
        }
        return count
    }
}

/// The rows of one group of changes of components.
struct HistoryComponentRows {
    let group: HistoryComponentGroup
    let entity: EntityNumber
    let name: String

    /// Reads the name that the group begins with.
    init(
        _ group: HistoryComponentGroup, _ entity: EntityNumber, _ reader: inout ByteReader
    ) throws(RecordFormatError) {
        self.group = group
        self.entity = entity
        let bytes = try reader.take(Int(clamping: try reader.readVarint()))
        guard let name = String(validating: bytes, as: UTF8.self) else {
            throw RecordFormatError(.badText, "a change set names a component that is not UTF-8")
        }
        self.name = name
    }

    /// Calls a body with the first and the last of rows that follow each other; with both ends of
    /// a link; or with zeros, for a resource.
    func forEachRun(
        _ reader: inout ByteReader, _ body: (_ first: UInt64, _ last: UInt64, UInt64) throws -> Void
    ) throws {
        switch group.column {
        case .components:
            var last: UInt64 = 0
            while let run = try HistoryRuns.next(&reader, after: last) {
                last = run.last
                try body(run.first, run.last, 0)
            }
        case .links: try forEachLink(&reader, body)
        case .resource: try body(0, 0, 0)
        }
    }

    private func forEachLink(
        _ reader: inout ByteReader, _ body: (UInt64, UInt64, UInt64) throws -> Void
    ) throws {
        var (source, target): (UInt64, UInt64) = (0, 0)
        while true {
            let step = try reader.readVarint()
            if step == 0 { return }
            source = try HistoryRuns.row(source, movedBy: step - 1)
            target = try HistoryRuns.row(target, movedBy: try reader.readVarint())
            try body(source, source, target)
        }
    }
}

/// How change sets count rows.
package enum HistoryRuns {
    /// The next rows that follow each other, behind a row; `nil` at the end of the group.
    static func next(
        _ reader: inout ByteReader, after last: UInt64
    ) throws(RecordFormatError) -> (first: UInt64, last: UInt64)? {
        let step = try reader.readVarint()
        if step == 0 { return nil }
        let first = try row(last, plus: step >> 1)
        return (first, try row(first, plus: step & 1 == 0 ? 0 : try reader.readVarint()))
    }

    /// The row behind another one.
    static func row(_ last: UInt64, plus step: UInt64) throws(RecordFormatError) -> UInt64 {
        let (row, isTooFar) = last.addingReportingOverflow(step)
        guard !isTooFar, row > 0, row < ObjectKey.temporaryBit else { throw impossible }
        return row
    }

    /// The row behind or in front of another one, by a distance as ``distance(from:to:)`` has it.
    static func row(_ last: UInt64, movedBy step: UInt64) throws(RecordFormatError) -> UInt64 {
        let half = step >> 1
        if step & 1 == 0 { return try row(last, plus: half) }
        guard half + 1 < last else { throw impossible }
        return last - half - 1
    }

    /// A distance in either direction as a number without a sign.
    package static func distance(from last: UInt64, to row: UInt64) -> UInt64 {
        row >= last ? (row - last) << 1 : (last - row) << 1 - 1
    }

    private static var impossible: RecordFormatError {
        RecordFormatError(.unknownNumber, "a change set names a row that cannot be")
    }
}
