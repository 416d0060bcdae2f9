// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Traps

extension NSManagedObject {
    /// Stored attributes, and IDs for to-one relationships, by name; `NSNull` for nil.
    final func snapshot(_ value: (Int) -> Value) -> [String: Any] {
        var result: [String: Any] = [:]
        for (position, field) in runtime.fields.enumerated() where field.isStored {
            let value = value(position)
            if case .objectID(let key) = value {
                result[field.name] = context?.objectID(for: key) ?? NSNull()
            } else {
                result[field.name] = object(value, position) ?? NSNull()
            }
        }
        return result
    }

    /// The value of a field in a record of the object at the context's snapshot.
    final func value(_ position: Int, in record: RecordView) -> Value {
        if let value = record.value(position, in: runtime.layout) { return withKeysHere(value) }
        guard let context else { return .null }
        let field = runtime.layout.fields[position]
        let bytes = context.externalValue(
            of: key, position: position, runtime: runtime,
            byteCount: record.heapByteCount(at: record.offset(of: field, in: runtime.layout)))
        return field.type == .binaryData ? .binaryData(bytes) : .transformable(bytes)
    }

    /// Forgets the record that the object knows: it is read anew from the newest state.
    final func rebase() {
        noteUnindexed()
        context?.changes.pendingIndex = nil
        extras?.ownedRecord = nil
        record = nil
        boundStamp = 0
        readStamp = 0
        forgetStoredMembers()
        for relationship in runtime.toManyRelationships where relationship.isOrdered {
            guard let state = knownToManyState(relationship.toManyIndex),
                state.hasChanges, !relationship.relationship.isTransient
            else { continue }
            // The save writes the whole order, which has to take in what is stored now.
            loadStored(state, relationship)
            state.dropSettledChanges()
        }
        noteRefreshed()
    }

    /// Has the save's did-change notification name the object, whose values a merge policy has
    /// changed without a setter.
    final func noteRefreshed() {
        guard let context,
            flags.isDisjoint(with: [.eventRefreshed, .eventInserted, .deleted])
        else { return }
        flags.insert(.eventRefreshed)
        context.changes.eventRefreshed.append(self)
    }
}

extension NSManagedObjectContext {
    /// The record of a root's object in the state that the context reads; `nil` when it is deleted
    /// there, or its store has no such state.
    final func recordAtSnapshot(of object: NSManagedObject) -> RecordView? {
        record(of: object) { try !object.key.isElsewhere || rows(object.key.tag) is FileRows }
    }

    /// The record of an object in the newest state; `nil` when it was deleted.
    final func newestRecord(of object: NSManagedObject) -> RecordView? {
        record(of: object) {
            try moveSnapshotIfOutdated()
            return true
        }
    }

    /// - Parameter prepare: Asked first, whether there is a state to read.
    private final func record(
        of object: NSManagedObject, after prepare: () throws -> Bool
    ) -> RecordView? {
        do {
            guard try prepare() else { return nil }
            if object.key.isElsewhere { return try rows(object.key.tag).newestRecord(of: object) }
            return try CoreDataError.mapping { try requireSnapshot().record(for: object.key) }
        } catch {
            lastReadError = error
            return nil
        }
    }

    /// Makes the next save check an object's version, although it may have no changes.
    ///
    /// If another context or process changes or deletes the object in between, the save then fails,
    /// or its merge policy decides. The context keeps the object until the save.
    public final func detectConflicts(for object: NSManagedObject) {
        require(
            object.context === self,
            "\(object.objectID) is not an object of this context; fetch it here by its ID")
        guard !object.isInserted, !saving.locked.contains(object) else { return }
        // A fault has no version to compare with.
        object.realise()
        saving.locked.insert(object)
    }
}
