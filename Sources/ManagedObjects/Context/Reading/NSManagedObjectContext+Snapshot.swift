// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// The one committed state that a context reads, and how it moves to a newer one.
extension NSManagedObjectContext {
    /// The snapshot, begun when first asked for.
    final func requireSnapshot() throws -> StoreSnapshot {
        noteUse()
        if let snapshot {
            if !snapshot.isActive { try moveParked(snapshot) }
            return snapshot
        }
        // Keys of a main store that is gone would lead to other objects of the new one.
        guard !hasLostMainStore else {
            noticeRemovals()
            throw StoreRemoval.error(nil)
        }
        let store = try requireStore()
        let made = try CoreDataError.mapping { try store.makeSnapshot() }
        made.onRemap { [snapshotOwner] in snapshotOwner.parkForRemap() }
        snapshotOwner.attach(self)
        snapshotOwner.isParked.store(false, ordering: .releasing)
        persistentStoreCoordinator?.snapshotOwners.add(snapshotOwner)
        readPoint.snapshot = made
        invalidateBytes()
        return made
    }

    /// The main store, once loaded.
    ///
    /// That of the snapshot where there is one: the coordinator takes locks to tell it.
    final var openStore: Store? {
        if let snapshot, !snapshotOwner.hasRemovals.load(ordering: .relaxed) {
            return snapshot.store
        }
        return persistentStore?.store
    }

    /// Remembers the thread, unless it is in a block: see ``SnapshotOwner``.
    final func noteUse() {
        let thread = ContextLock.thread
        guard queue.directUser.load(ordering: .relaxed) != thread,
            !queue.lock.isHeldByCurrentThread
        else { return }
        queue.directUser.store(thread, ordering: .relaxed)
    }

    private final func moveParked(_ snapshot: StoreSnapshot) throws {
        snapshotOwner.isParked.store(false, ordering: .releasing)
        try CoreDataError.mapping { try snapshot.move() }
        didMove(to: snapshot)
    }

    private final func didMove(to snapshot: StoreSnapshot) {
        invalidateBytes()
        guard readPoint.pinnedGeneration != nil else { return }
        readPoint.pinnedGeneration = NSQueryGenerationToken(snapshot)
    }

    /// Lets the map move during a write, keeping the values of the context's objects.
    final func parkForRemap() -> Bool {
        guard let snapshot, snapshot.isActive else { return true }
        guard !snapshot.isBeingRead else { return false }
        park(snapshot)
        return true
    }

    private final func park(_ snapshot: StoreSnapshot) {
        keepRecords()
        snapshot.park()
        invalidateBytes()
        snapshotOwner.isParked.store(true, ordering: .releasing)
    }

    /// Moves to the newest state, if there was a commit since and no generation is pinned.
    final func moveSnapshotIfOutdated() throws {
        noticeRemovalsIfAny()
        // A child reads through its parent, which moves its own.
        guard source == nil, !readPoint.isHeld else { return }
        if snapshot == nil, hasFurtherStores, persistentStore == nil { return }
        let snapshot = try requireSnapshot()
        guard snapshot.isOutdated, readPoint.pinnedGeneration == nil else { return }
        try moveSnapshot(snapshot)
    }

    /// Reads one state throughout a body: commits made meanwhile are seen after it.
    final func holdingSnapshot<Result>(_ body: () throws -> Result) rethrows -> Result {
        let held = readPoint.isHeld
        readPoint.isHeld = true
        defer { readPoint.isHeld = held }
        return try body()
    }

    /// Moves to the newest state, whether or not a generation is pinned.
    final func moveSnapshot(_ snapshot: StoreSnapshot) throws {
        try CoreDataError.mapping {
            try snapshot.move { newest in keepValues(before: snapshot, through: newest) }
        }
        didMove(to: snapshot)
    }

