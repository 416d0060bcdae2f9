// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Finds the store that each new object goes to.
///
/// Objects that are related to each other go to one store: that of the first one among them whose
/// store is settled, because it was assigned, is saved, or has no choice.
struct StoreAssignment {
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    /// The coordinator's stores, whatever other threads do with them meanwhile.
    let stores: [NSPersistentStore]
    /// The stores by their tags.
    private let tagged: [NSPersistentStore?]
    private var chosen = KeyTable<NSPersistentStore>()
    /// The stores that could take a new object of an entity, by its ordinal.
    private var candidates: [[NSPersistentStore]?]

    init(_ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) {
        self.context = context
        self.coordinator = coordinator
        stores = coordinator.persistentStores
        var tagged: [NSPersistentStore?] = []
        for store in stores {
            let tag = store.tag
            while tagged.count <= tag { tagged.append(nil) }
            tagged[tag] = store
        }
        self.tagged = tagged
        candidates = Array(repeating: nil, count: coordinator.compiledModel.runtimes.count)
    }

    /// Chooses for all objects.
    ///
    /// - Throws: 134020 for an entity that no store holds.
    mutating func assign(_ objects: [NSManagedObject]) throws {
        var open: [NSManagedObject] = []
        var settled: [NSManagedObject] = []
        for object in objects {
            let candidates = try candidates(for: object.runtime)
            let fixed = fixedStore(of: object) ?? (candidates.count == 1 ? candidates[0] : nil)
            if let fixed {
                chosen[object.key] = fixed
                settled.append(object)
            } else if let store = savedPartner(of: object, among: candidates) {
                chosen[object.key] = store
                settled.append(object)
            } else {
                open.append(object)
            }
        }
        var neighbours: [ObjectKey: [NSManagedObject]] = [:]
        for object in open {
            for key in object.referredKeys where key.isTemporary {
                neighbours[key, default: []].append(object)
            }
        }
        if !open.isEmpty { for object in settled { try spread(from: object, neighbours) } }
        for object in open where chosen[object.key] == nil {
            chosen[object.key] = try candidates(for: object.runtime)[0]
            try spread(from: object, neighbours)
        }
    }

    /// Gives the store of an object to the undecided ones around it.
    private mutating func spread(
        from first: NSManagedObject, _ neighbours: [ObjectKey: [NSManagedObject]]
    ) throws {
        var queue = [first]
        while let object = queue.popLast() {
            guard let store = chosen[object.key] else { continue }
            let near =
                (neighbours[object.key] ?? [])
                + object.referredKeys.compactMap { $0.isTemporary ? context.known($0) : nil }
            for other in near where chosen[other.key] == nil && other.isInserted {
                guard try candidates(for: other.runtime).contains(where: { $0 === store }) else {
                    continue
                }
                chosen[other.key] = store
                queue.append(other)
            }
        }
    }

    /// The store of an object; `nil` for a new one that nothing was chosen for.
    func store(of object: NSManagedObject) -> NSPersistentStore? {
        store(of: object.key)
    }

    func store(of key: ObjectKey) -> NSPersistentStore? {
        key.isTemporary ? chosen[key] : tagged[safe: key.tag].flatMap { $0 }
    }

    private func fixedStore(of object: NSManagedObject) -> NSPersistentStore? {
        if let key = object.reservedKey { return store(of: key) }
        guard let assigned = object.extras?.assignedStore else { return nil }
        return stores.first { $0 === assigned }
    }

    private func savedPartner(
        of object: NSManagedObject, among candidates: [NSPersistentStore]
    ) -> NSPersistentStore? {
        for key in object.referredKeys where !key.isTemporary {
            if let store = store(of: key), candidates.contains(where: { $0 === store }) {
                return store
            }
        }
        return nil
    }

    /// The stores that could take a new object: those that can be written, if there are any.
    private mutating func candidates(for runtime: EntityRuntime) throws -> [NSPersistentStore] {
        if let known = candidates[runtime.ordinal] { return known }
        let holding = stores.filter { coordinator.holds(runtime, in: $0) }
        let writable = holding.filter { !$0.isReadOnly }
        let found = writable.isEmpty ? holding : writable
        guard !found.isEmpty else {
            throw CoreDataError.make(
                .persistentStoreIncompatibleSchema,
                "no store of the coordinator holds the entity \(runtime.name); add one whose "
                    + "configuration has it")
        }
        candidates[runtime.ordinal] = found
        return found
    }
}

extension NSManagedObject {
    /// The keys that unsaved changes of the object's relationships lead to.
    final var referredKeys: [ObjectKey] {
        guard runtime.hasRelationships else { return [] }
        var keys: [ObjectKey] = []
        if let draft {
            // Attributes that hold object IDs as well.
            for (position, field) in runtime.layout.fields.enumerated()
            where field.type == .objectID {
                if case .objectID(let key)? = draft[position] { keys.append(key) }
            }
        }
        for relationship in runtime.toManyRelationships where relationship.isStored {
            if let state = knownToManyState(relationship.toManyIndex) {
                keys.append(contentsOf: state.added)
            }
        }
        return keys
    }
}
