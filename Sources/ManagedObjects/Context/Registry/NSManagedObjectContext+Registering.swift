// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store
import Traps

extension NSManagedObjectContext {
    /// Registers a new object: temporary key, defaults, `awakeFromInsert`.
    final func insertNew(_ object: NSManagedObject) {
        insertNew(object, under: making.temporaryKeys.next())
    }

    @inline(__always)
    private final func insertNew(_ object: NSManagedObject, under key: ObjectKey) {
        requireConcrete(object)
        noteUse()
        register(object, key: key)
        checkQueue(object)
        object.awakeFromInsert()
        object.countPrimitives()
    }

    /// Registers an object as inserted under a key.
    @inline(__always)
    final func register(_ object: NSManagedObject, key: ObjectKey) {
        object.context = self
        object.key = key
        if !object.hasDraft {
            // SAFETY: the object keeps its runtime, see `runtimeReference`.
            object.draft = object.runtimeReference._withUnsafeGuaranteedRef { $0.makeDraft() }
        }
        object.flags = [.inserted, .eventInserted]
        registry.insert(object, for: object.key)
        retainIfAsked(object)
        beginEvent()
        changes.inserted.append(object)
        noteIndexable(object)
    }

    /// Does what ``insert(_:)`` says.
    final func insertObject(_ object: NSManagedObject) {
        if object.context === self {
            if object.flags.contains(.deleted) { revive(object, reconnects: true) }
            return
        }
        require(
            object.context == nil, "\(object.objectID) belongs to another context; insert a copy")
        if object.extras?.companions.isEmpty == false { return insertGraph(object.detachedGraph) }
        if object.flags.contains(.fresh) { return insertNew(object, under: object.key) }
        // It was an object of a context before: partners that it still knows lead to it again.
        forgetFormerContext(object)
        insertNew(object)
        if let permanent = object.reservedKey { reserve(permanent, for: object) }
        object.dropLostPartners()
        object.reconnectPartners()
    }

    /// Inserts related objects, which know one another by the time of their first hook.
    private final func insertGraph(_ graph: [NSManagedObject]) {
        noteUse()
        for object in graph {
            requireConcrete(object)
            if object.flags.contains(.fresh) {
                register(object, key: object.key)
                continue
            }
            forgetFormerContext(object)
            register(object, key: making.temporaryKeys.next())
            if let permanent = object.reservedKey { reserve(permanent, for: object) }
        }
        for object in graph {
            checkQueue(object)
            for companion in object.extras?.companions.values.map({ $0 }) ?? [] {
                require(
                    companion.context === self || companion.context == nil,
                    "\(object.objectID) cannot be inserted: it leads to \(companion.objectID) of "
                        + "another context")
            }
            object.settleCompanions()
        }
        for object in graph {
            object.dropLostPartners()
            object.reconnectPartners()
        }
        for object in graph where object.context === self {
            object.awakeFromInsert()
            object.countPrimitives()
        }
    }

    /// Drops what an object has kept of a context that it was registered in before.
    private final func forgetFormerContext(_ object: NSManagedObject) {
        if !object.key.isTemporary { object.extras?.dropMembers() }
        // Another context's stamp says nothing about bytes, and may be the same number.
        object.extras?.ownedRecord = nil
        object.record = nil
        object.boundStamp = 0
        object.readStamp = 0
    }

    @inline(__always)
    private final func requireConcrete(_ object: NSManagedObject) {
        // SAFETY: the object keeps its runtime, see `runtimeReference`.
        require(
            !object.runtimeReference._withUnsafeGuaranteedRef({ $0.isAbstract }),
            "entity \(object.runtime.entity.name) is abstract; insert an object of a subentity")
    }

    /// The object of a key: the registered one, or a new fault.
    final func object(for key: ObjectKey) -> NSManagedObject? {
        if let object = registry[key] { return object }
        if let source { return inheritedObject(for: key, source) }
        if key.isTemporary { return nil }
        if let object = reserved[key] { return object }
        return runtime(of: key).map { makeFault(key, $0) }
    }

