// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectTable
import Schema
import Store
import Synchronization
import Traps

/// The owner of a model's open stores, shared by all contexts.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
/// try coordinator.addPersistentStore(type: .sqlite, at: url)
/// let context = NSManagedObjectContext(.privateQueue)
/// context.persistentStoreCoordinator = coordinator
/// ```
///
/// It compiles and freezes its model. Any thread may use it.
// SAFETY: all is set once, atomic or behind a lock, but for the name, which the program sets before
// others use the coordinator. A subclass answers for its own state.
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
    let registrySegments = RegistrySegmentPool<NSManagedObject>()
    /// The stores, as they are added and removed.
    final let stores = Mutex(StoreList())
    /// Whether there are stores beside the main one; asked with each fetch and save.
    private let hasFurther = Atomic<Bool>(false)
    // Raised before a main store goes, read by contexts of any thread.
    private let mainLosses = Atomic<Int>(0)
    // Recursive, as blocks of `performAndWait` nest.
    private let lock = NSRecursiveLock()
    private let queue = DispatchQueue(label: "lode.coordinator")

    /// Makes a coordinator without a store; traps for a model that breaks a rule.
    public convenience init(managedObjectModel model: NSManagedObjectModel) {
        self.init(using: model)
        LoadedModels.note(model)
    }

    /// Makes a coordinator whose model names no classes of the program's.
    init(using model: NSManagedObjectModel) {
        _ = FoundationPredicates.areMended
        managedObjectModel = model
        do {
            compiledModel = try model.compile()
        } catch {
            trap("the model cannot be used: \(error)")
        }
        super.init()
    }

    /// The loaded stores, in the order in which they were added.
    open var persistentStores: [NSPersistentStore] { stores.withLock { $0.all } }

    /// The main store: the first file that holds all entities of the model.
    final var firstStore: NSPersistentStore? { stores.withLock { $0.main } }

    final var hasFurtherStores: Bool { hasFurther.load(ordering: .relaxed) }

    /// How many main stores were removed: a context compares it with what it has seen.
    final var lostMainCount: Int { mainLosses.load(ordering: .acquiring) }

    final func loseMainStore() { mainLosses.add(1, ordering: .acquiringAndReleasing) }

    /// The store of a tag; `nil` for the main one's, 0, and for a store that was removed.
    final func further(_ tag: Int) -> FurtherStore? {
        tag == 0 ? nil : stores.withLock { $0.further[safe: tag - 1].flatMap { $0 } }
    }

    final func changeStores(_ body: (inout StoreList) -> Void) {
        let isAny = stores.withLock { stores in
            body(&stores)
            return stores.further.contains { $0 != nil }
        }
        hasFurther.store(isAny, ordering: .relaxed)
    }

    /// Opens a store, creating it if need be.
    ///
    /// The first file that holds all entities is the coordinator's main store. Further files, and
    /// files of a configuration, are read in place as well.
    ///
    /// - Parameters:
    ///   - storeType: ``NSSQLiteStoreType`` for a file, ``NSInMemoryStoreType`` for memory, or the
    ///     type of a registered class.
    ///   - configuration: Which entities the store holds; nil for all.
    ///   - storeURL: The file; `/dev/null` stands for memory.
    ///   - options: ``NSReadOnlyPersistentStoreOption``, ``LodeDurabilityOption``, and the others
    ///     whose names end in `Option`.
    /// - Throws: 134000 for an unknown type, 134080 for a file that is no store or a newer one,
    ///   134100 for a store of another model, and if it is to be migrated 134140 where no mapping
    ///   can be inferred and 134110 where its objects or the file do not allow it, 134070 for a
    ///   store that is added already and for other failures, and what a store of the program's own
    ///   throws.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try performAndWait {
            try StoreAddition(
                coordinator: self, type: storeType, configuration: configuration, url: storeURL,
                options: options
            ).run()
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

    /// Opens the store that a description names and calls a block with the outcome.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        do {
            try addPersistentStore(
                ofType: storeDescription.type, configurationName: storeDescription.configuration,
                at: storeDescription.url, options: storeDescription.openingOptions)
            block(storeDescription, nil)
        } catch {
            block(storeDescription, error)
        }
    }

    /// Closes a store.
    ///
    /// Its objects leave all contexts and have no values any more, as after a reset; changes of
    /// them that were not saved are lost, new objects stay. A context that another thread uses at
    /// that time keeps what it has until its next fetch or fault. Without the store there, reading
    /// a fault gives nil, and saving throws 134070; so does fetching, once no store is left. A
    /// fault that was made or read meanwhile has its values when the same file is added again.
    ///
    /// - Throws: 134070 for a store that is not the coordinator's.
    open func remove(_ store: NSPersistentStore) throws {
        try performAndWait { try StoreAddition.remove(store, from: self) }
    }

    /// The loaded store of a file, by any path of it: a relative one, or through symbolic links.
    open func persistentStore(for URL: URL) -> NSPersistentStore? {
        let stores = persistentStores
        if let found = stores.first(where: { $0.url == URL }) { return found }
        guard URL.isFileURL else { return nil }
        let path = URL.canonicalPath
        return stores.first {
            guard let known = $0.url, known.isFileURL else { return false }
            return known.canonicalPath == path
        }
    }

    /// The file of a store.
    open func url(for store: NSPersistentStore) -> URL {
        store.url ?? URL(fileURLWithPath: "/dev/null")
    }

    /// The metadata of a store.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// The object ID of a URI; `nil` when no loaded store or no entity fits.
    ///
    /// Does not look whether the object exists.
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        guard let uri = ObjectURI(url),
            let store = persistentStores.first(where: { uri.isOf(store: $0.identity) }),
            let runtime = compiledModel.runtime(named: uri.entity), holds(runtime, in: store)
        else { return nil }
        let found: ObjectKey?
        if let store = store as? any ReferencingStore {
            found = store.references.key(
                for: .init(uriText: uri.name), tag: store.tag, runtime)
        } else {
            guard let row = uri.row else { return nil }
            found = key(row: row, runtime, in: store)
        }
        return found.map { NSManagedObjectID(key: $0, runtime: runtime, store: store) }
    }

    /// Runs a block while no other block of the coordinator runs; may be nested.
    open func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try block()
    }

    /// Runs a block that neither returns nor throws while no other block of the coordinator runs.
    @_disfavoredOverload
    // Disfavoured, as a closure that throws in the argument of a macro only seems not to throw.
    open func performAndWait(_ block: () -> Void) {
        lock.lock()
        defer { lock.unlock() }
        block()
    }

    /// Runs a block later, one at a time.
    open func perform(_ block: @escaping @Sendable () -> Void) {
        queue.async { self.performAndWait(block) }
    }
}
