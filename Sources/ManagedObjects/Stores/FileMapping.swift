// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// How the model of a coordinator lies in one of its further files.
///
/// The file has numbers of its own for entities. The contexts' keys name an entity by its ordinal
/// in the model, below the tag of the store. Everything else is the same in all files: the
/// fields of a record, and at which place a relationship is in an entity's table.
final class FileMapping: Sendable {
    let tag: Int
    /// The file's coordinator, on which contexts of their own run batch requests.
    let coordinator: NSPersistentStoreCoordinator
    /// The file's form of each entity, by the ordinals of the coordinator's model; `nil` for an
    /// entity that the file does not have.
    private let runtimes: [EntityRuntime?]
    /// The file's numbers of entities, by the ordinals of the coordinator's model.
    private let numbers: [EntityNumber?]
    /// By the file's numbers, -1 for those that the coordinator's model does not have.
    private let ordinals: [Int]

    init(
        tag: Int, _ model: CompiledModel, _ coordinator: NSPersistentStoreCoordinator, _ file: Store
    ) {
        self.tag = tag
        self.coordinator = coordinator
        runtimes = model.runtimes.map {
            coordinator.compiledModel.runtime(named: $0.entity.name)
        }
        numbers = model.runtimes.map { file.table(named: $0.entity.name)?.number }
        let greatest = numbers.compactMap { $0.map { Int($0.rawValue) } }.max() ?? 0
        var ordinals = Array(repeating: -1, count: greatest + 1)
        for (ordinal, number) in numbers.enumerated() {
            if let number { ordinals[Int(number.rawValue)] = ordinal }
        }
        self.ordinals = ordinals
    }

    /// A key that no object has.
    static var nobody: ObjectKey { ObjectKey(rawValue: .max) }

    /// The file's form of an entity; `nil` if the file does not have the entity.
    func runtime(_ runtime: EntityRuntime) -> EntityRuntime? { runtimes[runtime.ordinal] }

    /// The ordinal in the file of an entity; `nil` for one that the file does not have.
    func tableOrdinal(_ ordinal: Int) -> Int? { runtimes[ordinal]?.ordinal }

    /// The ordinal in the coordinator's model of an entity of the file; `nil` for an entity that
    /// the model does not have.
    @inline(__always)
    func ordinal(of number: EntityNumber) -> Int? {
        let number = Int(number.rawValue)
        guard number < ordinals.count, ordinals[number] >= 0 else { return nil }
        return ordinals[number]
    }

    /// The file's key; temporary keys are the same everywhere, and a key of another store gives
    /// ``nobody``.
    func inner(_ key: ObjectKey) -> ObjectKey {
        if key.isTemporary || key.rawValue == 0 { return key }
        guard key.tag == tag, let number = numbers[safe: key.ordinalElsewhere].flatMap({ $0 })
        else { return FileMapping.nobody }
        return ObjectKey(entity: number, row: key.plainRow)
    }

    /// The contexts' key; `nil` for an entity that the coordinator's model does not have.
    @inline(__always)
    func outer(_ key: ObjectKey) -> ObjectKey? {
        if key.isTemporary { return key }
        guard let ordinal = ordinal(of: key.entity), key.row < ObjectKey.rowLimit else {
            return nil
        }
        return ObjectKey(tag: tag, ordinal: ordinal, row: key.row)
    }

    /// A copy of one of the file's records with the contexts' keys.
    func outer(_ record: RecordView, _ runtime: EntityRuntime) -> OwnedRecord {
        copy(record, runtime) { outer($0) ?? FileMapping.nobody }
    }

    /// A copy of a record with the contexts' keys that has the file's.
    func inner(_ record: RecordView, _ runtime: EntityRuntime) -> OwnedRecord {
        copy(record, runtime) { inner($0) }
    }

    private func copy(
        _ record: RecordView, _ runtime: EntityRuntime, _ translate: (ObjectKey) -> ObjectKey
    ) -> OwnedRecord {
        OwnedRecord(record) { bytes in
            // The layout number is the file's business, but for what it says of the slots.
            let number = record.layoutNumber & RecordLayout.firstNarrowNumber
            bytes.storeBytes(
                of: number.littleEndian, toByteOffset: RecordOffset.layoutNumber, as: UInt16.self)
            for (position, field) in runtime.layout.fields.enumerated()
            where field.type == .objectID && !record.isNull(position) {
                let offset = record.offset(of: field, in: runtime.layout)
                let key = ObjectKey(rawValue: record.load(at: offset, as: UInt64.self))
                bytes.storeBytes(
                    of: translate(key).rawValue.littleEndian, toByteOffset: offset,
                    as: UInt64.self)
            }
        }
    }
}
