// SPDX-License-Identifier: Apache-2.0

import Schema

/// Where a context's objects come from if it does not read its snapshot: its parent, or one of
/// several stores.
///
/// A child asks its ``ParentSource``. A root asks a ``StoreSource`` for each store, but only if its
/// coordinator has further stores or a fetch names stores: otherwise it reads its snapshot in place
/// and makes no source.
///
/// All keys are the context's. What a source answers is copied into the objects, but for the
/// records of a further file, which are read in place.
protocol ObjectSource: MatchSource {
    /// The newest values of an object; `nil` if the source does not have it.
    func values(of key: ObjectKey, _ runtime: EntityRuntime) throws -> InheritedValues?
    /// The destinations of a to-many relationship: in their order, or ascending.
    func members(
        of key: ObjectKey, _ relationship: RelationshipRuntime, _ runtime: EntityRuntime
    ) throws -> ContiguousArray<ObjectKey>
    /// Gives inserted objects their permanent keys before the save.
    func reserve(_ objects: [NSManagedObject]) throws
    /// Takes changed objects, all or none, and makes them clean.
    ///
    /// - Returns: The objects that were saved; a merge policy may have left out some.
    func save(_ group: SavedObjects, locked: [NSManagedObject]) throws -> SavedObjects
}

extension NSManagedObjectContext {
    /// The source of an object; `nil` if the context reads it from its snapshot.
    @inline(__always)
    final func objectSource(of key: ObjectKey) throws -> (any ObjectSource)? {
        if let source { return source }
        return key.isElsewhere ? try rows(key.tag) : nil
    }

    /// Has an object keep a copy of its values; false if its source does not have it.
    final func bind(_ object: NSManagedObject, to source: any ObjectSource) throws -> Bool {
        if object.boundStamp == stamp, object.record != nil { return true }
        // A copy stays what it is when the snapshot moves.
        if let owned = object.extras?.ownedRecord {
            object.record = owned.view
            object.boundStamp = stamp
            return true
        }
        guard let values = try source.values(of: object.key, object.runtime) else {
            object.record = nil
            object.boundStamp = stamp
            return false
        }
        object.bind(values, stamp: stamp)
        if !object.flags.contains(.fault), !object.hasDraft { object.readStamp = uncheckedStamp }
        return true
    }
}