    /// Makes an unregistered object's fault; the key must not be registered.
    ///
    /// - Parameter runtime: The one that the context's model has for the entity.
    final func makeFault(_ key: ObjectKey, _ runtime: EntityRuntime) -> NSManagedObject {
        // SAFETY: see `knownRuntime`. The initialiser has no need to look for it then: objects of
        // two entities are often asked for by turns.
        making.knownRuntime = Unmanaged.passUnretained(runtime)
        return makeFault(key, runtime.objectClass, runtime.description)
    }

    /// Makes and registers a fault; what its initialiser may have set is not kept.
    ///
    /// The caller keeps the context and the entity, see ``initialiseFault(_:_:)``.
    @inline(__always)
    final func makeFault(
        _ key: ObjectKey, _ type: NSManagedObject.Type, _ entity: NSEntityDescription
    ) -> NSManagedObject {
        let object = makeOwnFault(key, type, entity)
        if key.isElsewhere, source == nil {
            noticeDepartures()
            try? rows(key.tag).didRegister(key)
        }
        return object
    }

    /// Makes and registers a fault without telling a further file of it.
    ///
    /// As ``makeFault(_:_:_:)`` in all else.
    @inline(__always)
    final func makeOwnFault(
        _ key: ObjectKey, _ type: NSManagedObject.Type, _ entity: NSEntityDescription
    ) -> NSManagedObject {
        let object = initialiseFault(type, entity)
        object.key = key
        object.flags = .fault
        if object.hasDraft { object.draft = nil }
        registry.insert(object, for: key)
        retainIfAsked(object)
        return object
    }

