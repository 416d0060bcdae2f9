// SPDX-License-Identifier: Apache-2.0

import Schema

extension HistoryChangeSet {
    /// Reads the changes one after the other, in the order in which they were made.
    ///
    /// - Throws: ``RecordFormatError`` for damaged bytes, before the first change, or what the body
    ///   throws.
    public func forEachChange(_ body: (HistoryChange) throws -> Void) throws {
        try check { _ in ObjectKey.temporaryBit }
        try forEachGroup { group, reader in
            try group.forEachRun(&reader) { first, last, change in
                for row in first...last {
                    var change = change
                    change.object = ObjectKey(entity: group.entity, row: row)
                    try body(change)
                }
            }
        }
    }

    /// Checks that there are as many changes as announced, and only of possible rows, without
    /// reading each.
    ///
    /// A damaged run of a few bytes could stand for more than fit into memory.
    ///
    /// - Parameter nextRow: The first row of an entity that no object can have had.
    /// - Throws: ``RecordFormatError`` for damaged bytes.
    /// - Complexity: O(bytes)
    public func check(nextRow: (EntityNumber) throws -> UInt64) throws {
        var left = UInt64(changeCount)
        try forEachGroup { group, reader in
            let end = try nextRow(group.entity)
            try group.forEachRun(&reader) { first, last, _ in
                guard last < end else {
                    throw RecordFormatError(
                        .unknownNumber,
                        "a change set names row \(last) of entity \(group.entity.rawValue), which "
                            + "was never taken")
                }
                let count = last - first + 1
                guard count <= left else { throw miscount("more") }
                left -= count
            }
        }
        guard left == 0 else { throw miscount("fewer") }
    }

    private func miscount(_ word: String) -> RecordFormatError {
        RecordFormatError(
            .trailingBytes, "a change set has \(word) than its \(changeCount) changes")
    }

    private func forEachGroup(
        _ body: (HistoryRows, inout ByteReader) throws -> Void
    ) throws {
        var reader = ByteReader(changes)
        while true {
            let number = try reader.read(UInt8.self)
            guard let group = HistoryGroup(rawValue: number) else {
                throw RecordFormatError(.unknownNumber, "\(number) is no group of changes")
            }
            if group == .end { return try reader.expectEnd(of: "a change set") }
            guard let entity = UInt16(exactly: try reader.readVarint()) else {
                throw RecordFormatError(.unknownNumber, "a group of changes has no entity")
            }
            try body(
                HistoryRows(group: group, entity: EntityNumber(rawValue: entity)), &reader)
        }
    }
}

/// The rows of one group.
private struct HistoryRows {
    let group: HistoryGroup
    let entity: EntityNumber

    /// Calls a body with the first and the last of rows that follow each other, and a change that
    /// says what happened to each.
    func forEachRun(
        _ reader: inout ByteReader, _ body: (UInt64, UInt64, HistoryChange) throws -> Void
    ) throws {
        var change = HistoryChange(
            object: ObjectKey(entity: entity, row: 0),
            kind: group == .inserts ? .insert : group == .updates ? .update : .delete)
        if group == .updates { change.properties = try readProperties(&reader) }
        var last: UInt64 = 0
        while true {
            let step = try reader.readVarint()
            if step == 0 { return }
            if group == .tombstones {
                last = try row(after: last, step)
                change.tombstone = try readValues(&reader)
                try body(last, last, change)
                continue
            }
            let first = try row(after: last, step >> 1)
            let more = step & 1 == 0 ? 0 : try reader.readVarint()
            last = try row(after: first, more)
            try body(first, last, change)
        }
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