    /// Moves to the state that a save of this context has just committed, or to a newer one.
    ///
    /// A context that has read nothing so far begins its snapshot here: the versions that it finds
    /// there are what its saved objects are compared with when it saves them again. If the move
    /// fails, the context begins a new snapshot with the next read.
    final func advance(after transactionID: UInt64) {
        guard let snapshot else {
            do { _ = try requireSnapshot() } catch { lastReadError = error }
            return
        }
        do {
            guard snapshot.isActive else { return try moveParked(snapshot) }
            try snapshot.move { newest in
                // There was no other commit, so the saved objects are up to date.
                guard newest != snapshot.transactionID + 1 else { return }
                keepValues(before: snapshot, through: newest)
            }
            didMove(to: snapshot)
        } catch {
            lastReadError = error
            // The next snapshot may be of any later state.
            if snapshot.isActive { keepRecords() }
            readPoint.snapshot = nil
            invalidateBytes()
        }
    }

    /// Drops a snapshot that was begun for the objects of a save, if none of them is still held.
    ///
    /// So a context that only inserts does not keep pages of the file from being reused.
    final func dropUnusedSnapshot() {
        noticeDepartures()
        guard snapshot != nil, registry.count == 0, readPoint.pinnedGeneration == nil
        else { return }
        readPoint.snapshot = nil
        invalidateBytes()
    }

    /// Moves an idle context along, once holding its snapshot costs the file enough pages.
    ///
    /// Called with the context's lock held.
    final func catchUp() -> Bool {
        guard let snapshot = idleSnapshot, isCostly(snapshot) else { return false }
        // What fails here, such as a full table of readers, fails again in the next read.
        do { try moveSnapshot(snapshot) } catch { lastReadError = error }
        return false
    }

    /// Lets go of an idle context's state, once holding it costs the file enough pages.
    ///
    /// For commits of others: more are likely to follow, and the context would have to move again
    /// each time. Called with the context's lock held.
    ///
    /// - Returns: Whether the next commit may make it too costly.
    final func letGo() -> Bool {
        guard let snapshot = idleSnapshot else { return false }
        guard isCostly(snapshot) else { return true }
        park(snapshot)
        return false
    }

    /// The snapshot, if it may move and there was a commit since.
    private final var idleSnapshot: StoreSnapshot? {
        guard let snapshot, snapshot.isActive, snapshot.isOutdated, !snapshot.isBeingRead,
            readPoint.pinnedGeneration == nil, !readPoint.isHeld
        else { return nil }
        return snapshot
    }

    private final func isCostly(_ snapshot: StoreSnapshot) -> Bool {
        guard let coordinator = persistentStoreCoordinator else { return false }
        return coordinator.changeLog.weight(after: snapshot.transactionID) >= Self.tolerableWeight
    }

    /// How much others may change before an idle context moves along, see ``ChangeLog/weight``.
    private static var tolerableWeight: Int { 64 }

    /// Copies the records of realised objects that were changed since the snapshot began.
    private final func keepValues(before snapshot: StoreSnapshot, through newest: UInt64) {
        let changed = persistentStoreCoordinator?.changeLog.keys(
            after: snapshot.transactionID, through: newest)
        if let changed {
            for key in changed {
                if let object = registry[key] { keepRecord(of: object) }
            }
        } else {
            keepRecords()
        }
    }

    /// Copies the records of all realised objects.
    private final func keepRecords() {
        let realised = registry.objects { $0.flags.isDisjoint(with: [.fault, .inaccessible]) }
        for object in realised { keepRecord(of: object) }
    }

    /// Copies the record of a realised object, so that it outlives the snapshot's state.
    final func keepRecord(of object: NSManagedObject) {
        guard object.flags.isDisjoint(with: [.fault, .inaccessible]),
            !object.key.isElsewhere, object.extras?.ownedRecord == nil,
            let record = object.currentRecord()
        else { return }
        let values = largeValues(of: object.key, object.runtime, record)
        object.requireExtras().keep(OwnedRecord(record), values)
        object.readStamp = 0
    }

    /// The values that a record only points to; once it is outdated, they may have been replaced.
    final func largeValues(
        of key: ObjectKey, _ runtime: EntityRuntime, _ record: RecordView
    ) -> [Int: [UInt8]] {
        var values: [Int: [UInt8]] = [:]
        for (position, field) in runtime.layout.fields.enumerated()
        where field.type.isVariableLength && !record.isNull(position)
            && record.heapBytes(at: field.offset) == nil
        {
            values[position] = externalValue(
                of: key, position: position, runtime: runtime,
                byteCount: record.heapByteCount(at: field.offset))
        }
        return values
    }
}
