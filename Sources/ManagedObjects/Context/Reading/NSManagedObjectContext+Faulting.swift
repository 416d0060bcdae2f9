// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store
import Traps

/// How objects get at their bytes: binding to the snapshot, firing, moving.
extension NSManagedObjectContext {
    /// Looks up the record of an object at the snapshot; for code that cannot throw.
    final func bind(_ object: NSManagedObject) {
        do {
            guard try bindThrowing(object) else {
                object.record = nil
                return
            }
            if object.isUnread { object.flags.remove(.inaccessible) }
        } catch {
            failRead(object, error)
        }
    }

    /// Looks up the record of an object; false when there is none.
    final func bindThrowing(_ object: NSManagedObject) throws -> Bool {
        if let source { return try bind(object, to: source) }
        if object.key.isElsewhere { return try rows(object.key.tag).bind(object) }
        // No store has an object that was never saved, and the context may have no main store.
        if object.key.isTemporary { return false }
        return try bind(object, in: requireSnapshot())
    }

    /// Looks up the record of an object at the newest state; false when there is none, or the
    /// object has left the context.
    final func bindNewest(_ object: NSManagedObject) throws -> Bool {
        // As it nearly always is: the state is looked at once.
        if source == nil, object.key.isOfMainStore {
            let snapshot = try newestSnapshot()
            return try isOwner(of: object) && bind(object, in: snapshot)
        }
        try moveSnapshotIfOutdated()
        return try isOwner(of: object) && bindThrowing(object)
    }

    /// Whether an object is still of this context: its store may be gone, and the object with it.
    // SAFETY: addresses to compare.
    @inline(__always)
    private final func isOwner(of object: NSManagedObject) -> Bool {
        object.contextReference?.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
    }

    /// - Parameter snapshot: That of the main store.
    @inline(__always)
    private final func bind(
        _ object: NSManagedObject, in snapshot: StoreSnapshot
    ) throws -> Bool {
        if object.boundStamp == stamp, object.record != nil { return true }
        let record = try CoreDataError.mapping { try snapshot.record(for: object.key) }
        object.boundStamp = stamp
        object.record = record
        if !object.flags.contains(.fault), !object.hasDraft { object.readStamp = uncheckedStamp }
        return record != nil
    }

    /// Fires a fault from an accessor, which cannot throw.
    final func fire(_ object: NSManagedObject) {
        checkQueue(object)
        adoptIfNeeded()
        do {
            if object.boundStamp != stamp || object.record == nil {
                try moveSnapshotIfOutdated()
                // Its store may be gone, and the object with it.
                guard object.context === self else { return }
                try bindSiblings(of: object.key)
                guard try bindThrowing(object) else { return markInaccessible(object) }
            }
            finishFiring(object)
        } catch {
            failRead(object, error)
        }
    }

    /// The object has its bytes: it is a fault no longer.
    @inline(__always)
    final func finishFiring(_ object: NSManagedObject) {
        if let record = object.record { object.recordAhead.load(from: record) }
        let isLate = object.flags.contains(.inaccessible)
        object.flags.remove([.fault, .inaccessible])
        if !object.hasDraft { object.readStamp = uncheckedStamp }
        if isLate, object.hasEarlyChanges { object.settleEarlyChanges() }
        if readPoint.hasEarlyChanges { fireEarlyChanges() }
        object.flags.insert(.untracked)
        object.awakeFromFetch()
        object.flags.remove(.untracked)
    }

    /// Does what ``finishFiring(_:)`` does for a fault that has nothing of its own; false, with
    /// nothing done, where more is to be done.
    ///
    /// - Parameters:
    ///   - object: A fault without any other flag, of a class that does nothing as it fires.
    ///   - record: Its bytes at the context's stamp.
    @inline(__always)
    final func finishFiringQuietly(_ object: NSManagedObject, _ record: RecordView) -> Bool {
        guard !object.hasDraft, source == nil, !queue.isChecked, !readPoint.hasEarlyChanges
        else { return false }
        object.recordAhead.load(from: record)
        object.flags = []
        object.readStamp = stamp
        return true
    }

