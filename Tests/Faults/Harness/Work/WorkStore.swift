// SPDX-License-Identifier: Apache-2.0

import Lode

/// An open store and a context for it.
final class WorkStore {
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext
    /// The world of the context, once it was asked for; used on the context's queue.
    var world: World?

    init(
        _ path: String, model: NSManagedObjectModel = WorkModel.make(),
        _ options: [AnyHashable: Any] = [:]
    ) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
            options: options)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Another context of the same coordinator.
    init(besides other: WorkStore) {
        (coordinator, store) = (other.coordinator, other.store)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Closes the file; unsaved changes are lost.
    func close() throws {
        context.performAndWait {
            context.reset()
            world = nil
        }
        try coordinator.remove(store)
    }

    /// Runs a body with an open store, and closes it.
    static func with<Result>(
        _ path: String, model: NSManagedObjectModel = WorkModel.make(),
        _ options: [AnyHashable: Any] = [:], _ body: (WorkStore) throws -> Result
    ) throws -> Result {
        let store = try WorkStore(path, model: model, options)
        let result: Result
        do { result = try body(store) } catch {
            try? store.close()
            throw error
        }
        try store.close()
        return result
    }

    /// All objects of an entity.
    func all<Object: NSManagedObject>(
        _ entity: String, _ predicate: NSPredicate? = nil, by key: String? = nil
    ) throws -> [Object] {
        let request = NSFetchRequest<Object>(entityName: entity)
        request.predicate = predicate
        if let key { request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)] }
        return try context.fetch(request)
    }
}
