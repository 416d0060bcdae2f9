// SPDX-License-Identifier: Apache-2.0

import Schema

/// Corrects both sides of a relationship.
///
/// Unlike setters these methods check each side, so they can be called when the sides may disagree:
/// for objects that come back, and after primitive setters.
extension NSManagedObject {
    /// Whether the own side of a relationship leads to an object.
    final func leads(to other: NSManagedObject, by relationship: RelationshipRuntime) -> Bool {
        if relationship.isToMany { return memberKey(of: other, relationship) != nil }
        guard case .objectID(let key) = fieldValue(relationship.field) else { return false }
        return other.isKnown(as: key)
    }

    /// The permanent key of an object that comes back after its saved deletion counts as well.
    private final func isKnown(as key: ObjectKey) -> Bool {
        key == self.key || key == reservedKey
    }

    private final func memberKey(
        of other: NSManagedObject, _ relationship: RelationshipRuntime
    ) -> ObjectKey? {
        let state = loadedState(relationship)
        if state.contains(other.key) { return other.key }
        guard let reserved = other.reservedKey, state.contains(reserved) else {
            return nil
        }
        return reserved
    }

    /// Makes both sides refer to each other; a former partner of either side loses its link.
    final func connect(to other: NSManagedObject, by relationship: RelationshipRuntime) {
        if !leads(to: other, by: relationship) { lead(to: other, by: relationship) }
        guard let inverse = relationship.inverse(in: other.runtime),
            !other.leads(to: self, by: inverse)
        else { return }
        other.lead(to: self, by: inverse)
    }

    /// Sets the own side, and takes the other side of a former destination back.
    final func lead(to other: NSManagedObject, by relationship: RelationshipRuntime) {
        keepCompanion(other)
        if relationship.isToMany {
            willModify()
            toManyState(relationship.toManyIndex).add(other.key)
            return
        }
        let former = destination(relationship.field)
        setField(relationship.field, .objectID(other.key))
        guard let former, former !== other,
            let inverse = relationship.inverse(in: former.runtime)
        else { return }
        dropCompanion(former.key)
        former.drop(self, by: inverse)
    }

    /// Takes an object out of the own side of a relationship, if it is there.
    final func drop(_ other: NSManagedObject, by relationship: RelationshipRuntime) {
        if relationship.isToMany {
            guard let key = memberKey(of: other, relationship) else { return }
            willModify()
            toManyState(relationship.toManyIndex).remove(key)
        } else if leads(to: other, by: relationship) {
            setField(relationship.field, .null)
        }
        dropCompanion(other.key)
    }

    /// Makes neither side lead to the other.
    final func disconnect(from other: NSManagedObject, by relationship: RelationshipRuntime) {
        drop(other, by: relationship)
        if let inverse = relationship.inverse(in: other.runtime) { other.drop(self, by: inverse) }
    }

    /// Gives the partners of an object that comes back their side again.
    ///
    /// What has happened since its deletion wins: the own side drops partners that are deleted or
    /// have another partner now.
    final func reconnectPartners() {
        for relationship in runtime.relationships
        where relationship.hasInverse {
            for partner in partners(relationship) {
                partner.realise()
                guard let inverse = relationship.inverse(in: partner.runtime),
                    !partner.leads(to: self, by: inverse)
                else { continue }
                let isTaken = !inverse.isToMany && partner.destination(inverse.field) != nil
                if isTaken || partner.isDeleted || partner.flags.contains(.inaccessible) {
                    drop(partner, by: relationship)
                } else {
                    partner.lead(to: self, by: inverse)
                }
            }
        }
    }

    /// Forgets destinations that are no objects of the context any more.
    final func dropLostPartners() {
        guard let context else { return }
        for relationship in runtime.toOneRelationships where relationship.field >= 0 {
            guard case .objectID(let key)? = draftValue(relationship.field),
                context.object(for: key) == nil
            else { continue }
            draft?[relationship.field] = .null
        }
        for case let state? in extras?.toMany ?? [] {
            for key in state.added where context.object(for: key) == nil { state.remove(key) }
        }
    }

    /// The destinations of a relationship of either cardinality.
    final func partners(_ relationship: RelationshipRuntime) -> [NSManagedObject] {
        if relationship.isToMany { return destinations(relationship) }
        guard relationship.field >= 0, let one = destination(relationship.field) else { return [] }
        return [one]
    }
}
