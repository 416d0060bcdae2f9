// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store
import Traps

/// Adds one store to a coordinator, as its main store or as a further one.
///
/// Runs while no other thread changes the coordinator's stores.
struct StoreAddition {
    let coordinator: NSPersistentStoreCoordinator
    let type: String
    let configuration: String?
    let url: URL?
    let options: [AnyHashable: Any]?

    var model: NSManagedObjectModel { coordinator.managedObjectModel }

    func run() throws -> NSPersistentStore {
        let entities = try entityNames()
        let store: NSPersistentStore
        if let storeClass = RegisteredStores.storeClass(for: type) {
            store = try addCustom(storeClass, entities)
        } else if coordinator.firstStore == nil, entities == nil {
            store = try addMain()
        } else {
            store = try addFile(entities)
        }
        store.didAdd(to: coordinator)
        StoreNotifications.post(
            .NSPersistentStoreCoordinatorStoresDidChange, by: coordinator,
            NSAddedPersistentStoresKey, store)
        return store
    }

    /// The entities of the configuration with those that inherit from them; `nil` for all.
    private func entityNames() throws -> Set<String>? {
        guard let configuration, configuration != NSPersistentStore.defaultConfiguration else {
            return nil
        }
        guard let entities = model.entities(forConfigurationName: configuration) else {
            throw CoreDataError.make(
                .persistentStoreIncompatibleSchema,
                "the model has no configuration \(configuration); it has "
                    + (model.configurations.isEmpty
                        ? "none" : model.configurations.sorted().joined(separator: ", ")))
        }
        let names = Set(
            entities.compactMap { $0.name.flatMap { coordinator.compiledModel.runtime(named: $0) } }
                .flatMap { $0.family.map(\.name) })
        return names.count == coordinator.compiledModel.runtimes.count ? nil : names
    }

    private func addMain() throws -> NSPersistentStore {
        let store = try StoreOpening(
            type: type, url: url, options: options ?? [:], model: coordinator.compiledModel
        ).open(configuration: configuration)
        try refuseTwin(of: store)
        try store.watch(for: coordinator)
        attach(store, tag: 0, nil)
        coordinator.changeStores { stores in
            stores.all.append(store)
            stores.main = store
        }
        return store
    }

    private func addFile(_ entities: Set<String>?) throws -> NSPersistentStore {
        let (store, plain) = try openFile(entities)
        try refuseTwin(of: store)
        let inner = NSPersistentStoreCoordinator(using: plain)
        let tag = try takeTag(store.identity)
        guard let file = store.store else { trap("\(store) has just been opened") }
        inner.changeStores { stores in
            stores.all = [store]
            stores.main = store
        }
        try store.watch(for: coordinator, readBy: inner)
        attach(store, tag: tag, entities)
        let mapping = FileMapping(tag: tag, coordinator.compiledModel, inner, file)
        add(FurtherStore(tag: tag, store, .file(mapping)))
        return store
    }

    /// Opens a file with the entities of a configuration and those that they need.
    ///
    /// A file that has more than that, such as one written without a configuration, is opened with
    /// the model that is in it. A migration keeps all of its entities that the coordinator's model
    /// has, in whatever configuration.
    private func openFile(
        _ entities: Set<String>?
    ) throws -> (NSPersistentStore, NSManagedObjectModel) {
        let plain = PlainModel.make(model, with: entities)
        do {
            return (try open(plain, mayMigrate: false), plain)
        } catch let error as CocoaError where error.code == .persistentStoreIncompatibleVersionHash
        {
            guard let url, let stored = try? NSManagedObjectModel.stored(at: url) else {
                throw error
            }
            let known = stored.entityVersionHashesByName
            let wanted = plain.entityVersionHashesByName
            guard wanted.allSatisfy({ known[$0.key] == $0.value }) else {
                guard MigrationRequest(options ?? [:]) != .none else { throw error }
                let wider = PlainModel.make(
                    model, with: entities?.union(entitiesKept(of: stored)))
                return (try open(wider, mayMigrate: true), wider)
            }
            PlainModel.removeClasses(stored)
            PlainModel.adoptHistoryRules(of: plain, in: stored)
            return (try open(stored, mayMigrate: false), stored)
        }
    }

    /// The entities of the coordinator's model that a file has already, under whatever name.
    private func entitiesKept(of stored: NSManagedObjectModel) -> Set<String> {
        let known = Set(
            stored.entities.flatMap { [$0.name, $0.renamingIdentifier].compactMap { $0 } })
        let kept = model.entities.filter { entity in
            [entity.name, entity.renamingIdentifier].contains { $0.map(known.contains) == true }
        }
        return Set(kept.compactMap(\.name))
    }

    private func open(
        _ plain: NSManagedObjectModel, mayMigrate: Bool
    ) throws -> NSPersistentStore {
        let compiled: CompiledModel
        do {
            compiled = try plain.compile()
        } catch {
            throw CoreDataError.make(
                .persistentStoreIncompatibleSchema,
                "the configuration \(configuration ?? "") is no model of its own: \(error)")
        }
        return try StoreOpening(
            type: type, url: url, options: options ?? [:], model: compiled, mayMigrate: mayMigrate
        ).open(configuration: configuration)
    }

    func refuseTwin(of store: NSPersistentStore) throws {
        guard coordinator.persistentStores.contains(where: { $0.identity == store.identity })
        else { return }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "the coordinator has a store with the identity \(store.identity) already; a store "
                + "can be added once, and a copy of its file takes another coordinator")
    }

    func takeTag(_ identifier: String) throws -> Int {
        var tag: Int?
        coordinator.changeStores { tag = $0.takeTag(for: identifier) }
        guard let tag else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "the coordinator has had \(ObjectKey.greatestTag) further stores; make another "
                    + "coordinator for more")
        }
        return tag
    }

    func attach(_ store: NSPersistentStore, tag: Int, _ entities: Set<String>?) {
        // SAFETY: the mutex guards it from here on.
        let owner = UncheckedTransfer(coordinator)
        store.change { state in
            state.coordinator = owner.value
            state.tag = tag
            state.entityNames = entities
        }
    }

    func add(_ further: FurtherStore) {
        coordinator.changeStores { stores in
            stores.all.append(further.store)
            stores.further[further.tag - 1] = further
        }
    }
}
