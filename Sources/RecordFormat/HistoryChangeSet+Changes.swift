// SPDX-License-Identifier: Apache-2.0

import Schema

extension HistoryChangeSet {
    /// Reads the changes one after the other, in the order in which they were made.
    ///
    /// - Throws: ``RecordFormatError`` for damaged bytes, or what the body throws.
    public func forEachChange(_ body: (HistoryChange) throws -> Void) throws {
        var reader = ByteReader(changes)
        var left = changeCount
        func count(_ change: HistoryChange) throws {
            // A damaged run could announce more rows than fit into memory.
            guard left > 0 else {
                throw RecordFormatError(
                    .trailingBytes, "a change set has more than its \(changeCount) changes")
            }
            left -= 1
            try body(change)
        }
        while true {
            let number = try reader.read(UInt8.self)
            guard let group = HistoryGroup(rawValue: number) else {
                throw RecordFormatError(.unknownNumber, "\(number) is no group of changes")
            }
            if group == .end { return try reader.expectEnd(of: "a change set") }
            guard let entity = UInt16(exactly: try reader.readVarint()) else {
                throw RecordFormatError(.unknownNumber, "a group of changes has no entity")
            }
            let rows = HistoryRows(group: group, entity: EntityNumber(rawValue: entity))
            try rows.forEach(&reader, count)
        }
    }
}

/// The rows of one group.
private struct HistoryRows {
    let group: HistoryGroup
    let entity: EntityNumber

    func forEach(_ reader: inout ByteReader, _ body: (HistoryChange) throws -> Void) throws {
        let properties = group == .updates ? try readProperties(&reader) : []
        var last: UInt64 = 0
        while true {
            let step = try reader.readVarint()
            if step == 0 { return }
            if group == .tombstones {
                last = try row(after: last, step)
                var change = makeChange(last)
                change.tombstone = try readValues(&reader)
                try body(change)
                continue
            }
            let first = try row(after: last, step >> 1)
            let more = step & 1 == 0 ? 0 : try reader.readVarint()
            last = try row(after: first, more)
            for row in first...last {
                var change = makeChange(row)
                change.properties = properties
                try body(change)
            }
        }
    }

    private func makeChange(_ row: UInt64) -> HistoryChange {
        HistoryChange(
            object: ObjectKey(entity: entity, row: row),
            kind: group == .inserts ? .insert : group == .updates ? .update : .delete)
    }

    private func row(after last: UInt64, _ step: UInt64) throws -> UInt64 {
        let (row, isTooFar) = last.addingReportingOverflow(step)
        guard !isTooFar, row > 0, row < ObjectKey.temporaryBit else {
            throw RecordFormatError(.unknownNumber, "a change set names a row that cannot be")
        }
        return row
    }

    private func readProperties(_ reader: inout ByteReader) throws -> [PropertyNumber] {
        var numbers: [PropertyNumber] = []
        for _ in 0..<(try reader.readVarint()) { numbers.append(try readNumber(&reader)) }
        return numbers
    }

    private func readValues(_ reader: inout ByteReader) throws -> [HistoryChange.KeptValue] {
        var values: [HistoryChange.KeptValue] = []
        for _ in 0..<(try reader.readVarint()) {
            let property = try readNumber(&reader)
            values.append(
                HistoryChange.KeptValue(property: property, value: try reader.readValue()))
        }
        return values
    }

    private func readNumber(_ reader: inout ByteReader) throws -> PropertyNumber {
        guard let number = UInt32(exactly: try reader.readVarint()) else {
            throw RecordFormatError(.unknownNumber, "a change set names a property that cannot be")
        }
        return PropertyNumber(rawValue: number)
    }
}
