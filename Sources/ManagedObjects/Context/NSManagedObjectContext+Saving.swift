// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store

extension NSManagedObjectContext {
    /// Writes all changes in one transaction.
    ///
    /// Without changes nothing happens. Otherwise: the will-save notification, delete rules,
    /// `willSave` on each changed object until no setter changes anything more, validation, the
    /// transaction, `didSave`, the did-save notifications.
    ///
    /// - Throws: A validation error (1550 to 1690, or 1560 for several), 133020 when somebody else
    ///   changed an object in between, 133021 for a broken uniqueness constraint, 134030 for a
    ///   read-only store, 134070 when the store failed. Nothing is written then, and all changes
    ///   stay pending.
    public final func save() throws {
        processPendingChanges()
        guard hasChanges else { return }
        let store = try requireStore()
        NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
        processPendingChanges()
        callWillSave()
        guard hasChanges else { return }
        try validate()
        let writer = try SaveWriter(self, store)
        snapshotOwner.beginSave()
        defer { snapshotOwner.endSave() }
        let transactionID = try CoreDataError.mapping { try store.write { try writer.write($0) } }
        let saved = writer.finish(transactionID)
        saved.inserted.forEachUnretained { $0.didSave() }
        saved.updated.forEachUnretained { $0.didSave() }
        for object in saved.deleted { object.didSave() }
        post(saved)
        persistentStoreCoordinator?.snapshotOwners.catchUp(except: snapshotOwner)
    }

    private final func callWillSave() {
        for _ in 0..<1_000 {
            // The lists may grow meanwhile: what is added has its turn in the next round.
            let (inserted, updated, deleted) = (changes.inserted, changes.updated, changes.deleted)
            inserted.forEachUnretained { if $0.flags.contains(.inserted) { $0.willSave() } }
            updated.forEachUnretained { if $0.isUpdated { $0.willSave() } }
            for object in deleted where object.flags.contains(.deleted) { object.willSave() }
            guard changes.hasEvent else { return }
            processPendingChanges()
        }
        preconditionFailure("willSave still changes objects after 1000 rounds")
    }

    private final func validate() throws {
        var errors: [any Error] = []
        func collect(_ body: () throws -> Void) {
            do { try body() } catch { errors += ValidationError.flatten(error) }
        }
        for object in changes.liveDeleted { collect(object.validateForDelete) }
        // A list of its own: validation may insert, but not have what it inserts validated now.
        let inserted = changes.inserted
        inserted.forEachUnretained { object in
            guard object.flags.contains(.inserted), !object.isDeleted else { return }
            collect { try object.validateForInsert() }
        }
        for object in changes.liveUpdated { collect(object.validateForUpdate) }
        // Validation may change objects, and so may observers of that change.
        repeat { processPendingChanges() } while hasUnprocessedDeletions && changes.hasEvent
        if !errors.isEmpty { throw ValidationError.combine(errors) }
    }

    private final func post(_ saved: SavedObjects) {
        var info: [AnyHashable: Any] = [:]
        if !saved.inserted.isEmpty {
            info[NSInsertedObjectsKey] = saved.postedInserted ?? Set(saved.inserted)
        }
        if !saved.updated.isEmpty {
            info[NSUpdatedObjectsKey] = Set(saved.updated)
        }
        if !saved.deleted.isEmpty {
            info[NSDeletedObjectsKey] = Set(saved.deleted)
        }
        NotificationCenter.default.post(
            name: .NSManagedObjectContextDidSave, object: self, userInfo: info)
    }
}

/// What a save wrote.
struct SavedObjects {
    var inserted: ContiguousArray<NSManagedObject> = []
    var updated: ContiguousArray<NSManagedObject> = []
    var deleted: ContiguousArray<NSManagedObject> = []
    /// The same set as the did-change notification carried, where it still is the same.
    var postedInserted: Set<NSManagedObject>?

}
