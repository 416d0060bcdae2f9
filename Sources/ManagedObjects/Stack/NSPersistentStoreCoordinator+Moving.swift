// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store

/// Stores that move: to another file, in the place of another, as another kind.
extension NSPersistentStoreCoordinator {
    /// Changes where a store of the program's own is; its next save goes there.
    ///
    /// - Returns: False for a file of the library's, which stays where it is: use
    ///   ``migratePersistentStore(_:to:options:type:)``.
    public final func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        guard store.isCustom else { return false }
        store.url = url
        return true
    }

    /// Saves a store under another name or as another kind: the new store takes its place.
    ///
    /// A file is copied as it is, and keeps its identity: URIs of its objects stay valid. Between
    /// kinds, each object is copied and gets another ID; that is refused for a store with
    /// components, which know their game objects or their data by IDs. Metadata goes along, saved
    /// or not. The old store is removed from the coordinator, with what ``remove(_:)`` says of
    /// contexts; its file stays.
    ///
    /// - Parameters:
    ///   - store: A store of this coordinator.
    ///   - URL: Where the new one goes; nothing may be there but the file of a destroyed
    ///     store.
    ///   - options: The options that the new one is added with.
    ///   - storeType: The kind of the new one.
    /// - Throws: 134070 where a file is in the way, and what copying, adding and saving throw. The
    ///   old store is still there then, unless a copied file could not be added.
    @discardableResult
    public final func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil,
        withType storeType: String
    ) throws -> NSPersistentStore {
        try performAndWait {
            guard persistentStores.contains(where: { $0 === store }) else {
                throw StoreRemoval.error(store)
            }
            let isInMemory = storeType == NSInMemoryStoreType
            let isFile = [NSSQLiteStoreType, LodeStoreType].contains(storeType)
            if isFile { _ = try URL.storePath() }
            // The path of a service's URL would name a file here by chance.
            let isHere = !isInMemory && URL.isFileURL
            if isHere { try StoreDestruction.removeEmpty(URL) }
            guard !isHere || !FileManager.default.fileExists(atPath: URL.path) else {
                throw CoreDataError.make(
                    .persistentStoreOperation,
                    "\(URL.path) exists; destroy it first, or choose another place",
                    [NSFilePathErrorKey: URL.path])
            }
            let configuration = store.read { $0.entityNames } == nil ? nil : store.configurationName
            let addition = StoreAddition(
                coordinator: self, type: storeType, configuration: configuration, url: URL,
                options: options)
            if isFile, let file = store.store {
                try CoreDataError.mapping { try file.copy(to: URL.path) }
                do { try store.writePendingMetadata(intoCopyAt: URL) } catch {
                    try FileManager.default.removeItem(at: URL)
                    throw error
                }
                try remove(store)
                return try addition.run()
            }
            try store.refuseToLeaveComponents()
            try StoreCopy(coordinator: self, source: store, destination: store)
                .refuseReferencesByID()
            let added = try addition.run()
            do {
                try StoreCopy(coordinator: self, source: store, destination: added).run()
                try added.savePendingMetadata()
            } catch {
                try remove(added)
                throw error
            }
            try remove(store)
            return added
        }
    }

    /// Saves a store under another name or as another kind: the new store takes its place.
    @discardableResult
    public final func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(
            store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    /// Puts a copy of a store in the place of another, which is destroyed.
    ///
    /// The copy has the identity of its source. It takes the place in one step: whoever opens the
    /// destination finds the former store or the copy, also where this is killed. Others that have
    /// it open keep its former contents. A store of this coordinator at the destination is removed
    /// first, and has to be added again. Where a symbolic link is at the destination, the file that
    /// it leads to is replaced.
    ///
    /// - Throws: 134080 for a source that is no store, and for a URL of no file; 134070 for a
    ///   destination that is a folder, a device or a pipe; what copying throws. The destination is
    ///   as it was then.
    public final func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        ofType storeType: String
    ) throws {
        try performAndWait {
            let isOwn = RegisteredStores.storeClass(for: storeType) == nil
            let source =
                isOwn ? try StoreMetadata.open(sourceURL, type: storeType, isReadOnly: true) : nil
            // Files are copied, whatever the type.
            for url in [sourceURL, destinationURL] { _ = try url.storePath() }
            try FileManager.default.createDirectory(
                at: destinationURL.deletingLastPathComponent(), withIntermediateDirectories: true)
            try StoreDestruction.replace(destinationURL) { copy in
                guard let source else {
                    return try FileManager.default.copyItem(at: sourceURL, to: copy)
                }
                try source.copy(to: copy.path)
            } prepare: {
                if let loaded = persistentStore(for: destinationURL) { try remove(loaded) }
            }
        }
    }

    /// Puts a copy of a store in the place of another, which is destroyed.
    public final func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type sourceType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions,
            withPersistentStoreFrom: sourceURL, sourceOptions: sourceOptions,
            ofType: sourceType.rawValue)
    }
}

