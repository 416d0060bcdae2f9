// SPDX-License-Identifier: Apache-2.0

import Schema

/// Applies the delete rules of one deleted object.
enum DeletePropagation {
    static func propagate(_ object: NSManagedObject) {
        for relationship in object.runtime.toOneRelationships {
            guard relationship.field >= 0, let target = object.destination(relationship.field)
            else { continue }
            apply(relationship, of: object, to: [target])
        }
        for relationship in object.runtime.toManyRelationships {
            let rule = relationship.relationship.deleteRule
            // Without an inverse to correct, destinations matter to a cascade only.
            guard rule == .cascade || relationship.hasInverse,
                rule != .noAction || object.isInserted
            else { continue }
            apply(relationship, of: object, to: object.destinations(relationship))
        }
    }

    private static func apply(
        _ relationship: RelationshipRuntime, of object: NSManagedObject,
        to destinations: [NSManagedObject]
    ) {
        for destination in destinations where destination.flags.contains(.gone) {
            destination.context?.noticeReturn(of: destination)
        }
        switch relationship.relationship.deleteRule {
        // An object that was never saved leaves no trace, whatever the rule says.
        case .noAction where !object.isInserted:
            // The link of a to-one is in the record that goes, so the members of the other end lose
            // it, as a row of Core Data's store takes its foreign key along.
            for destination in destinations
            where !destination.isDeleted
                && relationship.inverse(in: destination.runtime)?.isToMany == true
            {
                nullify(relationship, of: object, in: destination)
            }
        case .deny where !object.isInserted: break  // Checked when the deletion is validated.
        case .cascade:
            for destination in destinations where !destination.isDeleted {
                let link = CascadeLink(
                    owner: object, relationship: relationship, destination: destination)
                destination.context?.cascade(along: link)
            }
        case .nullify, .noAction, .deny:
            for destination in destinations where !destination.isDeleted {
                nullify(relationship, of: object, in: destination)
            }
        }
    }

    fileprivate static func nullify(
        _ relationship: RelationshipRuntime, of object: NSManagedObject,
        in destination: NSManagedObject
    ) {
        guard let inverse = relationship.inverse(in: destination.runtime) else { return }
        // Others may have deleted what a deleted object still leads to.
        destination.realise()
        guard !destination.isDeleted else { return }
        destination.lose(object, inverse)
    }
}

/// A link from a deleted object to one that its deletion deletes.
struct CascadeLink {
    let owner: NSManagedObject
    let relationship: RelationshipRuntime
    let destination: NSManagedObject

    /// Takes the owner from the destination's side, unless that is deleted by now.
    func cut() {
        guard !destination.isDeleted else { return }
        DeletePropagation.nullify(relationship, of: owner, in: destination)
    }
}

extension DeletePropagation {
    /// The changed objects to delete along with objects that others have deleted: unsaved changes
    /// have made them destinations of a cascade.
    ///
    /// Saved destinations are not included: the save of the deletion has applied its rules to them.
    static func dependents(
        of gone: [NSManagedObject], in changes: ChangeSet
    ) -> [NSManagedObject] {
        let owners = gone.filter { object in
            object.runtime.relationships.contains { $0.relationship.deleteRule == .cascade }
        }
        guard !owners.isEmpty else { return [] }
        let ownersByKey = Dictionary(
            owners.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return (Array(changes.liveInserted) + Array(changes.liveUpdated)).filter { object in
            !object.isDeleted && object.depends(onAnyOf: ownersByKey)
        }
    }

    /// Clears unsaved references to objects that leave without the delete rules.
    ///
    /// - Parameters:
    ///   - keys: Objects that were never saved, to which only changed objects can point, or objects
    ///     that others have deleted.
    ///   - changes: The changed objects.
    ///   - hasPropagated: Whether delete rules have cleared the inverses already.
    static func clearPointers(
        to keys: Set<ObjectKey>, in changes: ChangeSet, hasPropagated: Bool
    ) {
        guard !keys.isEmpty else { return }
        for object in Array(changes.liveInserted) + Array(changes.liveUpdated) {
            object.clearPointers(to: keys, hasPropagated: hasPropagated)
        }
    }
}

extension NSManagedObject {
    /// Whether an unsaved change refers to an owner whose deletion cascades to this object.
    ///
    /// - Parameter owners: The owners by their keys: there may be as many as changed objects.
    fileprivate final func depends(onAnyOf owners: [ObjectKey: NSManagedObject]) -> Bool {
        runtime.relationships.contains { relationship in
            func isOwner(_ key: ObjectKey) -> Bool {
                guard let owner = owners[key] else { return false }
                let inverse = relationship.inverse(in: owner.runtime)
                return inverse?.relationship.deleteRule == .cascade
            }
            if relationship.isToMany {
                let state = knownToManyState(relationship.toManyIndex)
                return state?.added.contains(where: isOwner) ?? false
            }
            guard case .objectID(let key)? = draftValue(relationship.field) else { return false }
            return isOwner(key)
        }
    }

    fileprivate final func clearPointers(to keys: Set<ObjectKey>, hasPropagated: Bool) {
        if let draft {
            for position in runtime.fields.indices {
                guard case .objectID(let key)? = draft[position], keys.contains(key) else {
                    continue
                }
                willModify()
                draft[position] = .null
            }
        }
        for relationship in runtime.toManyRelationships
        where !(relationship.hasInverse && hasPropagated) {
            guard let state = knownToManyState(relationship.toManyIndex) else { continue }
            // Not each key: there may be as many as changed objects.
            for key in state.added where keys.contains(key) {
                willModify()
                state.remove(key)
            }
        }
    }

    /// Throws while destinations of deny relationships remain, an error for each of these.
    final func validateDenyRules() throws {
        var errors: [any Error] = []
        for relationship in runtime.relationships
        where relationship.relationship.deleteRule == .deny {
            let remaining =
                relationship.isToMany
                ? destinations(relationship).contains { !$0.isDeleted }
                : destination(relationship.field).map { !$0.isDeleted } ?? false
            guard remaining else { continue }
            let name = relationship.relationship.name
            errors.append(
                ValidationError.make(
                    .validationRelationshipDeniedDelete, self, name,
                    "it still has destinations; delete them or take them out first",
                    value: modelledValue(forKey: name)))
        }
        if !errors.isEmpty { throw ValidationError.combine(errors) }
    }
}
