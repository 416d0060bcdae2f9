// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// Translates between the keys of a further file and those of a coordinator's contexts.
struct KeyTranslation: Sendable {
    /// The places in the records of an entity that differ between files.
    private struct Slots: Sendable {
        /// The file's number; `nil` for an entity that the file does not have.
        let number: EntityNumber?
        let layoutNumber: UInt16
        /// Positions and offsets of the fields that hold keys.
        let keys: [(position: Int, offset: Int)]
    }

    let tag: Int
    /// By the ordinals of the coordinator's model.
    private let slots: [Slots]
    /// By the file's numbers, -1 for those that the coordinator's model does not have.
    private let ordinals: [Int]

    init(tag: Int, _ model: CompiledModel, _ file: Store) {
        self.tag = tag
        slots = model.runtimes.map { runtime in
            let table = file.table(named: runtime.entity.name)
            let fields = runtime.layout.fields.enumerated().filter { $1.type == .objectID }
            return Slots(
                number: table?.number, layoutNumber: table?.layout.number ?? 0,
                keys: fields.map { ($0, $1.offset) })
        }
        let greatest = slots.compactMap { $0.number.map { Int($0.rawValue) } }.max() ?? 0
        var ordinals = Array(repeating: -1, count: greatest + 1)
        for (ordinal, slots) in slots.enumerated() {
            if let number = slots.number { ordinals[Int(number.rawValue)] = ordinal }
        }
        self.ordinals = ordinals
    }

    /// A key that no object has.
    static var nobody: ObjectKey { ObjectKey(rawValue: .max) }

    /// The file's key; temporary keys are the same everywhere, and a key of another store gives
    /// ``nobody``.
    func inner(_ key: ObjectKey) -> ObjectKey {
        if key.isTemporary { return key }
        guard key.tag == tag, let number = slots[safe: key.ordinalElsewhere]?.number
        else {
            return KeyTranslation.nobody
        }
        return ObjectKey(entity: number, row: key.plainRow)
    }

    /// The contexts' key; `nil` for an entity that the coordinator's model does not have.
    func outer(_ key: ObjectKey) -> ObjectKey? {
        if key.isTemporary { return key }
        guard let ordinal = ordinals[safe: Int(key.entity.rawValue)], ordinal >= 0,
            key.row < ObjectKey.rowLimit
        else { return nil }
        return ObjectKey(tag: tag, ordinal: ordinal, row: key.row)
    }

    /// A copy of a record with the contexts' keys.
    func outer(_ record: RecordView, _ runtime: EntityRuntime) -> OwnedRecord {
        // The layout number is the file's business; the slots are the same in all files.
        translated(record, runtime, layoutNumber: 0) { outer($0) ?? KeyTranslation.nobody }
    }

    /// A copy of a record with the file's keys.
    func inner(_ record: RecordView, _ runtime: EntityRuntime) -> OwnedRecord {
        translated(
            record, runtime, layoutNumber: slots[runtime.ordinal].layoutNumber,
            { inner($0) })
    }

    @inline(__always)
    private func translated(
        _ record: RecordView, _ runtime: EntityRuntime, layoutNumber: UInt16,
        _ translate: (ObjectKey) -> ObjectKey
    ) -> OwnedRecord {
        OwnedRecord(record) { bytes in
            bytes.storeBytes(
                of: layoutNumber.littleEndian, toByteOffset: RecordOffset.layoutNumber,
                as: UInt16.self)
            for (position, offset) in slots[runtime.ordinal].keys where !record.isNull(position) {
                let key = ObjectKey(rawValue: record.load(at: offset, as: UInt64.self))
                bytes.storeBytes(
                    of: translate(key).rawValue.littleEndian, toByteOffset: offset,
                    as: UInt64.self)
            }
        }
    }

    /// A value with the file's keys.
    func inner(_ value: Value) -> Value {
        if case .objectID(let key) = value { .objectID(inner(key)) } else { value }
    }
}
