// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store
import Traps

extension NSManagedObjectContext {
    /// Notes that an object is about to change.
    final func noteChange(of object: NSManagedObject) {
        checkQueue(object)
        if let capture = event.capture { capture.note(object) }
        beginEvent()
        // Its delete rules are for what is linked to it from now on as well.
        if object.flags.contains(.propagated) { propagateAgain(object) }
        object.flags.remove(.saveAnnounced)
        object.flags.insert(.eventUpdated)
        changes.eventUpdated.append(object)
        guard object.flags.isDisjoint(with: [.inserted, .updated]) else { return }
        object.flags.insert(.updated)
        changes.updated.append(object)
        noteIndexable(object)
    }

    /// Does what ``delete(_:)`` says.
    final func deleteObject(_ object: NSManagedObject) {
        checkQueue(object)
        require(
            object.context === self,
            "\(object.objectID) is not an object of this context; fetch it here by its ID")
        guard object.flags.isDisjoint(with: [.deleted, .preparing]) else { return }
        if object.flags.contains(.fault) { fire(object) }
        // Two objects whose hooks delete each other come back here.
        object.flags.insert(.preparing)
        object.prepareForDeletion()
        object.flags.remove(.preparing)
        // The hook may have taken the object out of the context, as a reset does.
        guard object.context === self, !object.flags.contains(.deleted) else { return }
        if let link = event.cascade, link.destination === object { link.cut() }
        markDeleted(object)
    }

    /// Deletes what a cascade leads to, with the link to the owner in place until the object's
    /// `prepareForDeletion` has run.
    final func cascade(along link: CascadeLink) {
        let former = event.cascade
        event.cascade = link
        delete(link.destination)
        event.cascade = former
        // An override may have kept it, and one that is being deleted already is marked later.
        if link.destination.context === self { link.cut() }
    }

    final func markDeleted(_ object: NSManagedObject) {
        beginEvent()
        object.flags.remove(.saveAnnounced)
        object.flags.insert(.deleted)
        changes.deleted.append(object)
        event.hasDeletions = true
    }

    /// Takes the deletion of an object back, before its save.
    ///
    /// - Parameters:
    ///   - object: An object of this context that is deleted.
    ///   - reconnects: Whether partners get back the side that the delete rules took from them.
    final func revive(_ object: NSManagedObject, reconnects: Bool) {
        let wasPropagated = object.flags.contains(.propagated)
        object.flags.remove([.deleted, .propagated])
        changes.noteRevival(of: object)
        noteChange(of: object)
        if reconnects, wasPropagated { object.reconnectPartners() }
    }

    /// Applies the delete rules to a deleted object again, as others changed its relationships.
    final func propagateAgain(_ object: NSManagedObject) {
        beginEvent()
        object.flags.remove(.propagated)
        changes.propagatedCount = nil
        event.hasDeletions = true
    }

    /// Does what ``processPendingChanges()`` says.
    final func processChanges() {
        noticeDepartures()
        guard !event.isProcessing else { return }
        if changes.hasEvent || event.hasDeletions {
            processEvent()
        } else if followers.undoManager != nil {
            // What a program or a world has registered is an event without changed objects, too.
            undoManager?.endEvent()
        }
        if !changes.former.isEmpty { noticeFormerRecords() }
    }

    private final func processEvent() {
        event.isProcessing = true
        if event.hasDeletions, propagatesDeletesAtEndOfEvent || saving.isRunning {
            propagateDeletions()
        }
        if !changes.lostDestinations.isEmpty { dropLostDestinations() }
        if let undoManager {
            if let capture = event.capture { registerUndo(capture) }
            undoManager.endEvent()
        }
        let info = eventInfo()
        let passing = changes.eventPassing
        // Before the post: what observers fetch and change belongs to the next event.
        endEvent()
        event.capture?.endEvent()
        event.isProcessing = false
        if !info.isEmpty { followers.results?.process(info) }
        announce(info, passing)
        event.capture?.endPosting()
        checkInvariants()
    }

    /// Runs a body in which fetches do not process changes.
    final func holdingEvent<Result>(_ body: () -> Result) -> Result {
        let wasProcessing = event.isProcessing
        event.isProcessing = true
        defer { event.isProcessing = wasProcessing }
        return body()
    }

    private final func endEvent() {
        // Objects of earlier events are skipped: there may be many.
        var isAllInserted = true
        changes.inserted[changes.eventStart...].forEachUnretained { object in
            object.flags.remove(.eventInserted)
            if !object.flags.contains(.inserted) { isAllInserted = false }
        }
        changes.mayHaveLapsed(
            inserted: isAllInserted ? .max : changes.eventStart,
            deleted: changes.eventRefreshed.isEmpty ? changes.eventDeletedStart : 0)
        changes.eventUpdated.forEachUnretained { $0.flags.remove(.eventUpdated) }
        for object in changes.eventRefreshed { object.flags.remove(.eventRefreshed) }
        changes.eventUpdated.removeAll(keepingCapacity: true)
        changes.eventRefreshed.removeAll()
        changes.eventRevived.removeAll()
        changes.eventForgotten.removeAll()
        changes.eventPassing.removeAll()
        changes.dropLapsed()
        changes.eventStart = changes.inserted.count
        changes.eventDeletedStart = changes.deleted.count
        awaitNextChange()
    }

