// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// What the resolving policies make of objects with the same values of a uniqueness constraint.
struct ConstraintMerge {
    private let conflict: NSConstraintConflict
    let context: NSManagedObjectContext
    private let stored: NSManagedObject?
    private let incoming: [NSManagedObject]
    /// The survivor of each removed object: pointers without inverse are replaced once for all
    /// conflicts.
    private(set) var replacements: [ObjectKey: ObjectKey?] = [:]

    /// Which values a survivor takes from an object that is folded into it.
    private enum Values {
        case none
        case set
        case all
    }

    /// `nil` when earlier resolutions have left nothing that collides.
    init?(_ conflict: NSConstraintConflict) {
        let live = conflict.conflictingObjects.filter { $0.context != nil && !$0.isDeleted }
        let stored = conflict.databaseObject.flatMap {
            $0.context == nil || $0.isDeleted ? nil : $0
        }
        guard let context = live.first?.context, live.count + (stored == nil ? 0 : 1) > 1,
            stored != nil || conflict.databaseObject == nil
        else { return nil }
        self.conflict = conflict
        self.context = context
        self.stored = stored
        incoming = live
    }

    mutating func apply(_ type: NSMergePolicyType) {
        switch type {
        case .errorMergePolicyType: break
        case .mergeByPropertyStoreTrumpMergePolicyType: keepStored(dropsAllChanges: false)
        case .rollbackMergePolicyType: keepStored(dropsAllChanges: true)
        case .mergeByPropertyObjectTrumpMergePolicyType: keepIncoming(.set)
        case .overwriteMergePolicyType: keepIncoming(.all)
        }
    }

    private mutating func keepStored(dropsAllChanges: Bool) {
        let survivor = stored ?? incoming.first { !$0.isInserted } ?? incoming[0]
        for object in incoming where object !== survivor {
            if object.isInserted {
                fold(object, into: survivor, .none)
            } else if dropsAllChanges {
                object.takeBackChanges()
                object.rebase()
            } else {
                takeBackConstraint(of: object)
            }
        }
        adoptInstance(survivor)
    }

    private func takeBackConstraint(of object: NSManagedObject) {
        for name in conflict.constraint {
            guard case .field(let position)? = object.runtime.references[name] else { continue }
            object.takeBackField(
                position, object.runtime.toOne(at: position),
                base: object.storedValue(position))
        }
    }

    private mutating func keepIncoming(_ values: Values) {
        let survivor = incoming.first { !$0.isInserted } ?? stored ?? incoming[0]
        if let stored, stored !== survivor { fold(stored, into: survivor, .none) }
        for object in incoming where object !== survivor { fold(object, into: survivor, values) }
        adoptInstance(survivor)
    }

    /// Moves what an object has to the survivor, and removes the object.
    private mutating func fold(
        _ object: NSManagedObject, into survivor: NSManagedObject, _ values: Values
    ) {
        survivor.realise()
        if values != .none { copyAttributes(of: object, to: survivor, values) }
        for relationship in object.runtime.toOneRelationships where relationship.field >= 0 {
            let destination = object.destination(relationship.field)
            object.setDestination(relationship, nil)
            guard values == .all || values == .set && destination != nil,
                let own = counterpart(of: relationship, in: survivor),
                destination.map({ own.leads(to: $0) }) != false
            else { continue }
            survivor.setDestination(own, destination)
        }
        for relationship in object.runtime.toManyRelationships {
            let own = counterpart(of: relationship, in: survivor)
            for destination in object.destinations(relationship) {
                object.remove(destination, from: relationship)
                if let own, own.leads(to: destination) { survivor.insert(destination, into: own) }
            }
        }
        replacements[object.key] = survivor.key
        if object.isInserted {
            context.discardInsertion(of: object, inFavourOf: survivor)
        } else {
            context.delete(object)
        }
    }

    /// The survivor's relationship of the same name and kind.
    ///
    /// The two may be of sibling entities, where a name says nothing: what it leads to has to be
    /// checked as well.
    private func counterpart(
        of relationship: RelationshipRuntime, in survivor: NSManagedObject
    ) -> RelationshipRuntime? {
        survivor.runtime.relationship(like: relationship).flatMap {
            $0.isToMany == relationship.isToMany ? $0 : nil
        }
    }

    private func copyAttributes(
        of object: NSManagedObject, to survivor: NSManagedObject, _ values: Values
    ) {
        for (position, field) in object.runtime.fields.enumerated() where !field.isRelationship {
            guard case .field(let own)? = survivor.runtime.references[field.name],
                survivor.runtime.fields[own].type == field.type
            else { continue }
            let value = object.fieldValue(position)
            if values == .all || value != field.defaultValue, value != survivor.fieldValue(own) {
                survivor.setValue(value, settledAt: own)
            }
        }
    }

    /// Notes the new instance that will be the stored object if the context did not know that
    /// before the save.
    ///
    /// So the code that inserted it can keep using its instance. Until the policy has returned, the
    /// stored object is the one that counts: a program's own policy may change it after calling
    /// super.
    private func adoptInstance(_ survivor: NSManagedObject) {
        guard survivor === stored, !conflict.knewDatabaseObject,
            let instance = incoming.last(where: {
                $0.context == nil && $0.runtime === survivor.runtime
            })
        else { return }
        conflict.heir = instance
    }
}

extension NSManagedObjectContext {
    /// Takes back the insertion of an object that another one replaces.
    fileprivate final func discardInsertion(
        of object: NSManagedObject, inFavourOf survivor: NSManagedObject
    ) {
        // Those who were told of it are told that it is gone.
        if !object.flags.contains(.eventInserted) { changes.eventForgotten.append(object) }
        object.flags.remove(.eventInserted)
        dropReservation(of: object)
        // An ID handed out before becomes that of the survivor.
        if !survivor.key.isTemporary {
            _ = object.objectID
            object.becomePermanent(survivor.key, storeNumber(of: survivor.key))
        }
        removeInserted(object)
    }
}
