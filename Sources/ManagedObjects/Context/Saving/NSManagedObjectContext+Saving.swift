// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store
import Traps

extension NSManagedObjectContext {
    /// Does what ``save()`` says.
    final func saveChanges() throws {
        checkQueue()
        adoptIfNeeded()
        require(
            followers.results?.isTelling != true,
            "the delegate of an NSFetchedResultsController saved the context while it was told of "
                + "changes; save later, for instance in perform(_:)")
        let wasSaving = saving.isRunning
        saving.isRunning = true
        defer {
            saving.isRunning = wasSaving
            if !changes.hasEvent { awaitNextChange() }
            checkInvariants()
        }
        noticeRemovalsIfAny()
        processPendingChanges()
        try readUnreadChanges()
        try requireNoLostChanges()
        guard hasChanges else { return try saveWithoutChanges() }
        if source == nil { try requireAnyStore() }
        if NotificationNames.isWillSaveUsed, !followers.isSilent {
            NotificationCenter.default.post(name: NotificationNames.willSave, object: self)
        }
        processPendingChanges()
        changes.dropRepeatedUpdates()
        callWillSave()
        try requireNoLostChanges()
        guard hasChanges else { return try saveWithoutChanges() }
        try validate()
        try requireNoLostChanges()
        let lastValues = LastValues(
            of: changes.liveDeleted,
            isObserved: NotificationNames.isDidSaveUsed && !followers.isSilent)
        if let source { return saveIntoParent(source, lastValues) }
        let hadSnapshot = hasSnapshot
        // Each other store has a transaction of its own, which may have nothing else to write.
        if hasFurtherStores, saving.writesMetadata { try saveMetadata() }
        try saveIntoStore(lastValues)
        if !hadSnapshot { dropUnusedSnapshot() }
        persistentStoreCoordinator?.snapshotOwners.catchUp(except: snapshotOwner)
    }

    /// Writes the stores' pending metadata and announces the save.
    private final func saveWithoutChanges() throws {
        if source == nil, saving.writesMetadata { try saveMetadata() }
        announceEmptySave()
    }

    // A function of its own: its list of saved objects may hold their last references.
    @inline(never)
    private final func saveIntoStore(_ lastValues: LastValues) throws {
        if hasFurtherStores, let coordinator = persistentStoreCoordinator,
            !changesMainStoreOnly(coordinator)
        {
            return try saveIntoStores(coordinator, lastValues)
        }
        snapshotOwner.beginSave()
        defer { snapshotOwner.endSave() }
        var saved = try {
            defer { takeBackOthers() }
            return try commit(to: SaveTarget(mainOf: self))
        }()
        if hasFurtherStores, changes.hasEntries, let coordinator = persistentStoreCoordinator {
            return try saveIntoStores(coordinator, lastValues, after: saved)
        }
        saved.inserted.forEachUnretained { $0.didSave() }
        saved.updated.forEachUnretained { $0.didSave() }
        announce(saved, lastValues)
        // The lists outlive the sets, and let objects go in the order in which they lie in memory.
        saved.postedInserted = nil
        saved.postedUpdated = nil
        withExtendedLifetime(saved) {}
    }

    /// Calls `willSave()` of all changed objects, and again of those that it changes.
    ///
    /// - Parameter again: Whether they all have been called before, and only those count that were
    ///   changed since.
    private final func callWillSave(again: Bool = false) {
        for round in 0..<1_000 {
            announceSave(toAll: round == 0 && !again)
            guard changes.hasEvent else { return }
            processHookChanges()
        }
        trap("willSave still changes objects after 1000 rounds")
    }

    /// Processes what hooks and rules have changed, which is to be announced again.
    private final func processHookChanges() {
        // Some were changed before their own call, which may have changed them once more.
        changes.eventUpdated.forEachUnretained { $0.flags.remove(.saveAnnounced) }
        processPendingChanges()
    }

    /// Calls `willSave()` of the objects that were changed since their last call, or of all.
    private final func announceSave(toAll: Bool) {
        func isDue(_ object: NSManagedObject) -> Bool {
            if !toAll, object.flags.contains(.saveAnnounced) { return false }
            object.flags.insert(.saveAnnounced)
            return true
        }
        // The lists may grow meanwhile: added objects are handled in the next round.
        let (inserted, updated, deleted) = (changes.inserted, changes.updated, changes.deleted)
        inserted.forEachUnretained { object in
            if object.flags.contains(.inserted), isDue(object) { object.willSave() }
        }
        updated.forEachUnretained { object in
            if object.isUpdated, isDue(object) { object.willSave() }
        }
        for object in deleted where object.flags.contains(.deleted) && isDue(object) {
            object.willSave()
        }
    }

    /// Validates until nothing changes any more: a validation may set values.
    final func validate() throws {
        for _ in 0..<1_000 {
            let errors = validationErrors()
            guard changes.hasEvent else {
                if !errors.isEmpty { throw ValidationError.combine(errors) }
                return
            }
            // Validation may change objects, and so may observers of that change.
            repeat { processHookChanges() } while event.hasDeletions && changes.hasEvent
            callWillSave(again: true)
        }
        trap("validation still changes objects after 1000 rounds")
    }

    private final func validationErrors() -> [any Error] {
        var errors: [any Error] = []
        // Hooks may have dropped changes.
        changes.dropRepeatedUpdates()
        func collect(_ body: () throws -> Void) {
            do { try body() } catch { errors += ValidationError.flatten(error) }
        }
        for object in changes.liveDeleted { collect(object.validateForDelete) }
        // A list of its own: objects that validation inserts are not validated now.
        let inserted = changes.inserted
        inserted.forEachUnretained { object in
            guard object.flags.contains(.inserted), !object.isDeleted else { return }
            collect { try object.validateForInsert() }
        }
        let updated = changes.updated
        updated.forEachUnretained { object in
            guard object.isUpdated else { return }
            collect { try object.validateForUpdate() }
        }
        return errors
    }
}

/// What a save wrote.
struct SavedObjects {
    var inserted: ContiguousArray<NSManagedObject> = []
    var updated: ContiguousArray<NSManagedObject> = []
    var deleted: ContiguousArray<NSManagedObject> = []
    /// The same set as the did-change notification carried, where it still is the same.
    var postedInserted: Set<NSManagedObject>?
    /// As `postedInserted`, for the updated objects.
    var postedUpdated: Set<NSManagedObject>?

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension SavedObjects {
    /// The user info of the did-save notification, without empty sets.
    var objectSets: [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [:]
        if !inserted.isEmpty { info[NSInsertedObjectsKey] = postedInserted ?? Set(inserted) }
        if !updated.isEmpty { info[NSUpdatedObjectsKey] = postedUpdated ?? Set(updated) }
        if !deleted.isEmpty { info[NSDeletedObjectsKey] = Set(deleted) }
        return info
    }
}
