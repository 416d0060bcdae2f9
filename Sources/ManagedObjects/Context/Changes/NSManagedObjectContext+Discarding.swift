// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension NSManagedObjectContext {
    /// Does what ``rollback()`` says.
    final func discardChanges() {
        checkQueue()
        // They would read all of their members anew.
        releaseOrderedSets()
        undoManager?.removeActions(of: ObjectIdentifier(self))
        let announced = changes.inserted[..<changes.eventStart].filter { $0.isInserted }
        let comeBack = changes.deleted[..<changes.eventDeletedStart].filter {
            $0.flags.contains(.deleted) && !$0.isInserted
        }
        for object in changes.inserted where object.flags.contains(.inserted) {
            removeInserted(object)
            object.flags.remove([.eventInserted, .eventUpdated])
        }
        var restored: Set<NSManagedObject> = []
        for object in Array(changes.deleted) + Array(changes.updated)
        where object.context === self && object.hasChanges {
            discardChanges(of: object)
            restored.insert(object)
        }
        for object in changes.eventRefreshed { object.flags.remove(.eventRefreshed) }
        let refreshed = restored.union(changes.eventRefreshed.filter { $0.context === self })
            .subtracting(comeBack)
        forgetChanges()
        for object in restored { wake(object, .rollback) }
        var info: [AnyHashable: Any] = [:]
        if !comeBack.isEmpty { info[NSInsertedObjectsKey] = Set(comeBack) }
        if !announced.isEmpty { info[NSDeletedObjectsKey] = Set(announced) }
        if !refreshed.isEmpty { info[NSRefreshedObjectsKey] = refreshed }
        post(info)
    }

    /// Tells an object that its values were replaced, with change tracking off.
    final func wake(_ object: NSManagedObject, _ events: NSSnapshotEventType) {
        guard !object.flags.contains(.fault) else { return }
        object.flags.insert(.untracked)
        object.awake(fromSnapshotEvents: events)
        object.flags.remove(.untracked)
    }

    private final func forgetChanges() {
        changes = ChangeSet()
        // A child's objects keep their permanent IDs once they are saved into the parent.
        var former = reserved
        reserved = ReservedObjects()
        if source != nil {
            for (_, object) in former.entries where object.context === self {
                reserved.note(object)
            }
        }
        saving.attachments = []
        saving.companion?.discardChanges()
        saving.locked.removeAll()
        saving.hasLostChanges = false
        event.hasDeletions = false
        event.capture?.removeAll()
        awaitNextChange()
    }

    /// Does what ``reset()`` says.
    final func forgetAll() {
        checkQueue()
        undoManager?.removeActions(of: ObjectIdentifier(self))
        for object in changes.former where object.isInserted { dropReservation(of: object) }
        let objects = registry.objects
        let identifiers = objects.map(\.objectID)
        for object in objects {
            let isRealised = !object.flags.contains(.fault)
            if isRealised { object.willTurnIntoFault() }
            if object.key.isElsewhere { didUnregister(object.key) }
            object.context = nil
            object.draft = nil
            object.flags = .fault
            if isRealised { object.didTurnIntoFault() }
        }
        // An object released without a context does not empty its cell, so all stay alive until
        // then.
        withExtendedLifetime(objects) { registry.removeAll() }
        releaseRetained()
        forgetChanges()
        reserved = ReservedObjects()
        readPoint.snapshot = nil
        readPoint.lost = []
        readPoint.knownStore = nil
        // The context forgets that it has lost stores, which these would keep.
        readPoint.plans.forgetAll()
        readPoint.lookUps = UniqueLookUps()
        seenMainLosses = lostMainCount ?? -1
        for rows in rowsByTag { rows?.reset() }
        invalidateBytes()
        followers.results?.forget()
        if readPoint.pinnedGeneration != nil { readPoint.pinnedGeneration = .current }
        NotificationCenter.default.post(
            name: NotificationNames.objectsDidChange, object: self,
            userInfo: [NSInvalidatedAllObjectsKey: identifiers])
        followers.changeObservers?.send(.reset)
        checkInvariants()
    }
}
