// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

/// Relationships: both sides change together.
extension NSManagedObject {
    /// The destination of the to-one relationship at a position.
    final func destination(_ position: Int) -> NSManagedObject? {
        runtime.toOne(at: position).flatMap { destination($0) }
    }

    /// The destination of a to-one relationship.
    final func destination(_ relationship: RelationshipRuntime) -> NSManagedObject? {
        guard case .objectID(let key) = fieldValue(relationship.field),
            let object = related(key)
        else { return nil }
        return relationship.leads(to: object) ? object : noteMisfit(object, relationship)
    }

    /// Notes a destination that is of another entity than the model says, as only a damaged file
    /// has it: it reads as none.
    @inline(never)
    final func noteMisfit(
        _ object: NSManagedObject, _ relationship: RelationshipRuntime
    ) -> NSManagedObject? {
        context?.lastReadError = CoreDataError.make(
            .persistentStoreOperation,
            "\(runtime.entity.name).\(relationship.relationship.name) of \(objectID) leads to "
                + "\(object.objectID), which is no \(relationship.destination.entity.name); the "
                + "file is damaged: restore it from a copy")
        return nil
    }

    /// Sets a to-one relationship and its inverse.
    final func setDestination(_ relationship: RelationshipRuntime, _ object: NSManagedObject?) {
        if let object { checkContext(of: object, relationship) }
        realise()
        let new: Value = object.map { .objectID($0.key) } ?? .null
        if let object { keepCompanion(object) }
        let old = exchangeField(relationship.field, new)
        if flags.contains(.untracked) { context?.changes.hasLoosePointers = true }
        guard old != new else { return }
        let isTwoSided = !flags.contains(.untracked) && relationship.hasInverse
        if case .objectID(let key) = old {
            if isTwoSided { related(key)?.forget(self, inverseOf: relationship) }
            dropCompanion(key)
        }
        if isTwoSided { object?.remember(self, inverseOf: relationship) }
    }

    /// Adds a destination to a to-many relationship and maintains the inverse.
    final func insert(_ object: NSManagedObject, into relationship: RelationshipRuntime) {
        checkContext(of: object, relationship)
        willModify()
        let state = loadedState(relationship)
        guard !state.contains(object.key) else { return }
        keepCompanion(object)
        state.add(object.key)
        guard !flags.contains(.untracked) else {
            context?.changes.hasLoosePointers = true
            return
        }
        object.remember(self, inverseOf: relationship)
    }

    /// Removes a destination from a to-many relationship and maintains the inverse.
    final func remove(_ object: NSManagedObject, from relationship: RelationshipRuntime) {
        willModify()
        let state = loadedState(relationship)
        guard state.contains(object.key) || isUnread else { return }
        state.remove(object.key)
        dropCompanion(object.key)
        guard !flags.contains(.untracked) else {
            context?.changes.hasLoosePointers = true
            return
        }
        object.forget(self, inverseOf: relationship)
    }

    /// Replaces the destinations of a to-many relationship; an ordered one keeps the order of
    /// those that stay and appends the others.
    final func replace(_ objects: [NSManagedObject], of relationship: RelationshipRuntime) {
        let target = Set(objects.map(\.key))
        willModify()
        let current = members(relationship)
        for key in current where !target.contains(key) {
            if let object = related(key) { remove(object, from: relationship) }
        }
        noteReplacement(relationship)
        for object in objects { insert(object, into: relationship) }
    }

    /// The destinations as objects: in their order, else ascending by ID.
    ///
    /// Makes faults only; no record is read.
    final func destinations(_ relationship: RelationshipRuntime) -> [NSManagedObject] {
        related(members(relationship))
    }

    /// A to-many state that knows what is stored, so that additions and removals cancel out.
    final func loadedState(_ relationship: RelationshipRuntime) -> ToManyState {
        let state = toManyState(relationship.toManyIndex)
        loadStored(state, relationship)
        return state
    }

    /// Takes note that an object now points here through a relationship.
    final func remember(
        _ object: NSManagedObject, inverseOf relationship: RelationshipRuntime
    ) {
        if object.isLost { return }
        // SAFETY: the object's model keeps the relationship.
        relationship.inverseReference(inEntity: runtimeOrdinal)?._withUnsafeGuaranteedRef {
            remember(object, by: $0, relationship)
        }
    }

    private final func remember(
        _ object: NSManagedObject, by inverse: RelationshipRuntime,
        _ relationship: RelationshipRuntime
    ) {
        keepCompanion(object)
        if inverse.isToMany {
            willModify()
            return addMember(object.key, inverse.toManyIndex)
        }
        catchUp()
        let former = fieldValue(inverse.field)
        setField(inverse.field, .objectID(object.key))
        guard case .objectID(let key) = former, key != object.key, let partner = related(key)
        else { return }
        dropCompanion(key)
        partner.lose(self, relationship)
    }

    /// Takes note that an object no longer points here through a relationship.
    final func forget(
        _ object: NSManagedObject, inverseOf relationship: RelationshipRuntime
    ) {
        guard let inverse = relationship.inverse(in: runtime) else { return }
        drop(object, inverse)
    }

    /// Drops an object from one of the own relationships, without touching its side.
    final func lose(_ object: NSManagedObject, _ relationship: RelationshipRuntime) {
        guard
            let own = relationship.ordinal == runtime.ordinal
                ? relationship : runtime.relationship(like: relationship)
        else { return }
        drop(object, own)
    }

    private final func drop(_ object: NSManagedObject, _ own: RelationshipRuntime) {
        if own.isToMany {
            let state = toManyState(own.toManyIndex)
            // The delete rules of one object may run again: what they took back the first time is
            // no member any more.
            if state.takenBack.contains(object.key), !loadedState(own).contains(object.key),
                !isUnread
            {
                return
            }
            willModify()
            state.remove(object.key)
        } else {
            catchUp()
            if case .objectID(object.key) = fieldValue(own.field) { setField(own.field, .null) }
        }
        dropCompanion(object.key)
    }

    final func checkContext(
        of object: NSManagedObject, _ relationship: RelationshipRuntime
    ) {
        // The usual case, in which no reference is counted.
        if let contextReference, relationship.leads(to: object),
            object.contextReference?.toOpaque() == contextReference.toOpaque()
        {
            return
        }
        require(
            context != nil || object.context == nil || flags.contains(.fresh),
            "\(runtime.entity.name).\(relationship.relationship.name) cannot be changed: "
                + "\(objectID) is in no context any more, as its deletion was saved or its context "
                + "was reset")
        require(
            object.context === context,
            "\(runtime.entity.name).\(relationship.relationship.name) cannot lead to an object of "
                + "another context: \(object.objectID); fetch it in this context by its ID, or "
                + "insert what has no context yet")
        require(
            object.runtime.isKind(of: relationship.destination),
            "\(runtime.entity.name).\(relationship.relationship.name) takes objects of "
                + "\(relationship.destination.entity.name), not of \(object.runtime.entity.name)")
    }
}
