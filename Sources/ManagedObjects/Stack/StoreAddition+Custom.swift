// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store
import Traps

/// Adding stores of the program's own.
extension StoreAddition {
    func addCustom(
        _ storeClass: NSPersistentStore.Type, _ entities: Set<String>?
    ) throws -> NSPersistentStore {
        guard let url else {
            throw CoreDataError.make(
                .persistentStoreOpen, "a store of type \(type) needs a URL; give it one")
        }
        let store = storeClass.init(
            _adding: NSPersistentStore.Place(
                coordinator: coordinator, configuration: configuration, url: url,
                options: options))
        store.change { $0.type = type }
        do {
            try store.loadMetadata()
            store.change { $0.isAdded = true }
            try check(store, entities)
            let tag = try takeTag(store.identity)
            attach(store, tag: tag, entities)
            add(FurtherStore(tag: tag, store, try content(of: store, tag, entities)))
        } catch {
            store.close()
            throw error
        }
        return store
    }

    private func content(
        of store: NSPersistentStore, _ tag: Int, _ entities: Set<String>?
    ) throws -> FurtherStore.Content {
        if let store = store as? NSIncrementalStore { return .incremental(store) }
        guard let atomic = store as? NSAtomicStore else {
            throw CoreDataError.make(
                .persistentStoreInvalidType,
                "\(Swift.type(of: store)) must be a subclass of NSAtomicStore or "
                    + "NSIncrementalStore to be added")
        }
        let plain = PlainModel.make(model, with: entities)
        let inner = NSPersistentStoreCoordinator(using: plain)
        let memory = try StoreOpening(
            type: NSInMemoryStoreType, url: nil, options: [:], model: inner.compiledModel
        ).openInMemory()
        guard let file = memory.store else { trap("\(memory) has just been opened") }
        inner.changeStores { stores in
            stores.all = [memory]
            stores.main = memory
        }
        let mapping = FileMapping(tag: tag, coordinator.compiledModel, inner, file)
        // The table of references gives the rows.
        try CoreDataError.mapping { try file.reserveAllRows() }
        try atomic.load()
        try NodeLoader(atomic: atomic, file: mapping).run()
        return .file(mapping)
    }

    /// Compares what a store of the program's own says of its model, if it says anything.
    private func check(_ store: NSPersistentStore, _ entities: Set<String>?) throws {
        try refuseTwin(of: store)
        guard let hashes = store.metadata[NSStoreModelVersionHashesKey] as? [String: Data] else {
            return
        }
        let differing = model.entityVersionHashesByName.filter { name, hash in
            entities?.contains(name) != false && hashes[name] != hash
        }
        guard differing.isEmpty else {
            let reason =
                "the model differs from the store's in "
                + differing.keys.sorted().joined(separator: ", ")
                + "; open the store with the model it was written with"
            throw CoreDataError.make(
                .persistentStoreIncompatibleVersionHash, reason,
                ["metadata": store.metadata ?? [:], "reason": reason])
        }
    }
}
