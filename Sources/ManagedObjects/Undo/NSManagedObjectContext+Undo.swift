// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema

extension NSManagedObjectContext {
    /// Does what ``undo()`` says.
    final func undoChanges() {
        checkQueue()
        processPendingChanges()
        undoManager?.undo()
    }

    /// Does what ``redo()`` says.
    final func redoChanges() {
        checkQueue()
        processPendingChanges()
        undoManager?.redo()
    }

    /// Takes one event back, as an event of its own, whose action is the redo.
    ///
    /// Objects come back before the values that refer to them, and inserted ones are removed once
    /// nothing refers to them.
    final func perform(_ action: UndoAction) {
        let entries = action.entries.filter(\.isOfSameObject)
        for entry in entries where entry.kind == .deletion {
            comeBack(entry.object, formerVersion: entry.version)
        }
        for entry in entries where entry.object.context === self && !entry.object.isDeleted {
            restore(entry, action)
        }
        for entry in entries where entry.kind == .insertion { withdraw(entry.object) }
        for entry in entries where entry.object.context === self {
            wake(entry.object, entry.kind.event)
        }
        processPendingChanges()
    }

    /// Takes the deletion of an object back; one whose deletion was saved becomes part of the
    /// context again.
    private final func comeBack(_ object: NSManagedObject, formerVersion: UInt32) {
        if object.context === self, object.flags.contains(.deleted) {
            return revive(object, reconnects: false)
        }
        guard object.context == nil else { return }
        // A child may have pushed changes over the deleted record: the object is back already.
        if !object.key.isTemporary, registry[object.key]?.hasChanges == true { return }
        if isThereAgain(object.key) { return }
        object.context = self
        if !object.key.isTemporary {
            // Its deletion was saved: it is inserted again, under the permanent key that it had.
            let permanent = object.key
            object.key = making.temporaryKeys.next()
            object.takeReservedKey(permanent, storeNumber(of: permanent))
            noteFormer(object, version: max(formerVersion, 1))
        } else if object.reservedKey != nil {
            // A saved object may lead to its key, although it was never saved itself.
            changes.returned.append(object)
        }
        if let permanent = object.reservedKey { reserve(permanent, for: object) }
        object.extras?.dropMembers()
        object.extras?.ownedRecord = nil
        object.record = nil
        object.boundStamp = 0
        object.readStamp = 0
        object.draft = RecordDraft.make(values: object.runtime.defaults)
        object.flags = [.inserted, .eventInserted]
        registry.insert(object, for: object.key)
        retainIfAsked(object)
        changes.inserted.append(object)
        noteIndexable(object)
    }

    /// Whether others have written the record of a deleted object anew: there is nothing to insert.
    private final func isThereAgain(_ key: ObjectKey) -> Bool {
        guard source == nil, !key.isTemporary else { return false }
        do { try moveSnapshotIfOutdated() } catch { lastReadError = error }
        return isThere(key) == true
    }

    /// Gives an object the values of an entry, with both sides of relationships.
    private final func restore(_ entry: UndoAction.Entry, _ action: UndoAction) {
        let object = entry.object
        object.realise()
        if entry.kind == .deletion { dropLaterMembers(of: object, entry, action) }
        for (position, value) in entry.fields {
            if let relationship = object.runtime.toOne(at: position) {
                let partner = destination(of: value, by: relationship, action)
                restore(relationship, of: object, to: partner)
            } else if object.fieldValue(position) != value {
                object.setField(position, value)
            }
        }
        for change in entry.members {
            let relationship = object.runtime.toManyRelationships[change.index]
            for key in change.appeared {
                guard let former = partner(behind: key, by: relationship, action)
                else { continue }
                object.disconnect(from: former, by: relationship)
            }
            for key in change.gone {
                guard let partner = partner(behind: key, by: relationship, action)
                else { continue }
                object.connect(to: partner, by: relationship)
            }
            if let order = change.formerOrder { restore(order, of: object, relationship, action) }
        }
    }

