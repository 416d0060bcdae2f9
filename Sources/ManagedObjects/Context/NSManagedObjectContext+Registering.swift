// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

extension NSManagedObjectContext {
    /// Registers a new object: temporary key, defaults, `awakeFromInsert`.
    final func insertNew(_ object: NSManagedObject) {
        precondition(
            !object.runtime.entity.isAbstract,
            "entity \(object.runtime.entity.name) is abstract; insert an object of a subentity")
        register(object, key: makeTemporaryKey())
        checkQueue(object)
        object.awakeFromInsert()
    }

    /// Registers an object as inserted under a key.
    @inline(__always)
    final func register(_ object: NSManagedObject, key: ObjectKey) {
        object.context = self
        object.key = key
        if object.draft == nil { object.draft = object.runtime.makeDraft() }
        object.flags = [.inserted, .eventInserted]
        registry.insert(object, for: object.key)
        retainIfAsked(object)
        changes.inserted.append(object)
    }

    final func makeTemporaryKey() -> ObjectKey {
        if nextTemporaryRow & 0xFFFF == 0 {
            let block = NSManagedObjectContext.temporaryBlocks.add(1, ordering: .relaxed).oldValue
            nextTemporaryRow = block << 16 | 1
        }
        defer { nextTemporaryRow += 1 }
        return ObjectKey(rawValue: ObjectKey.temporaryBit | nextTemporaryRow)
    }

    /// Inserts an object made without a context, or cancels the deletion of one.
    public final func insert(_ object: NSManagedObject) {
        if object.context === self {
            if object.flags.contains(.deleted) { revive(object, reconnects: true) }
            return
        }
        precondition(
            object.context == nil, "\(object.objectID) belongs to another context; insert a copy")
        if object.key.rawValue == 0 { return insertNew(object) }
        // It was an object of a context before: partners that it still knows lead to it again.
        if !object.key.isTemporary { object.extras?.dropMembers() }
        insertNew(object)
        if let permanent = object.extras?.reservedKey { reserved[permanent] = object }
        object.dropLostPartners()
        object.reconnectPartners()
    }

    /// Notes that an object is about to change.
    final func noteChange(of object: NSManagedObject) {
        checkQueue(object)
        if let eventCapture { eventCapture.note(object) }
        object.flags.insert(.eventUpdated)
        changes.eventUpdated.append(object)
        guard object.flags.isDisjoint(with: [.inserted, .updated]) else { return }
        object.flags.insert(.updated)
        changes.updated.append(object)
    }

    /// The object of a key: the registered one, or a new fault.
    final func object(for key: ObjectKey) -> NSManagedObject? {
        if let object = registry[key] { return object }
        if let source { return inheritedObject(for: key, source) }
        if key.isTemporary { return nil }
        if let object = reserved[key] { return object }
        guard let store = persistentStore?.store, let ordinal = store.ordinal(of: key.entity) else {
            return nil
        }
        return makeFault(key, model.runtimes[ordinal])
    }

    /// Makes an unregistered object's fault; the key must not be registered.
    final func makeFault(_ key: ObjectKey, _ runtime: EntityRuntime) -> NSManagedObject {
        makeFault(key, runtime.objectClass, runtime.description)
    }

    /// Makes and registers a fault; what its initialiser may have set is not kept.
    @inline(__always)
    final func makeFault(
        _ key: ObjectKey, _ type: NSManagedObject.Type, _ entity: NSEntityDescription
    ) -> NSManagedObject {
        isMakingFault = true
        let object = type.init(entity: entity, insertInto: self)
        object.key = key
        object.flags = .fault
        if object.draft != nil { object.draft = nil }
        registry.insert(object, for: key)
        retainIfAsked(object)
        return object
    }

    /// Whether the object that is being initialised is the fault that was asked for.
    @inline(__always)
    final func takeFaultRequest() -> Bool {
        let isFault = isMakingFault
        isMakingFault = false
        return isFault
    }

    /// The object with an ID: the registered one, or a fault.
    ///
    /// Never fails and never touches the store, even for an ID that no object has; firing such a
    /// fault reads nil values, see ``shouldDeleteInaccessibleFaults``. Traps for an ID of another
    /// store, whose rows have nothing to do with this one's.
    public final func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue()
        precondition(
            isOwn(objectID), "\(objectID) is not of the context's store; fetch it from its own")
        adoptIfNeeded()
        let key = objectID.currentKey
        if let object = registry[key] ?? reserved[key] { return object }
        if key.isTemporary, let object = known(key) { return object }
        let runtime = self.runtime(for: objectID.entity)
        return makeFault(key, runtime)
    }

    /// The registered object with an ID, without any look at the store.
    public final func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue()
        guard isOwn(objectID) else { return nil }
        adoptIfNeeded()
        return known(objectID.currentKey)
    }

    /// Whether an ID can name an object here: a temporary one, or one of the coordinator's store.
    private final func isOwn(_ objectID: NSManagedObjectID) -> Bool {
        guard let store = objectID.store, store !== knownStore else { return true }
        guard let own = persistentStore else { return true }
        // A file that was closed and opened again has the same identity.
        guard own === store || own.identifier == store.identifier else { return false }
        knownStore = store
        return true
    }

    /// The object with an ID, with its values.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) when there is none.
    public final func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        guard isOwn(objectID) else { throw missingObject(objectID) }
        let object = self.object(with: objectID)
        guard object.flags.contains(.fault) else {
            if object.flags.contains(.inaccessible) { throw missingObject(objectID) }
            return object
        }
        try moveSnapshotIfOutdated()
        guard try bindThrowing(object) else { throw missingObject(objectID) }
        finishFiring(object)
        return object
    }

    private final func missingObject(_ objectID: NSManagedObjectID) -> CocoaError {
        CoreDataError.make(
            .managedObjectReferentialIntegrity,
            "there is no object \(objectID.uriRepresentation()) in the store",
            [NSAffectedObjectsErrorKey: [objectID]])
    }

    /// Gives inserted objects their permanent IDs before the save.
    ///
    /// The objects stay inserted; nothing of them is written yet. Objects that have a permanent ID
    /// are skipped.
    public final func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        var known: Set<ObjectKey> = []
        adoptIfNeeded()
        var fresh = objects.filter {
            $0.key.isTemporary && $0.extras?.reservedKey == nil && known.insert($0.key).inserted
        }
        if let source { fresh = try reserveKeysInParent(fresh, source) }
        guard !fresh.isEmpty else { return }
        let store = try requireStore()
        let groups = Dictionary(grouping: fresh) { $0.runtime.ordinal }
        let (rows, transactionID) = try CoreDataError.mapping {
            try store.write { transaction in
                let rows = try groups.mapValues { objects in
                    try transaction.allocateRows(
                        objects.count, in: store.tables[objects[0].runtime.ordinal])
                }
                return (rows, transaction.transactionID)
            }
        }
        persistentStoreCoordinator?.changeLog.append(transactionID, [])
        for (ordinal, objects) in groups {
            guard var row = rows[ordinal] else { continue }
            for object in objects {
                let key = ObjectKey(entity: store.tables[ordinal].number, row: row)
                object.requireExtras().reserve(key)
                reserved[key] = object
                row += 1
            }
        }
    }

    /// The open store; throws when none was loaded.
    final func requireStore() throws -> Store {
        guard let store = persistentStore?.store else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "the context's coordinator has no store; call loadPersistentStores first")
        }
        return store
    }
}