    /// Applies the delete rules until nothing more is deleted.
    private final func propagateDeletions() {
        let start = changes.propagatedCount ?? 0
        // A hook that is called below may start over.
        changes.propagatedCount = start
        let lookAhead = LookAhead()
        var position = start
        while position < changes.deleted.count {
            lookAhead.links(position, changes.deleted)
            let object = changes.deleted[position]
            position += 1
            guard object.flags.contains(.deleted), !object.flags.contains(.propagated) else {
                continue
            }
            object.flags.insert(.propagated)
            DeletePropagation.propagate(object)
            // Asked for each time, as hooks of objects may let its owner go.
            saving.companion?.propagateDeletion(of: object)
        }
        if changes.propagatedCount != nil { changes.propagatedCount = position }
        let forgotten = changes.deleted.dropFirst(start).filter { $0.flags.contains(.inserted) }
        if forgotten.isEmpty {
            event.hasDeletions = false
            return
        }
        // Inverses are cleared already: mostly there is nothing left to look for.
        if model.hasLoosePointers || changes.hasLoosePointers {
            DeletePropagation.clearPointers(
                to: Set(forgotten.map(\.key)), in: changes, hasPropagated: true)
        }
        changes.mayHaveLapsed(inserted: .max, deleted: start)
        for object in forgotten { forgetInsertion(of: object) }
        event.hasDeletions = false
    }

    /// Takes back unsaved links to objects that are gone, as the merge of their deletion would.
    ///
    /// They know nothing of the links, so no save would meet a conflict.
    @inline(never)
    private final func dropLostDestinations() {
        let lost = changes.lostDestinations.filter { $0.context === self && $0.isLost }
        changes.lostDestinations.removeAll()
        DeletePropagation.clearPointers(
            to: Set(lost.map(\.key)), in: changes, hasPropagated: false)
    }

    /// An object that was inserted and deleted without a save leaves no trace but among the deleted
    /// objects of its event's notification.
    private final func forgetInsertion(of object: NSManagedObject) {
        if !object.flags.contains(.eventInserted) {
            changes.eventForgotten.append(object)
            changes.mayHaveLapsed(deleted: .max)
        } else if isObserved {
            changes.eventPassing.append(object)
        }
        leave(object)
    }

    /// Forgets the key that was reserved for an object that is not inserted any more; the ID that
    /// has it keeps it.
    final func dropReservation(of object: NSManagedObject) {
        guard let key = object.reservedKey else { return }
        reserved.remove(key)
        // Only one that was saved before may be in the store without this object.
        if object.extras?.formerVersion ?? 0 != 0 { familyLineage.dropReservation(key) }
        // While it can still be asked for its store.
        _ = object.objectID
    }

    final func removeInserted(_ object: NSManagedObject) {
        changes.mayHaveLapsed()
        leave(object)
    }

    private final func leave(_ object: NSManagedObject) {
        object.flags.remove([.inserted, .deleted, .updated, .propagated])
        dropReservation(of: object)
        if hasListeningChildren { merging.vanished.append(object.key) }
        registry.remove(object, for: object.key)
        object.context = nil
    }

    /// The user info of the current event's did-change notification, without empty sets.
    ///
    /// Empty if nothing can observe it: the sets would cost more than the rest of the event.
    private final func eventInfo() -> [AnyHashable: Any] {
        guard isObserved else {
            (changes.postedInserted, changes.postedUpdated) = (nil, nil)
            return [:]
        }
        var info: [AnyHashable: Any] = [:]
        var inserted = Set<NSManagedObject>(
            minimumCapacity: changes.inserted.count - changes.eventStart)
        changes.inserted[changes.eventStart...].forEachUnretained { object in
            if object.flags.contains(.inserted), !object.isDeleted { inserted.insert(object) }
        }
        if !inserted.isEmpty { changes.postedInserted = changes.eventStart == 0 ? inserted : nil }
        for object in changes.eventRevived where object.context === self && !object.isDeleted {
            inserted.insert(object)
        }
        let hasRevived = !changes.eventRevived.isEmpty
        // Those that an earlier event inserted: they were told of, and are not the same any more.
        var hasEdited = false
        var updated = Set<NSManagedObject>(minimumCapacity: changes.eventUpdated.count)
        changes.eventUpdated.forEachUnretained { object in
            let isEdited = object.flags.contains(.inserted) && !object.isDeleted
            guard isEdited || object.isUpdated else { return }
            if isEdited || hasRevived, inserted.contains(object) { return }
            hasEdited = hasEdited || isEdited
            updated.insert(object)
        }
        let deleted =
            changes.deleted[changes.eventDeletedStart...].filter { $0.flags.contains(.deleted) }
            + changes.eventForgotten + changes.eventPassing
        let refreshed = changes.eventRefreshed.filter { $0.context === self && !$0.isDeleted }
        if !inserted.isEmpty { info[NSInsertedObjectsKey] = inserted }
        changes.postedUpdated = nil
        if !updated.isEmpty {
            info[NSUpdatedObjectsKey] = updated
            if !hasEdited, changes.updated.count == updated.count {
                changes.postedUpdated = updated
            }
        }
        if !deleted.isEmpty { info[NSDeletedObjectsKey] = Set(deleted) }
        if !refreshed.isEmpty { info[NSRefreshedObjectsKey] = Set(refreshed) }
        return info
    }

    final func post(_ info: [AnyHashable: Any]) {
        guard !info.isEmpty else { return }
        followers.results?.process(info)
        announce(info, [])
    }

    /// - Parameter passing: The objects that came and went, of which change sequences say nothing:
    ///   their IDs lead nowhere.
    private final func announce(
        _ info: [AnyHashable: Any], _ passing: ContiguousArray<NSManagedObject>
    ) {
        guard !info.isEmpty, !followers.isSilent else { return }
        NotificationCenter.default.post(
            name: NotificationNames.objectsDidChange, object: self, userInfo: info)
        if followers.changeObservers != nil { announceEvent(info, passing) }
    }
}
