// SPDX-License-Identifier: Apache-2.0

import Schema
import Store

// What the layers above need of a context beyond Core Data's API.

extension NSManagedObject {
    /// The key that other objects' records and other databases refer to the object by.
    package final var storedKey: ObjectKey { extras?.reservedKey ?? key }

    /// The key under which the context knows the object now.
    package final var contextKey: ObjectKey { key }

    /// Whether a to-many relationship has unsaved changes.
    package final func hasUnsavedMembers(_ name: String) -> Bool {
        // What the parent has not saved is not stored either.
        if context?.source != nil { return true }
        guard case .toMany(let index)? = runtime.references[name] else { return false }
        return knownToManyState(index)?.hasChanges ?? false
    }
}

extension NSManagedObjectContext {
    /// The snapshot to read other databases through, moved to the newest state.
    package final func readSnapshot() throws -> StoreSnapshot {
        // A child's own objects read through the parent: this one is for what is stored.
        guard source == nil else { return try storage { try requireStore().makeSnapshot() } }
        try moveSnapshotIfOutdated()
        return try requireSnapshot()
    }

    /// The object of a key of the store, deleted ones left out.
    package final func liveObject(for key: ObjectKey) -> NSManagedObject? {
        guard let object = object(for: key), !object.isDeleted else { return nil }
        if source != nil, object.isFault { fire(object) }
        return object.flags.contains(.inaccessible) ? nil : object
    }

    /// The registered object of a key, if it has unsaved changes.
    package final func changedObject(for key: ObjectKey) -> NSManagedObject? {
        guard let object = registry[key], object.hasChanges else { return nil }
        return object
    }

    /// The inserted objects, the updated and the deleted ones, without making sets.
    package final var unsavedObjects:
        (inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject])
    {
        (
            changes.liveInserted.filter { !$0.isDeleted } + inheritedUnsaved(\.inserted),
            Array(changes.liveUpdated) + inheritedUnsaved(\.updated), Array(changes.liveDeleted)
        )
    }

    /// What the parent has not saved either, as clean objects of this child.
    private final func inheritedUnsaved(
        _ list: KeyPath<ChangeSet, ContiguousArray<NSManagedObject>>
    ) -> [NSManagedObject] {
        guard let source else { return [] }
        let parent = source.parent
        let found = parent.enterQueue {
            parent.changes[keyPath: list].filter { $0.hasChanges && !$0.isDeleted }
                .map { ($0.key, $0.runtime) }
                + parent.inheritedUnsaved(list).map { ($0.key, $0.runtime) }
        }
        return found.map { relative($0, $1) }.filter { !$0.hasChanges }
    }

    /// The numbers that the store gave to the entity of a class and to those that inherit from it.
    package final func entityNumbers(of type: NSManagedObject.Type) throws -> [EntityNumber] {
        let tables = try requireStore().tables
        if type == NSManagedObject.self { return tables.map(\.number) }
        _ = entity(for: type)
        guard let runtime = model.runtime(for: type) else { return [] }
        return runtime.family.map { tables[$0.ordinal].number }
    }

    /// Something that a layer above keeps until the next save, rollback or reset.
    package final func attachment<Attachment: AnyObject>(
        _ type: Attachment.Type, make: () -> Attachment
    ) -> Attachment {
        if let known = attachments[ObjectIdentifier(type)] as? Attachment { return known }
        let made = make()
        attachments[ObjectIdentifier(type)] = made
        return made
    }

    /// Runs a storage operation with Core Data's error codes.
    package final func storage<Result>(_ body: () throws -> Result) throws -> Result {
        try CoreDataError.mapping(body)
    }
}
