// SPDX-License-Identifier: Apache-2.0

import Schema

extension HistoryChangeSet {
    /// Reads the changes one after the other, in the order in which they were made.
    ///
    /// - Throws: ``RecordFormatError`` for damaged bytes, before the first change, or what the body
    ///   throws.
    public func forEachChange(_ body: (HistoryChange) throws -> Void) throws {
        try check { _, _ in ObjectKey.temporaryBit }
        try forEachGroup { group, reader in
            guard case .objects(let rows) = group else { return try group.skip(&reader) }
            try rows.forEachRun(&reader) { first, last, change in
                for row in first...last {
                    var change = change
                    change.object = ObjectKey(entity: rows.entity, row: row)
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
    /// - Parameter nextRow: Gets an entity and whether its components have changed; returns the
    ///   first row of the entity that no object can have had.
    /// - Throws: ``RecordFormatError`` for damaged bytes.
    /// - Complexity: O(bytes)
    public func check(
        nextRow: (_ entity: EntityNumber, _ isOfComponents: Bool) throws -> UInt64
    ) throws {
        var left = UInt64(changeCount)
        try forEachGroup { group, reader in
            switch group {
            case .objects(let rows):
                let end = try nextRow(rows.entity, false)
                try rows.forEachRun(&reader) { first, last, _ in
                    try check(last, rows.entity, end)
                    let count = last - first + 1
                    guard count <= left else { throw miscount("more") }
                    left -= count
                }
            case .components(let rows):
                let end = try nextRow(rows.entity, true)
                try rows.forEachRun(&reader) { _, last, target in
                    try check(max(last, target), rows.entity, end)
                }
            }
        }
        guard left == 0 else { throw miscount("fewer") }
    }

    private func check(
        _ row: UInt64, _ entity: EntityNumber, _ end: UInt64
    ) throws(RecordFormatError) {
        guard row < end else {
            throw RecordFormatError(
                .unknownNumber,
                "a change set names row \(row) of entity \(entity.rawValue), which was never taken")
        }
    }

    private func miscount(_ word: String) -> RecordFormatError {
        RecordFormatError(
            .trailingBytes, "a change set has \(word) than its \(changeCount) changes")
    }

    /// Calls a body with each group, of which it reads all rows.
    func forEachGroup(
        _ body: (HistoryRowGroup, inout ByteReader) throws -> Void
    ) throws {
        var reader = ByteReader(changes)
        while true {
            let number = try reader.read(UInt8.self)
            if number == HistoryGroup.end.rawValue {
                return try reader.expectEnd(of: "a change set")
            }
            let group = HistoryGroup(rawValue: number)
            let components = HistoryComponentGroup(rawValue: number)
            guard group != nil || components != nil else {
                throw RecordFormatError(.unknownNumber, "\(number) is no group of changes")
            }
            guard let rawEntity = UInt16(exactly: try reader.readVarint()) else {
                throw RecordFormatError(.unknownNumber, "a group of changes has no entity")
            }
            let entity = EntityNumber(rawValue: rawEntity)
            if let group {
                try body(.objects(HistoryRows(group: group, entity: entity)), &reader)
            } else if let components {
                try body(
                    .components(try HistoryComponentRows(components, entity, &reader)), &reader)
            }
        }
    }
}

/// A group of a change set whose rows follow.
enum HistoryRowGroup {
    case objects(HistoryRows)
    case components(HistoryComponentRows)

    /// Reads the rows, and does nothing with them.
    func skip(_ reader: inout ByteReader) throws {
        switch self {
        case .objects(let rows): try rows.forEachRun(&reader) { _, _, _ in }
        case .components(let rows): try rows.forEachRun(&reader) { _, _, _ in }
        }
    }
}

/// The rows of one group of changes of objects.
struct HistoryRows {
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
        while group != .tombstones, let run = try HistoryRuns.next(&reader, after: last) {
            last = run.last
            try body(run.first, run.last, change)
        }
        while group == .tombstones {
            let step = try reader.readVarint()
            if step == 0 { return }
            last = try HistoryRuns.row(last, plus: step)
            change.tombstone = try readValues(&reader)
            try body(last, last, change)
        }
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