/// Copies all objects of one store of a coordinator into another one.
private struct StoreCopy {
    let coordinator: NSPersistentStoreCoordinator
    let source: NSPersistentStore
    let destination: NSPersistentStore

    func run() throws {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        // What was set on the source goes to the destination alone.
        context.saving.writesMetadata = false
        try context.performAndWait {
            var copies: [NSManagedObjectID: NSManagedObject] = [:]
            var pairs: [(NSManagedObject, NSManagedObject)] = []
            for runtime in coordinator.compiledModel.runtimes where !runtime.entity.isAbstract {
                for object in try objects(of: runtime, context) {
                    let copy = copy(object, into: context)
                    copies[object.objectID] = copy
                    pairs.append((object, copy))
                }
            }
            for (object, copy) in pairs { connect(copy, as: object, copies) }
            destination.metadata = source.metadata
            try context.save()
        }
    }

    /// Refuses objects that name others by their IDs, which the copies do not have.
    func refuseReferencesByID() throws {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for runtime in coordinator.compiledModel.runtimes
            where !runtime.entity.isAbstract && runtime.objectClass is any DerivedEntries.Type {
                guard let request = request(of: runtime), try context.count(for: request) > 0
                else { continue }
                throw CoreDataError.make(
                    .persistentStoreOperation,
                    "\(source.url?.path ?? source.identity) has objects of \(runtime.name), which "
                        + "name their data by IDs that only a file of the same kind can keep; "
                        + "migrate to a store of \(LodeStoreType), or remove them first")
            }
        }
    }

    private func objects(
        of runtime: EntityRuntime, _ context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        try request(of: runtime).map { try context.fetch($0) } ?? []
    }

    /// A request for the source's objects of exactly one entity; nil where it can have none.
    private func request(of runtime: EntityRuntime) -> NSFetchRequest<NSManagedObject>? {
        guard coordinator.holds(runtime, in: source) else { return nil }
        let request = NSFetchRequest<NSManagedObject>(entityName: runtime.name)
        request.includesSubentities = false
        request.includesPendingChanges = false
        request.affectedStores = [source]
        return request
    }

    private func copy(
        _ object: NSManagedObject, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        let runtime = object.runtime
        let copy = runtime.objectClass.init(entity: runtime.description, insertInto: context)
        context.assign(copy, to: destination)
        for (position, field) in runtime.fields.enumerated()
        where field.isStored && !field.isRelationship {
            copy.setField(position, object.fieldValue(position))
        }
        return copy
    }

    private func connect(
        _ copy: NSManagedObject, as object: NSManagedObject,
        _ copies: [NSManagedObjectID: NSManagedObject]
    ) {
        for relationship in object.runtime.toOneRelationships where relationship.isStored {
            guard let target = object.destination(relationship.field) else { continue }
            copy.setDestination(relationship, copies[target.objectID])
        }
        for relationship in object.runtime.toManyRelationships where relationship.isStored {
            let members = object.destinations(relationship).compactMap { copies[$0.objectID] }
            if relationship.isOrdered {
                copy.replaceInOrder(members, of: relationship)
            } else {
                for member in members { copy.insert(member, into: relationship) }
            }
        }
    }
}
