// SPDX-License-Identifier: Apache-2.0

import Schema

/// What a context answers its children, on its own queue; a child asks its own source in turn.
extension NSManagedObjectContext {
    /// The values of an object as this context sees them; `nil` for a deleted one.
    ///
    /// Objects need not be registered here for that, and faults stay faults.
    final func valuesForChild(
        _ key: ObjectKey, _ runtime: EntityRuntime
    ) throws -> InheritedValues? {
        adoptIfNeeded()
        if let object = known(key) {
            if object.isDeleted { return nil }
            if !object.isFault { return object.inheritedValues() }
        }
        if let source { return try source.values(of: key, runtime) }
        // The root may have saved the object since the child has asked.
        let key = currentKey(of: key)
        // No store has an object that was never saved.
        return key.isTemporary ? nil : try rows(holding: key).values(of: key, runtime)
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
        if let source { return try source.members(of: key, relationship, runtime) }
        // The root may have saved the object since the child has asked.
        let key = currentKey(of: key)
        return key.isTemporary ? [] : try rows(holding: key).members(of: key, relationship, runtime)
    }
}
