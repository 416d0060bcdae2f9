// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// Collects what a transaction changes, encoded as it will be written.
///
/// Objects of one entity with the same change share a group, rows that follow each other a run: a
/// save of many new objects takes some bytes altogether, and noting one is an addition.
final class HistoryRecorder {
    // SAFETY: `HistoryWriter` lends the recorder to one write at a time. While one of these
    // properties is written, no code runs that knows the recorder.
    @exclusivity(unchecked) private var writer = ByteWriter(reserving: 64)
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var group = HistoryGroup.end
    @exclusivity(unchecked) private var entity: UInt16 = 0
    @exclusivity(unchecked) private var properties = PropertyPositions()
    /// The rows that wait to be written as a run; none where both are the same.
    @exclusivity(unchecked) private var run: (start: UInt64, end: UInt64) = (0, 0)
    /// The last row of the group that was written.
    @exclusivity(unchecked) private var last: UInt64 = 0
    /// The key of the object updated last, 0 for none: changes of its links may still follow.
    @exclusivity(unchecked) private var updated: UInt64 = 0
    @exclusivity(unchecked) private var updatedTable: EntityTable?
    @exclusivity(unchecked) private var updatedProperties = PropertyPositions()
    /// The changes of components, which are counted apart.
    @exclusivity(unchecked) var components = ComponentRecorder()

    /// Whether anything was noted.
    var hasChanges: Bool { count > 0 || !components.isEmpty }

    @inline(__always)
    func insert(_ key: ObjectKey) {
        count += 1
        if group == .inserts, updated == 0, key.row == run.end, key.entity.rawValue == entity {
            run.end += 1
            return
        }
        settle()
        note(key, .inserts, PropertyPositions(), nil)
    }

    @inline(__always)
    func update(
        _ key: ObjectKey, _ table: EntityTable, from old: RecordView, to new: RecordView?,
        changedFields: UInt64
    ) {
        settle()
        count += 1
        updated = key.rawValue
        // Compared first: nothing is retained while objects of one entity follow each other.
        if updatedTable !== table { updatedTable = table }
        compare(table, old, new, changedFields)
    }

    private func compare(
        _ table: EntityTable, _ old: RecordView, _ new: RecordView?, _ changedFields: UInt64
    ) {
        updatedProperties.reset(to: 0)
        guard let new else { return }
        for position in table.layout.fields.indices
        where changedFields & 1 << UInt64(min(position, 63)) != 0
            && !old.hasSameField(position, as: new, in: table.layout)
        {
            updatedProperties.insert(position)
        }
    }

    /// Notes that the object updated last has other destinations.
    @inline(__always)
    func relate(_ owner: ObjectKey, _ number: PropertyNumber) {
        guard updated == owner.rawValue, let updatedTable else { return }
        addRelationship(number, updatedTable)
    }

    private func addRelationship(_ number: PropertyNumber, _ table: EntityTable) {
        guard let index = table.relationships.firstIndex(where: { $0.number == number }) else {
            return
        }
        updatedProperties.insert(table.layout.fields.count + index)
    }

    func delete(_ key: ObjectKey, keeping values: [HistoryChange.KeptValue]) {
        settle()
        count += 1
        guard !values.isEmpty else { return note(key, .deletes, PropertyPositions(), nil) }
        if group != .tombstones || entity != key.entity.rawValue || key.row <= last {
            begin(.tombstones, key.entity.rawValue, PropertyPositions(), nil)
        }
        writer.writeVarint(key.row - last)
        last = key.row
        writer.writeVarint(UInt64(values.count))
        for kept in values {
            writer.writeVarint(UInt64(kept.property.rawValue))
            writer.write(kept.value)
        }
    }

    /// The encoded changes, for as long as the body runs.
    func finish<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        settle()
        endGroup()
        if !components.isEmpty { writer.append(components.finish()) }
        writer.write(HistoryGroup.end.rawValue)
        return try writer.bytes.withUnsafeBytes(body)
    }

    /// Forgets everything, for another transaction.
    func reset() {
        // What a large transaction took is given back.
        if writer.bytes.count > 65_536 { writer = ByteWriter(reserving: 64) }
        writer.removeAll()
        (count, group, entity) = (0, .end, 0)
        properties = PropertyPositions()
        run = (0, 0)
        (last, updated) = (0, 0)
        updatedTable = nil
        components.reset()
    }

    /// Gives the object updated last its place: it will get no further properties.
    @inline(__always)
    private func settle() {
        guard updated != 0 else { return }
        let key = ObjectKey(rawValue: updated)
        updated = 0
        if group == .updates, key.row == run.end, key.entity.rawValue == entity,
            properties.isSmallAndSame(as: updatedProperties)
        {
            run.end += 1
        } else {
            note(key, .updates, updatedProperties, updatedTable)
        }
    }

    private func note(
        _ key: ObjectKey, _ wanted: HistoryGroup, _ positions: PropertyPositions,
        _ table: EntityTable?
    ) {
        let isSame =
            group == wanted && entity == key.entity.rawValue && properties == positions
            && key.row >= run.end
        if !isSame {
            begin(wanted, key.entity.rawValue, positions, table)
        } else if key.row == run.end {
            run.end += 1
            return
        } else {
            endRun()
        }
        run = (key.row, key.row + 1)
    }

    private func begin(
        _ next: HistoryGroup, _ number: UInt16, _ positions: PropertyPositions,
        _ table: EntityTable?
    ) {
        endGroup()
        group = next
        entity = number
        properties = positions
        writer.write(next.rawValue)
        writer.writeVarint(UInt64(number))
        guard let table else { return }
        let numbers = positions.numbers(in: table)
        writer.writeVarint(UInt64(numbers.count))
        for number in numbers { writer.writeVarint(UInt64(number.rawValue)) }
    }

    private func endGroup() {
        guard group != .end else { return }
        endRun()
        writer.writeVarint(0)
        group = .end
        last = 0
        run = (0, 0)
    }

    private func endRun() {
        guard run.end > run.start else { return }
        let length = run.end - run.start
        writer.writeVarint((run.start - last) << 1 | (length > 1 ? 1 : 0))
        if length > 1 { writer.writeVarint(length - 1) }
        last = run.end - 1
    }
}