    /// The object with an ID: the registered one, or a fault.
    ///
    /// Never fails and never touches the store, even for an ID that no object has; firing such a
    /// fault reads nil values, see ``shouldDeleteInaccessibleFaults``. Traps for an ID of another
    /// store, whose rows have nothing to do with this one's.
    public final func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue()
        noteUse()
        guard let key = ownKey(objectID) else {
            trap(
                "\(objectID) is not of the context's stores; fetch it from its own")
        }
        return object(with: objectID, key)
    }

    /// - Parameter key: The ID's, as the context has it.
    private final func object(
        with objectID: NSManagedObjectID, _ key: ObjectKey
    ) -> NSManagedObject {
        adoptIfNeeded()
        if let object = registry[key] ?? reserved[key] {
            return isStranger(objectID, to: object) ? makeStranger(objectID) : object
        }
        let runtime = self.runtime(for: objectID.entity)
        if let source {
            let object = inheritedObject(for: key, runtime, source)
            if readPoint.hasStrays { noteStray(object, objectID) }
            return object
        }
        if key.isTemporary, let object = known(key) { return object }
        if snapshot == nil { hearOfRemovals() }
        let object = makeFault(key, runtime)
        if readPoint.hasStrays { noteStray(object, objectID) }
        return object
    }

    /// Has the removal of a store find the context, which has objects and no snapshot yet.
    private final func hearOfRemovals() {
        guard !readPoint.hearsOfRemovals else { return }
        readPoint.hearsOfRemovals = true
        snapshotOwner.attach(self)
        persistentStoreCoordinator?.snapshotOwners.add(snapshotOwner)
    }

    /// The registered object with an ID, without any look at the store.
    public final func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue()
        noteUse()
        guard let key = ownKey(objectID) else { return nil }
        adoptIfNeeded()
        guard let object = known(key), !isStranger(objectID, to: object) else { return nil }
        return object
    }

    /// The key of an ID that can name an object here: a temporary one, or one of a store of the
    /// coordinator.
    private final func ownKey(_ objectID: NSManagedObjectID) -> ObjectKey? {
        // As it nearly always is.
        if let store = objectID.store, store === readPoint.knownStore { return objectID.key }
        guard let store = objectID.currentStore, store !== readPoint.knownStore else {
            return objectID.currentKey
        }
        // Before an object of a new main store comes among those of the former one.
        noticeRemovalsIfAny()
        let key = objectID.currentKey
        guard persistentStore != nil || hasFurtherStores else {
            readPoint.hasStrays = true
            return key
        }
        let lostBefore = lostMainCount
        // A file that was closed and opened again has the same identity.
        if let found = localKey(of: objectID) {
            if found == key { readPoint.knownStore = store }
            return found
        }
        // Another thread has removed the main store meanwhile: as if there had been none.
        guard lostMainCount == lostBefore else {
            readPoint.hasStrays = true
            return key
        }
        // A store that was removed here: no other object has the key, as tags are not given twice.
        guard key.isElsewhere, let coordinator = persistentStoreCoordinator else { return nil }
        return coordinator.hasTag(key.tag, for: store) ? key : nil
    }

    /// Does what ``existingObject(with:)`` says.
    final func findObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        checkQueue()
        noteUse()
        // A temporary ID may be of an object of another model.
        guard let key = ownKey(objectID), !objectID.isTemporaryID || hasEntity(of: objectID)
        else { throw missingObject(objectID) }
        let object = self.object(with: objectID, key)
        guard object.context === self else { throw StoreRemoval.error(objectID.currentStore) }
        if object.flags.contains(.gone) { try moveSnapshotIfOutdated() }
        guard object.flags.contains(.fault) else {
            guard object.flags.contains(.inaccessible) else { return object }
            guard object.isUnread, try bindNewest(object) else { throw missingObject(objectID) }
            object.flags.remove(.inaccessible)
            return object
        }
        guard try bindNewest(object) else { throw missingObject(objectID) }
        finishFiring(object)
        return object
    }

    private final func hasEntity(of objectID: NSManagedObjectID) -> Bool {
        model.runtime(named: objectID.runtime.entity.name) != nil
    }

    private final func missingObject(_ objectID: NSManagedObjectID) -> CocoaError {
        CoreDataError.make(
            .managedObjectReferentialIntegrity,
            "there is no object \(objectID.uriRepresentation()) in the store",
            [NSAffectedObjectsErrorKey: [objectID]])
    }

    /// Does what ``obtainPermanentIDs(for:)`` says.
    final func reserveIDs(of objects: [NSManagedObject]) throws {
        // Rows are of the store that is there now.
        noticeRemovalsIfAny()
        guard source != nil || hasFurtherStores else { return try reserveRows(of: objects) }
        var known: Set<ObjectKey> = []
        adoptIfNeeded()
        var fresh = objects.filter {
            $0.context === self && $0.isWithoutID && known.insert($0.key).inserted
        }
        if let source {
            try source.reserve(fresh.filter { !$0.isInserted })
            fresh.removeAll { !$0.isInserted }
        }
        if hasFurtherStores { fresh = try reserveElsewhere(fresh) }
        if !fresh.isEmpty { try MainRows(self).reserve(fresh) }
    }

    /// Gives one object its permanent ID, without the lists that several need.
    ///
    /// - Returns: Whether nothing can refer to the ID yet, as its row was reserved just now.
    @discardableResult
    package final func obtainPermanentID(for object: NSManagedObject) throws -> Bool {
        guard source == nil, !hasFurtherStores else {
            try obtainPermanentIDs(for: [object])
            return false
        }
        guard object.isWithoutID else { return false }
        noticeRemovalsIfAny()
        try reserveRow(of: object, in: requireStore())
        return true
    }

    private final func reserveRow(of object: NSManagedObject, in store: Store) throws {
        let table = store.tables[object.runtimeOrdinal]
        let (row, transactionID) = try CoreDataError.mapping { try store.reserveRow(in: table) }
        if let transactionID {
            persistentStoreCoordinator?.changeLog.append(transactionID, [])
        }
        reserve(ObjectKey(entity: table.number, row: row), for: object)
    }

    /// Gives unsaved objects their permanent IDs by one reservation.
    ///
    /// - Parameters:
    ///   - objects: Any objects; those of another context are left alone.
    ///   - body: Called with each of the objects in turn, and with whether nothing can refer to
    ///     its ID yet, as its row was reserved just now and was not handed to the body before.
    package final func obtainPermanentIDs(
        for objects: [NSManagedObject], _ body: (NSManagedObject, _ isNew: Bool) throws -> Void
    ) throws {
        guard source == nil, !hasFurtherStores else {
            try obtainPermanentIDs(for: objects.filter { $0.context === self })
            for object in objects { try body(object, false) }
            return
        }
        noticeRemovalsIfAny()
        guard objects.count <= UInt64.bitWidth else { return try reserveRows(of: objects, body) }
        // Few objects need no lists: a bit tells which of them have just got their IDs.
        let store = try requireStore()
        var new: UInt64 = 0
        for (index, object) in objects.enumerated()
        where object.context === self && object.isWithoutID {
            try reserveRow(of: object, in: store)
            new |= 1 << UInt64(index)
        }
        for (index, object) in objects.enumerated() {
            try body(object, new & 1 << UInt64(index) != 0)
        }
    }

    /// Gives objects rows of the main store, where they have none yet.
    ///
    /// The rows of an entity are consecutive. An object that comes twice leaves one of them unused.
    final func reserveRows(
        of objects: some Collection<NSManagedObject>,
        _ body: (NSManagedObject, _ isNew: Bool) throws -> Void = { _, _ in }
    ) throws {
        // Few entities: a list is searched faster than a table.
        var wants: ContiguousArray<(ordinal: Int, count: Int, row: UInt64)> = []
        var last = -1
        for object in objects where object.context === self && object.isWithoutID {
            let ordinal = object.runtimeOrdinal
            if last < 0 || wants[last].ordinal != ordinal {
                last = wants.firstIndex { $0.ordinal == ordinal } ?? -1
                if last < 0 {
                    last = wants.count
                    wants.append((ordinal, 0, 0))
                }
            }
            wants[last].count += 1
        }
        guard !wants.isEmpty else { return try objects.forEach { try body($0, false) } }
        let store = try requireStore()
        let (rows, transactionID) = try CoreDataError.mapping {
            try store.reserveRows(wants.map { (store.tables[$0.ordinal], $0.count) })
        }
        if let transactionID { persistentStoreCoordinator?.changeLog.append(transactionID, []) }
        for index in wants.indices { wants[index].row = rows[index] }
        for object in objects {
            // An object that comes twice has its ID by the second time.
            let isNew = object.context === self && object.isWithoutID
            if isNew {
                let ordinal = object.runtimeOrdinal
                if wants[last].ordinal != ordinal {
                    last = wants.firstIndex { $0.ordinal == ordinal } ?? last
                }
                let key = ObjectKey(entity: store.tables[ordinal].number, row: wants[last].row)
                wants[last].row += 1
                reserve(key, for: object)
            }
            try body(object, isNew)
        }
    }

    /// The open store; throws when none was loaded.
    final func requireStore() throws -> Store {
        guard let store = openStore else {
            let hasOthers = persistentStoreCoordinator?.persistentStores.isEmpty == false
            throw CoreDataError.make(
                .persistentStoreOperation,
                hasOthers
                    ? "the context's coordinator has no main store, which alone does this: the "
                        + "first file with all entities, unless it was removed; add such a file"
                    : "the context's coordinator has no store; call loadPersistentStores first")
        }
        return store
    }
}

extension NSManagedObject {
    /// Whether the object was never saved and has not asked for its permanent ID either.
    fileprivate final var isWithoutID: Bool { key.isTemporary && reservedKey == nil }
}