    /// Reads the objects that were changed while nothing could be read, as something can be now:
    /// their relationships have to be seen from the other side as well.
    @inline(never)
    private final func fireEarlyChanges() {
        readPoint.hasEarlyChanges = false
        for object in changes.updated
        where object.context === self && object.isFault && object.isUnread {
            fire(object)
            // Its store is away still, as another one may be.
            if object.isUnread { readPoint.hasEarlyChanges = true }
        }
    }

    /// The record of a fault is gone: reads as nil, or traps if the context says so.
    private final func markInaccessible(_ object: NSManagedObject) {
        require(
            shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: nil),
            "the record of \(object.objectID.uriRepresentation()) is gone from the store")
        object.flags.remove(.fault)
        object.flags.insert([.inaccessible, .gone])
        if source == nil { readPoint.lost.insert(object.key) }
        if !object.hasDraft {
            object.draft = RecordDraft.make(
                values: ContiguousArray(repeating: .null, count: object.runtime.fields.count))
        }
    }

    /// An accessor that cannot throw met an error: the object reads as nil for now.
    ///
    /// The error is kept for ``lastReadError``, as a property getter has no other way to tell. A
    /// fault stays one, so that the next access tries again: the store may be back by then.
    private final func failRead(_ object: NSManagedObject, _ error: any Error) {
        lastReadError = error
        object.flags.insert(.inaccessible)
        object.record = nil
        object.readStamp = 0
        readPoint.hasUnread = true
    }

    /// Asks for the values of changed objects again that could not be read when they were changed.
    ///
    /// Before a save, whose hooks and rules look at all values.
    ///
    /// - Throws: What reading them throws, such as 134070 while the store is away.
    final func readUnreadChanges() throws {
        guard readPoint.hasUnread else { return }
        for object in changes.updated
        where object.context === self && object.isFault && object.isUnread {
            // One whose record is gone is up to the merge policy.
            if try bindNewest(object) { finishFiring(object) } else { fire(object) }
        }
        try readUnreadDeletions()
    }

    /// Applies the delete rules of objects that could not be read when they were deleted, so that
    /// they had no relationships to follow.
    private final func readUnreadDeletions() throws {
        var hasFound = false
        for object in changes.deleted where object.context === self && object.isFault {
            guard object.flags.isSuperset(of: [.deleted, .inaccessible]),
                !object.flags.contains(.gone), try bindNewest(object)
            else { continue }
            finishFiring(object)
            propagateAgain(object)
            hasFound = true
        }
        if hasFound { processPendingChanges() }
    }

    /// The stored destinations of a to-many relationship.
    final func storedMembers(
        of object: NSManagedObject, _ relationship: RelationshipRuntime
    ) -> ContiguousArray<ObjectKey> {
        do {
            if let source = try objectSource(of: object.key) {
                return try source.members(of: object.key, relationship, object.runtime)
            }
            let snapshot = try requireSnapshot()
            let table = snapshot.store.tables[object.runtimeOrdinal]
            return try CoreDataError.mapping {
                try snapshot.destinations(
                    of: object.key, table.relationships[relationship.position])
            }
        } catch {
            lastReadError = error
            return []
        }
    }

    /// The bytes of a large value outside its record.
    final func externalValue(
        of key: ObjectKey, position: Int, runtime: EntityRuntime, byteCount: Int
    ) -> [UInt8] {
        do {
            if key.isElsewhere {
                // The copies of a child have all of their values.
                guard source == nil else { return [] }
                return try rows(key.tag).externalValue(
                    of: key, position: position, runtime, byteCount: byteCount)
            }
            let snapshot = try requireSnapshot()
            let property = snapshot.store.tables[runtime.ordinal].layout.fields[position].number
            return try CoreDataError.mapping {
                try snapshot.externalValue(of: key, property, byteCount: byteCount)
            }
        } catch {
            lastReadError = error
            return []
        }
    }

    /// Does what ``refresh(_:mergeChanges:)`` says.
    final func refreshObject(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue(object)
        require(object.context === self, "\(object.objectID) belongs to another context")
        if !changes.former.isEmpty { noticeFormerRecords() }
        if object.flags.contains(.inserted) {
            if !flag { leavingOutOfUndo(object) { dropInsertion(of: object) } }
            return
        }
        do { try moveSnapshotIfOutdated() } catch { lastReadError = error }
        guard object.context === self else { return }
        noteSeen(CollectionOfOne(object.key))
        if object.flags.contains(.fault), !object.hasDraft, !object.hasChanges {
            return turnIntoFault(object)
        }
        if flag, object.hasChanges {
            let version = object.currentRecord()?.version
            takeNewValues(of: object)
            // A repair looks at all changes. What a parent has changed has no other version yet.
            if !event.isRefreshingAll,
                source != nil || object.currentRecord()?.version != version
            {
                repairInverses(of: [object.key])
            }
        } else {
            object.willTurnIntoFault()
            leavingOutOfUndo(object) {
                let foreign = object.withdrawChanges()
                discardChanges(of: object)
                turnIntoFault(object)
                object.didTurnIntoFault()
                foreign?.apply(to: object)
            }
        }
        guard !object.flags.contains(.eventRefreshed) else { return }
        beginEvent()
        object.flags.insert(.eventRefreshed)
        changes.eventRefreshed.append(object)
    }

    /// Runs a refresh that drops an object's changes, with what it does to partners: what has let
    /// go of its changes does not get some of them back by an undo.
    private final func leavingOutOfUndo(_ object: NSManagedObject, _ body: () -> Void) {
        guard let capture = event.capture else { return body() }
        capture.leavingOut(object, body)
    }

    /// Makes a fault of an object that was never saved; there is nothing beneath it.
    private final func dropInsertion(of object: NSManagedObject) {
        object.willTurnIntoFault()
        beginEvent()
        if !object.flags.contains(.eventInserted) { changes.eventForgotten.append(object) }
        changes.mayHaveLapsed()
        dropReservation(of: object)
        if hasListeningChildren { merging.vanished.append(object.key) }
        object.flags.remove([
            .inserted, .deleted, .updated, .propagated, .eventInserted, .eventUpdated,
        ])
        DeletePropagation.clearPointers(to: [object.key], in: changes, hasPropagated: false)
        turnIntoFault(object)
        object.didTurnIntoFault()
    }

    /// Makes a fault of an object without changes: what it has computed of its values, in transient
    /// properties or in its `awakeFromFetch`, is as old as they are.
    final func dropValues(of object: NSManagedObject) {
        object.willTurnIntoFault()
        // The hook may have changed the object, or taken it out of the context.
        guard object.context === self else { return }
        if object.hasChanges { return takeNewValues(of: object) }
        object.extras?.formerVersion = 0
        turnIntoFault(object)
        object.didTurnIntoFault()
    }

    /// Puts the unsaved changes of an object on top of its newest record.
    final func takeNewValues(of object: NSManagedObject) {
        // The next read happens at the context's snapshot, which has to be the newest one.
        do { try moveSnapshotIfOutdated() } catch { lastReadError = error }
        object.dropUnchangedValues()
        guard object.context === self, !isGone(object) else { return }
        if object.flags.contains(.gone) { comeBack(object) }
        if !object.isInserted { object.extras?.formerVersion = 0 }
        object.noteUnindexed()
        changes.pendingIndex = nil
        // A copy was made just now: a parent may let go of the object before the next access.
        if object.extras?.ownedRecord == nil { (object.record, object.boundStamp) = (nil, 0) }
        object.readStamp = 0
        object.extras?.fetched = [:]
        if let extras = object.extras, !extras.toMany.isEmpty {
            for relationship in object.runtime.toManyRelationships {
                guard let state = extras.toMany[relationship.toManyIndex] else { continue }
                // No store has the destinations of a transient relationship.
                if relationship.relationship.isTransient { continue }
                state.forgetStored()
                if state.hasChanges {
                    state.load(storedMembers(of: object, relationship))
                    state.dropSettledChanges()
                }
            }
        }
        wake(object, .refresh)
        // Others may have given a deleted object relationships that its rules are for.
        if object.flags.contains(.deleted) { propagateAgain(object) }
    }

    /// Looks whether the record of an object that was found to be gone is there again, as others
    /// may have written it anew.
    @inline(never)
    final func noticeReturn(of object: NSManagedObject) {
        guard source == nil, !object.flags.contains(.deleted), !isGone(object) else { return }
        comeBack(object)
    }

    /// Looks in a state that the context has just moved to which lost objects are there again.
    ///
    /// Those with changes are left to the save, which finds a conflict.
    @inline(never)
    final func noticeReturns() {
        holdingSnapshot {
            for key in readPoint.lost {
                guard let object = registry[key], object.flags.contains(.gone) else {
                    readPoint.lost.remove(key)
                    continue
                }
                if !object.hasChanges { noticeReturn(of: object) }
            }
        }
    }

    /// Has a registered fault know the place of the record that a fetch has found for it.
    @inline(__always)
    final func place(_ known: NSManagedObject, _ record: RecordView) {
        guard known.flags.contains(.fault) else { return }
        known.record = record
        known.boundStamp = stamp
    }

    /// The record of an object is back, written anew by others: there is something to read again.
    private final func comeBack(_ object: NSManagedObject) {
        guard object.hasChanges else { return turnIntoFault(object) }
        // A child has changed it meanwhile.
        object.regainBase()
    }

    /// Whether the record of an object is gone, which is left as it is then: it keeps what it knew,
    /// and the save finds the conflict.
    private final func isGone(_ object: NSManagedObject) -> Bool {
        let (record, owned) = (object.record, object.extras?.ownedRecord)
        let values = object.extras?.ownedValues ?? [:]
        let (boundStamp, readStamp) = (object.boundStamp, object.readStamp)
        // A copy would be taken for what there is.
        object.extras?.ownedRecord = nil
        (object.record, object.boundStamp) = (nil, 0)
        do {
            if try bindThrowing(object) { return false }
        } catch {
            lastReadError = error
            return false
        }
        object.record = record
        if let owned { object.requireExtras().keep(owned, values) }
        (object.boundStamp, object.readStamp) = (boundStamp, readStamp)
        return true
    }

    /// Does what ``refreshAllObjects()`` says.
    final func refreshAll() {
        checkQueue()
        let changed = Set(
            changes.updated.lazy.filter { $0.context === self && $0.hasChanges }.map(\.key))
        // Once for all of them: each repair looks at all changes.
        let wasRefreshingAll = event.isRefreshingAll
        event.isRefreshingAll = true
        // The first one may find that a store has gone, and the others with it.
        for object in registry.objects where object.context === self {
            refresh(object, mergeChanges: true)
        }
        event.isRefreshingAll = wasRefreshingAll
        if !changed.isEmpty { repairInverses(of: changed) }
    }

    /// Drops the values of an object.
    final func turnIntoFault(_ object: NSManagedObject) {
        object.record = nil
        object.boundStamp = 0
        object.readStamp = 0
        object.draft = nil
        object.extras?.ownedRecord = nil
        object.flags.remove([.inaccessible, .gone])
        object.flags.insert(.fault)
        object.extras?.dropMembers()
    }

    /// Drops the changes of a saved object.
    final func discardChanges(of object: NSManagedObject) {
        object.draft = nil
        object.extras?.formerVersion = 0
        for state in object.extras?.toMany ?? [] { state?.discard() }
        if object.flags.contains(.updated) { changes.hasDropped = true }
        object.flags.remove([.updated, .deleted, .propagated, .eventUpdated, .indexed])
        if object.boundStamp == stamp, object.record != nil { object.readStamp = uncheckedStamp }
    }
}
