// SPDX-License-Identifier: Apache-2.0

import Schema

/// The changes that an object keeps when its own are dropped: those that changes of its partners
/// made to its relationships.
struct ForeignChanges {
    fileprivate var lost: [Int] = []
    fileprivate var members: [(index: Int, added: [ObjectKey], removed: [ObjectKey])] = []
    fileprivate var wasPropagated = false

    fileprivate init() {}

    /// Makes the changes again, once the object is a fault.
    func apply(to object: NSManagedObject) {
        for field in lost { object.setField(field, .null) }
        for (index, added, removed) in members {
            object.willModify()
            let state = object.toManyState(index)
            for key in removed { state.remove(key) }
            for key in added { state.add(key) }
        }
        if wasPropagated { object.reconnectPartners() }
    }
}

extension NSManagedObject {
    /// Takes the own changes of relationships back on their other sides, before they are dropped.
    ///
    /// Each link is kept on both sides in the file, so both have to agree. If the other side is
    /// to-one, that side decides: a member that was added, or that has another owner by now, stays
    /// where it is; one without an owner comes back.
    final func withdrawChanges() -> ForeignChanges? {
        guard hasChanges, runtime.hasRelationships, !flags.contains(.inaccessible) else {
            return nil
        }
        var result = ForeignChanges()
        result.wasPropagated = flags.contains(.propagated)
        for relationship in runtime.toOneRelationships
        where relationship.hasInverse && !relationship.relationship.isTransient {
            guard let own = draftValue(relationship.field) else { continue }
            guard own != storedValue(relationship.field) else { continue }
            if !withdraw(own, relationship, newestValue(relationship.field)) {
                result.lost.append(relationship.field)
            }
        }
        for relationship in runtime.toManyRelationships
        where relationship.hasInverse && !relationship.relationship.isTransient {
            guard let state = knownToManyState(relationship.toManyIndex), state.hasChanges else {
                continue
            }
            let added = state.added.filter { !withdraw(member: $0, relationship, isThere: true) }
            // Others may have ended the link, or deleted this object: then nothing comes back.
            let stored =
                state.removed.isEmpty
                ? [] : Set(context?.storedMembers(of: self, relationship) ?? [])
            let removed = state.removed.filter {
                stored.contains($0) && !withdraw(member: $0, relationship, isThere: false)
            }
            if added.isEmpty && removed.isEmpty { continue }
            result.members.append(
                (relationship.toManyIndex, added.sorted(), removed.sorted()))
        }
        return result
    }

    /// The destination that the object has once its changes are dropped: others may have changed it
    /// since the object was read, or deleted the object.
    private final func newestValue(_ field: Int) -> Value {
        guard let context else { return storedValue(field) }
        if let source = context.source {
            do {
                guard let values = try source.values(of: key, runtime) else { return .null }
                return withExtendedLifetime(values.record) {
                    values.record.view.value(field, in: runtime.layout) ?? .null
                }
            } catch {
                context.lastReadError = error
                return storedValue(field)
            }
        }
        if let record = context.recordAtSnapshot(of: self) { return value(field, in: record) }
        return context.isThere(key) == false ? .null : storedValue(field)
    }

    /// Goes back to the stored destination; false where that one is deleted or has another partner.
    private final func withdraw(
        _ own: Value, _ relationship: RelationshipRuntime, _ stored: Value
    ) -> Bool {
        if case .objectID(let key) = own, let partner = context?.object(for: key),
            let inverse = relationship.inverse(in: partner.runtime)
        {
            partner.drop(self, by: inverse)
        }
        guard case .objectID(let key) = stored, let former = context?.object(for: key),
            let inverse = relationship.inverse(in: former.runtime)
        else { return true }
        if former.isDeleted { return false }
        if former.leads(to: self, by: inverse) { return true }
        if !inverse.isToMany, former.destination(inverse.field) != nil { return false }
        former.lead(to: self, by: inverse)
        return true
    }

    /// Takes the change of a member back on its side; false where that is the member's own change.
    private final func withdraw(
        member key: ObjectKey, _ relationship: RelationshipRuntime, isThere: Bool
    ) -> Bool {
        guard let member = context?.object(for: key),
            let inverse = relationship.inverse(in: member.runtime)
        else { return true }
        if member.isDeleted { return false }
        if !inverse.isToMany, isThere || member.destination(inverse.field) != nil { return false }
        if isThere {
            member.drop(self, by: inverse)
        } else if !member.leads(to: self, by: inverse) {
            member.lead(to: self, by: inverse)
        }
        return true
    }
}
