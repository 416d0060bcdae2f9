// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// The store that transactions come from, as far as reading them takes it; the file may be closed.
struct HistorySource: Sendable {
    let owner: NSPersistentStore
    // Kept, as a removed store forgets it.
    private let tag: Int
    private let model: CompiledModel
    private let tables: [UInt16: EntityTable]

    init(_ owner: NSPersistentStore, _ store: Store, _ model: CompiledModel) {
        self.owner = owner
        tag = owner.tag
        self.model = model
        tables = Dictionary(uniqueKeysWithValues: store.tables.map { ($0.number.rawValue, $0) })
    }

    /// The ID of an object; `nil` for one of an entity that the model does not have any more.
    ///
    /// The key is the file's; contexts call the objects of a further store otherwise.
    func objectID(_ key: ObjectKey) -> NSManagedObjectID? {
        runtime(key).map { runtime in
            let known =
                tag == 0 ? key : ObjectKey(tag: tag, ordinal: runtime.ordinal, row: key.row)
            return NSManagedObjectID(key: known, runtime: runtime, store: owner)
        }
    }

    private func runtime(_ key: ObjectKey) -> EntityRuntime? {
        tables[key.entity.rawValue].flatMap { model.runtime(named: $0.entity.name) }
    }

    private func names(_ key: ObjectKey) -> [PropertyNumber: String] {
        guard let table = tables[key.entity.rawValue] else { return [:] }
        var names: [PropertyNumber: String] = [:]
        for (position, field) in table.fields.enumerated() {
            names[table.layout.fields[position].number] = field.name
        }
        for relationship in table.relationships {
            names[relationship.number] = relationship.relationship.name
        }
        return names
    }

    /// The names of the properties that a change lists.
    func propertyNames(_ change: HistoryChange) -> [String] {
        let names = names(change.object)
        return change.properties.compactMap { names[$0] }
    }

    func properties(_ change: HistoryChange) -> Set<NSPropertyDescription> {
        guard let known = runtime(change.object)?.description.propertiesByName else { return [] }
        return Set(propertyNames(change).compactMap { known[$0] })
    }

    /// What a deleted object left, by name.
    func tombstone(_ change: HistoryChange) -> [AnyHashable: Any] {
        let names = names(change.object)
        var values: [AnyHashable: Any] = [:]
        for kept in change.tombstone {
            guard let name = names[kept.property] else { continue }
            values[name] = object(kept.value, name, change.object)
        }
        return values
    }

    private func object(_ value: Value, _ name: String, _ key: ObjectKey) -> Any? {
        guard case .transformable(let bytes) = value, let runtime = runtime(key),
            case .field(let position)? = runtime.references[name]
        else { return ValueConversion.object(value) }
        return ValueTransformer.decode(bytes, runtime.fields[position])
    }
}

/// One transaction of a history, as it was read.
final class HistoryRecord: Sendable {
    let source: HistorySource
    let number: UInt64
    let set: HistoryChangeSet

    init(_ source: HistorySource, _ number: UInt64, _ set: HistoryChangeSet) {
        self.source = source
        self.number = number
        self.set = set
    }

    var token: NSPersistentHistoryToken {
        NSPersistentHistoryToken([source.owner.identifier: number])
    }

    /// The changes, without those of entities that the model does not have any more.
    ///
    /// - Throws: 134070 for a damaged entry.
    func changes() throws -> [NSPersistentHistoryChange] {
        var changes: [NSPersistentHistoryChange] = []
        changes.reserveCapacity(set.changeCount)
        var number = set.firstChange
        do {
            try set.forEachChange { change in
                if let id = source.objectID(change.object) {
                    changes.append(NSPersistentHistoryChange(change, number, id, self))
                }
                number += 1
            }
        } catch {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "transaction \(self.number) of the history cannot be read: \(error); restore the "
                    + "file from a copy",
                [NSUnderlyingErrorKey: error])
        }
        return changes
    }
}
