// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store
import Synchronization

/// The owner of a model's open store, shared by all contexts.
///
/// It compiles and freezes its model. Any thread may use it.
// Sendable because all is immutable but the list of stores, which a mutex guards.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    /// The model.
    public let managedObjectModel: NSManagedObjectModel
    /// A name for logs; set before others use the coordinator.
    open var name: String?
    let compiledModel: CompiledModel
    let changeLog = ChangeLog()
    /// The contexts that merge each other's saves.
    let mergeListeners = MergeListeners()
    let snapshotOwners = SnapshotOwners()
    let registrySegments = RegistrySegmentPool()
    private let stores = Mutex<[NSPersistentStore]>([])
    // Recursive, as blocks of `performAndWait` nest.
    private let lock = NSRecursiveLock()
    private let queue = DispatchQueue(label: "lode.coordinator")

    /// Makes a coordinator without a store; traps for a model that breaks a rule.
    public init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        do {
            compiledModel = try model.compile()
        } catch {
            preconditionFailure("the model cannot be used: \(error)")
        }
        LoadedModels.note(model)
        super.init()
    }

    /// The loaded stores.
    open var persistentStores: [NSPersistentStore] { stores.withLock { $0 } }

    final var firstStore: NSPersistentStore? { stores.withLock { $0.first } }

    /// Opens a store, creating it if need be.
    ///
    /// - Parameters:
    ///   - storeType: ``NSSQLiteStoreType`` for a file, ``NSInMemoryStoreType`` for memory.
    ///   - configuration: Must be nil: model configurations are not supported yet.
    ///   - storeURL: The file; `/dev/null` stands for memory.
    ///   - options: ``NSReadOnlyPersistentStoreOption`` and ``LodeDurabilityOption``.
    /// - Throws: 134000 for an unknown type, 134080 for a file that is no store or a newer one,
    ///   134100 for a store of another model, 134070 for other failures.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try performAndWait {
            guard persistentStores.isEmpty else {
                throw CoreDataError.make(
                    .persistentStoreOperation,
                    "the coordinator has a store already; use a coordinator for each store")
            }
            let store = try StoreOpening(
                type: storeType, url: storeURL, options: options ?? [:], model: compiledModel
            ).open(configuration: configuration)
            try store.watch(for: self)
            stores.withLock { $0.append(store) }
            return store
        }
    }

    /// Opens a store, creating it if need be.
    @discardableResult
    open func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Opens the store that a description names and tells how it went.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        do {
            try addPersistentStore(
                ofType: storeDescription.type, configurationName: storeDescription.configuration,
                at: storeDescription.url, options: storeDescription.options)
            block(storeDescription, nil)
        } catch {
            block(storeDescription, error)
        }
    }

    /// Closes a store; objects of it have no values any more.
    open func remove(_ store: NSPersistentStore) throws {
        stores.withLock { $0.removeAll { $0 === store } }
        store.close()
    }

    /// The loaded store of a file.
    open func persistentStore(for URL: URL) -> NSPersistentStore? {
        persistentStores.first { $0.url == URL }
    }

    /// The file of a store.
    open func url(for store: NSPersistentStore) -> URL {
        store.url ?? URL(fileURLWithPath: "/dev/null")
    }

    /// What a store says of itself.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// The object ID of a URI; `nil` when no loaded store or no entity fits.
    ///
    /// Does not look whether the object exists.
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        guard url.scheme == "x-coredata", let host = url.host,
            let store = persistentStores.first(where: {
                $0.identifier.caseInsensitiveCompare(host) == .orderedSame
            }), let opened = store.store
        else { return nil }
        let parts = url.path.split(separator: "/")
        guard parts.count == 2, parts[1].hasPrefix("p"), let row = UInt64(parts[1].dropFirst()),
            row > 0, row < ObjectKey.temporaryBit,
            let runtime = compiledModel.runtime(named: String(parts[0]))
        else { return nil }
        let key = ObjectKey(entity: opened.tables[runtime.ordinal].number, row: row)
        return NSManagedObjectID(key: key, runtime: runtime, store: store)
    }

    /// Runs a block while no other block of the coordinator runs; may be nested.
    open func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try block()
    }

    /// Runs a block later, one at a time.
    open func perform(_ block: @escaping @Sendable () -> Void) {
        queue.async { self.performAndWait(block) }
    }
}