    /// Takes out the members that a deleted object got in the event of its deletion.
    ///
    /// The delete rules have cleared the other sides only, and an object that is still deleted
    /// comes back with the members that it had last.
    private final func dropLaterMembers(
        of object: NSManagedObject, _ entry: UndoAction.Entry, _ action: UndoAction
    ) {
        for change in entry.members {
            let relationship = object.runtime.toManyRelationships[change.index]
            let former = Set(
                change.gone.compactMap { partner(behind: $0, by: relationship, action)?.key })
            for member in object.destinations(relationship) where !former.contains(member.key) {
                object.disconnect(from: member, by: relationship)
            }
        }
    }

    /// Puts the destinations of an ordered relationship in the order that they had; those that
    /// were not there then stay behind them.
    private final func restore(
        _ order: ContiguousArray<ObjectKey>, of object: NSManagedObject,
        _ relationship: RelationshipRuntime, _ action: UndoAction
    ) {
        let current = object.members(relationship)
        var rest = Set(current)
        var keys = ContiguousArray(
            order.compactMap { partner(behind: $0, by: relationship, action)?.key }.filter {
                rest.remove($0) != nil
            })
        keys.append(contentsOf: current.filter { rest.contains($0) })
        guard keys != current else { return }
        object.willModify()
        object.toManyState(relationship.toManyIndex).setOrder(keys)
    }

    private final func restore(
        _ relationship: RelationshipRuntime, of object: NSManagedObject,
        to destination: NSManagedObject?
    ) {
        if let destination {
            object.connect(to: destination, by: relationship)
        } else if let former = object.destination(relationship.field) {
            object.disconnect(from: former, by: relationship)
        } else if !object.fieldValue(relationship.field).isNull {
            object.setField(relationship.field, .null)
        }
    }

    private final func destination(
        of value: Value, by relationship: RelationshipRuntime, _ action: UndoAction
    ) -> NSManagedObject? {
        guard case .objectID(let key) = value else { return nil }
        return partner(behind: key, by: relationship, action)
    }

    /// The partner that had a key when the action was registered, unless it is gone, or the rules
    /// of its deletion have cut the link.
    private final func partner(
        behind key: ObjectKey, by relationship: RelationshipRuntime, _ action: UndoAction
    ) -> NSManagedObject? {
        guard let object = action.temporaries[key] ?? self.object(for: key),
            object.context === self, !object.isDeleted || object.keepsLinks(of: relationship)
        else { return nil }
        object.realise()
        return object.flags.contains(.inaccessible) ? nil : object
    }

    /// Takes an object out again whose insertion is undone.
    ///
    /// Not by the delete rules: a cascade would delete what the event only connected to it.
    private final func withdraw(_ object: NSManagedObject) {
        guard object.context === self, !object.isDeleted else { return }
        object.realise()
        for relationship in object.runtime.relationships
        where relationship.hasInverse {
            for partner in object.partners(relationship) where !partner.isDeleted {
                if let inverse = relationship.inverse(in: partner.runtime) {
                    partner.drop(object, by: inverse)
                }
            }
        }
        markDeleted(object)
        object.flags.insert(.propagated)
    }
}

extension NSManagedObject {
    /// Whether a deletion that waits for its save leaves the links of a partner's relationship: one
    /// that may be denied does, and one without an action where the partner leads to one object.
    fileprivate final func keepsLinks(of relationship: RelationshipRuntime) -> Bool {
        guard flags.contains(.deleted), flags.isDisjoint(with: [.gone, .inserted]),
            let own = relationship.inverse(in: runtime)
        else { return false }
        return switch own.relationship.deleteRule {
        case .deny: true
        case .noAction: !relationship.isToMany
        case .cascade, .nullify: false
        }
    }
}

extension UndoAction.Entry.Kind {
    /// The event that an object gets when an entry of the kind is taken back.
    fileprivate var event: NSSnapshotEventType {
        switch self {
        case .insertion: .undoInsertion
        case .deletion: .undoDeletion
        case .update: .undoUpdate
        }
    }
}
