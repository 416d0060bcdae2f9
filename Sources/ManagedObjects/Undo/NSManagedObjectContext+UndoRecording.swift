// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension NSManagedObjectContext {
    /// Registers one action for everything that the current event has changed.
    ///
    /// Runs after the delete rules and before the event's lists are emptied. Setters of equal
    /// values alone register nothing.
    final func registerUndo(_ capture: EventCapture) {
        guard let undoManager, undoManager.isUndoRegistrationEnabled else { return }
        let entries = undoEntries(capture)
        guard !entries.isEmpty else { return }
        let action = UndoAction(entries, self)
        // Not retained: a context that has gone leaves the manager's list first, on any thread.
        let identifier = ObjectIdentifier(self)
        let participants = undoManager.participants
        undoManager.register(
            UndoOperation(target: identifier) {
                participants?.living(identifier)?.perform(action)
            })
    }

    private final func undoEntries(_ capture: EventCapture) -> [UndoAction.Entry] {
        var entries: [UndoAction.Entry] = []
        var known: Set<ObjectIdentifier> = []
        let revived = Set(changes.eventRevived.map { ObjectIdentifier($0) })
        for object in changes.inserted[changes.eventStart...] where object.isInserted {
            known.insert(ObjectIdentifier(object))
            entries.append(UndoAction.Entry(object: object, kind: .insertion))
        }
        for object in changes.eventRevived where known.insert(ObjectIdentifier(object)).inserted {
            guard object.context === self, !object.flags.contains(.deleted) else { continue }
            entries.append(UndoAction.Entry(object: object, kind: .insertion))
        }
        let deleted = changes.deleted[changes.eventDeletedStart...].filter {
            $0.flags.contains(.deleted)
        }
        // Not those that a refresh has made faults of.
        let forgotten = changes.eventForgotten.filter { $0.context == nil }
        for object in deleted + forgotten
        where known.insert(ObjectIdentifier(object)).inserted
            && !revived.contains(ObjectIdentifier(object)) && hasValues(object)
        {
            entries.append(deletionEntry(object, capture.image(of: object)))
        }
        for image in capture.images.values where !known.contains(ObjectIdentifier(image.object)) {
            let object = image.object
            // An object that became a fault has let go of its changes; they are not taken back.
            guard object.context === self, !object.flags.contains(.fault), hasValues(object) else {
                continue
            }
            let entry = UndoAction.Entry(
                object: object, kind: .update, fields: image.changedFields,
                members: image.changedMembers)
            if !entry.fields.isEmpty || !entry.members.isEmpty { entries.append(entry) }
        }
        return entries
    }

    /// False for an object whose record was gone before it was read: nothing is known that could
    /// come back.
    private final func hasValues(_ object: NSManagedObject) -> Bool {
        !object.flags.contains(.gone)
    }

    /// All values of an object as before the event: once its deletion is saved, they are nowhere
    /// else.
    private final func deletionEntry(
        _ object: NSManagedObject, _ image: ObjectImage?
    ) -> UndoAction.Entry {
        var entry = UndoAction.Entry(object: object, kind: .deletion)
        entry.version = object.currentRecord()?.version ?? object.extras?.formerVersion ?? 0
        for position in object.runtime.fields.indices {
            let value =
                image?.value(position) ?? object.knownValue(position)
            entry.fields.append((position, value))
        }
        let changed = image?.changedMembers ?? []
        for relationship in object.runtime.toManyRelationships {
            let change = changed.first { $0.index == relationship.toManyIndex }
            let current = object.members(relationship)
            let former: [ObjectKey]
            if relationship.isOrdered {
                former = Array(change?.formerOrder ?? current)
            } else {
                former = Set(current).subtracting(change?.appeared ?? [])
                    .union(change?.gone ?? []).sorted()
            }
            entry.members.append(
                MemberChange(
                    relationship.toManyIndex, gone: former, isOrdered: relationship.isOrdered))
        }
        return entry
    }
}
