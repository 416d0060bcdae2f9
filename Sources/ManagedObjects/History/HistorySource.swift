// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// What reading transactions needs to know of their store; the file may be closed.
struct HistorySource: Sendable {
    let owner: NSPersistentStore
    private let model: CompiledModel
    private let tables: [UInt16: EntityTable]
    /// The further file; `nil` for the main store.
    private let file: FileMapping?
    /// The entities of the store's configuration; `nil` for all.
    private let entityNames: Set<String>?
    /// The positions up to which the coordinator's other stores were read.
    let elsewhere: [String: UInt64]

    init(
        _ owner: NSPersistentStore, _ store: Store, _ coordinator: NSPersistentStoreCoordinator,
        elsewhere: [String: UInt64]
    ) {
        self.owner = owner
        self.elsewhere = elsewhere
        model = coordinator.compiledModel
        tables = Dictionary(uniqueKeysWithValues: store.tables.map { ($0.number.rawValue, $0) })
        entityNames = owner.read { $0.entityNames }
        if case .file(let file)? = coordinator.further(owner.tag)?.content {
            self.file = file
        } else {
            file = nil
        }
    }

    /// The ID of an object; `nil` for one of an entity that the model does not have any more, or
    /// that is not the store's.
    func objectID(_ key: ObjectKey) -> NSManagedObjectID? {
        guard let runtime = runtime(key), entityNames?.contains(runtime.name) != false,
            let known = file.map({ $0.outer(key) }) ?? key
        else { return nil }
        return NSManagedObjectID(key: known, runtime: runtime, store: owner)
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

    /// The position after it, with those of the other stores that were read before it.
    var token: NSPersistentHistoryToken {
        NSPersistentHistoryToken(
            source.elsewhere.merging([source.owner.identity: number]) { $1 })
    }

    /// The position in its store alone.
    var ownToken: NSPersistentHistoryToken {
        NSPersistentHistoryToken([source.owner.identity: number])
    }

    /// Roughly the bytes that a change takes in memory.
    private static let bytesPerChange: UInt64 = 256

    /// The changes, without those of entities that the model or the store does not have.
    ///
    /// - Throws: 134070 for a damaged entry, and for one with more changes than fit into memory: a
    ///   few bytes may stand for any number of them.
    func changes() throws -> [NSPersistentHistoryChange] {
        try checkMemory(UInt64(set.changeCount), "changes", bytes: HistoryRecord.bytesPerChange)
        var changes: [NSPersistentHistoryChange] = []
        // A damaged entry may announce any number.
        changes.reserveCapacity(min(set.changeCount, 1 << 16))
        var number = set.firstChange
        try reading {
            try set.forEachChange { change in
                if let id = source.objectID(change.object) {
                    changes.append(NSPersistentHistoryChange(change, number, id, self))
                }
                number += 1
            }
        }
        return changes
    }

    /// Throws for more changes than fit into memory.
    func checkMemory(_ count: UInt64, _ what: String, bytes: UInt64) throws {
        guard count > ProcessInfo.processInfo.physicalMemory / bytes else { return }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "transaction \(number) of the history has \(count) \(what), more than fit into memory; "
                + "fetch transactions without changes, or restore the file from a copy")
    }

    /// Reads from the entry, and says which one it is if it is damaged.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as RecordFormatError {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "transaction \(number) of the history cannot be read: \(error); restore the file "
                    + "from a copy",
                [NSUnderlyingErrorKey: error])
        }
    }
}
