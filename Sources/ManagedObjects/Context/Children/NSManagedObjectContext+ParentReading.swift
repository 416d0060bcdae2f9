// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import RecordFormat
import Schema
import Store

/// What a child asks its parent, on the parent's queue; a parent that is a child asks its own.
extension NSManagedObjectContext {
    /// Copies the values of an object from the parent; false when there are none.
    final func inheritValues(
        of object: NSManagedObject, from source: ParentSource
    ) throws -> Bool {
        if object.boundStamp == stamp, object.record != nil { return true }
        let key = object.key
        let values = try source.parent.enterQueue {
            try source.parent.valuesForChild(key, object.runtime)
        }
        guard let values else {
            object.record = nil
            object.boundStamp = stamp
            return false
        }
        object.bind(values, stamp: stamp)
        if !object.flags.contains(.fault), object.draft == nil { object.readStamp = uncheckedStamp }
        return true
    }

    /// The values of an object as this context sees them; `nil` for a deleted one.
    ///
    /// Objects need not be registered here for that, and faults stay faults.
    private final func valuesForChild(
        _ key: ObjectKey, _ runtime: EntityRuntime
    ) throws -> InheritedValues? {
        adoptIfNeeded()
        if let object = known(key) {
            if object.isDeleted { return nil }
            if !object.isFault { return object.inheritedValues() }
        }
        if let source {
            return try source.parent.enterQueue {
                try source.parent.valuesForChild(key, runtime)
            }
        }
        // The root may have saved the object since the child has asked.
        let key = currentKey(of: key)
        if key.isElsewhere { return try rows(key.tag).values(of: key, runtime, for: nil) }
        try moveSnapshotIfOutdated()
        let snapshot = try requireSnapshot()
        guard let record = try CoreDataError.mapping({ try snapshot.record(for: key) }) else {
            return nil
        }
        return InheritedValues(
            record: OwnedRecord(record), largeValues: largeValues(of: key, runtime, record))
    }

    /// The destinations of a to-many relationship as this context sees them: in
    /// their order, or ascending.
    final func membersForChild(
        _ key: ObjectKey, _ relationship: RelationshipRuntime, _ runtime: EntityRuntime
    ) throws -> ContiguousArray<ObjectKey> {
        adoptIfNeeded()
        if let object = known(key), !object.isFault || source == nil {
            let members = object.members(relationship)
            return relationship.isOrdered ? members : ContiguousArray(members.sorted())
        }
        if let source {
            return try source.parent.enterQueue {
                try source.parent.membersForChild(key, relationship, runtime)
            }
        }
        // The root may have saved the object since the child has asked.
        let key = currentKey(of: key)
        if key.isElsewhere { return try rows(key.tag).members(of: key, relationship, runtime) }
        let snapshot = try requireSnapshot()
        let table = snapshot.store.tables[runtime.ordinal]
        return try CoreDataError.mapping {
            try snapshot.destinations(of: key, table.relationships[relationship.position])
        }
    }

    /// The parent's matches of a fetch, as objects of this context.
    final func matches(
        of prepared: FetchPreparation, from source: ParentSource, includesPendingChanges: Bool
    ) throws -> [NSManagedObject] {
        let parent = source.parent
        let found = try parent.enterQueue {
            parent.processPendingChanges()
            return try parent.find(prepared, includesPendingChanges: includesPendingChanges)
                .objects.map { ($0.key, $0.runtime) }
        }
        adoptIfNeeded()
        return found.map { relative($0, $1) }
    }

    /// The number of the parent's matches of a fetch.
    final func countOfMatches(
        of prepared: FetchPreparation, from source: ParentSource, includesPendingChanges: Bool
    ) throws -> Int {
        let parent = source.parent
        return try parent.enterQueue {
            parent.processPendingChanges()
            return try parent.countMatches(prepared, includesPendingChanges: includesPendingChanges)
        }
    }
}
