// SPDX-License-Identifier: Apache-2.0

import Schema
import Store

// What the layers above need of a context beyond Core Data's API.

extension NSManagedObject {
    /// The key that other objects' records and other databases refer to the object by.
    package final var storedKey: ObjectKey { reservedKey ?? key }

    /// The key under which the context knows the object now.
    package final var contextKey: ObjectKey { key }

    /// A number that grows from one object of an entity to the next; those of unsaved ones are
    /// greater than all of saved ones.
    package final var orderNumber: UInt64 {
        // A temporary key has no entity, and would come first.
        key.isTemporary ? key.rawValue | ~ObjectKey.rowMask : key.rawValue
    }

    /// The permanent key of an object of the coordinator's main store; nil before it has one.
    package final var mainStoreKey: ObjectKey? {
        let key = storedKey
        return key.isTemporary || key.isElsewhere || key.rawValue == 0 ? nil : key
    }

    /// Whether a to-many relationship has unsaved changes.
    package final func hasUnsavedMembers(_ key: borrowing PropertyKey) -> Bool {
        // What the parent has not saved is not stored either.
        if context?.source != nil { return true }
        guard extras != nil else { return false }
        let index = key.relationship(in: runtimeReference).toManyIndex
        return knownToManyState(index)?.hasChanges ?? false
    }

    /// The key of the destination of a to-one relationship, whether or not there is such an object.
    package final func destinationKey(_ key: borrowing PropertyKey) -> ObjectKey? {
        let value = fieldValue(key.field(in: runtimeReference))
        guard case .objectID(let destination) = value else { return nil }
        return destination
    }

    /// The text of a string or URI attribute.
    package final func text(_ key: borrowing PropertyKey) -> String? {
        switch value(key) {
        case .uri(let text), .string(let text): text
        default: nil
        }
    }

    /// Sets a string or URI attribute; the text must be that of a URI.
    package final func setText(_ text: String?, _ key: borrowing PropertyKey) {
        guard let text else { return writeNull(key) }
        let position = key.field(in: runtimeReference)
        setField(position, runtime.fieldTypes[position] == .string ? .string(text) : .uri(text))
    }
}

extension NSManagedObjectContext {
    /// The snapshot to read other databases through, moved to the newest state; for contexts
    /// without a parent.
    package final func readSnapshot() throws -> StoreSnapshot {
        try newestSnapshot()
    }

    /// The store that objects without another one are in.
    package final func mainStore() throws -> Store { try requireStore() }

    /// Changes when the coordinator's main store is removed: what was found out of that store stays
    /// right as long as this stays the same.
    package final var mainStoreGeneration: Int { lostMainCount ?? -1 }

    /// The key of an object ID's object in a store of the coordinator; `nil` for a temporary ID
    /// whose object has no permanent one, and for an object of another store.
    package final func storedKey(of id: NSManagedObjectID) -> ObjectKey? {
        let key = id.currentKey
        guard key.isTemporary else {
            return id.currentStore === persistentStore ? key : localKey(of: id)
        }
        adoptIfNeeded()
        return known(key).flatMap { permanentKey(of: $0) }
    }

    /// The permanent key of an object in the coordinator's main store, also where an ancestor alone
    /// knows it yet; nil before it has one.
    package final func permanentKey(of object: NSManagedObject) -> ObjectKey? {
        if let key = object.mainStoreKey { return key }
        guard let source, object.key.isTemporary, !object.isInserted else { return nil }
        let (parent, key) = (source.parent, object.key)
        return parent.enterQueue { parent.known(key).flatMap { parent.permanentKey(of: $0) } }
    }

    /// The object of a key of the store, deleted ones left out.
    package final func liveObject(for key: ObjectKey) -> NSManagedObject? {
        guard let object = object(for: key), !object.isDeleted else { return nil }
        if source != nil || object.isUnread, object.isFault { fire(object) }
        return object.flags.contains(.inaccessible) ? nil : object
    }

    /// The objects of keys of the store in their order, deleted ones left out.
    package final func liveObjects(
        for keys: ContiguousArray<ObjectKey>
    ) -> [NSManagedObject] {
        guard source == nil else { return keys.compactMap { liveObject(for: $0) } }
        var objects = self.objects(for: keys)
        // Asked first: usually there is none, and the array stays as it is.
        if objects.contains(where: { $0.isDeleted || $0.flags.contains(.inaccessible) }) {
            objects.removeAll { object in
                if object.isUnread, object.isFault { fire(object) }
                return object.isDeleted || object.flags.contains(.inaccessible)
            }
        }
        return objects
    }

    /// The same as objects of a class; those of others, as only a damaged file has them, are left
    /// out.
    package final func liveObjects<Object: NSManagedObject>(
        for keys: ContiguousArray<ObjectKey>, as class: Object.Type
    ) -> [Object] {
        let objects: [NSManagedObject] = liveObjects(for: keys)
        // Checked once a class, not once an object.
        var checked: NSManagedObject.Type?
        for object in objects where type(of: object) != checked {
            guard object is Object else { return objects.compactMap { $0 as? Object } }
            checked = type(of: object)
        }
        // SAFETY: the same references under another static type. The loop above has checked an
        // object of each class among them.
        return unsafeBitCast(objects, to: [Object].self)
    }

    /// The object of a key with its values; `nil` where it is deleted or was never saved.
    package final func existingObject(for key: ObjectKey) throws -> NSManagedObject? {
        guard let object = object(for: key) else { return nil }
        if object.flags.contains(.gone) { try moveSnapshotIfOutdated() }
        if object.isDeleted { return nil }
        if object.isInserted { return object }
        guard object.flags.contains(.fault) || object.isUnread else {
            return object.flags.contains(.inaccessible) ? nil : object
        }
        try moveSnapshotIfOutdated()
        guard object.context === self, try bindThrowing(object) else { return nil }
        if object.isFault { finishFiring(object) } else { object.flags.remove(.inaccessible) }
        return object
    }

    /// The registered object of a key, if it has unsaved changes.
    package final func changedObject(for key: ObjectKey) -> NSManagedObject? {
        guard let object = registry[key], object.hasChanges else { return nil }
        return object
    }

    /// Whether a permanent key is that of an object that the next save inserts.
    package final func isInserted(_ key: ObjectKey) -> Bool {
        // SAFETY: the table stays as it is meanwhile.
        reserved.unretained(key)?._withUnsafeGuaranteedRef { $0.isInserted && !$0.isDeleted }
            ?? false
    }

    /// Whether objects were deleted, and may be still.
    package final var hasUnsavedDeletions: Bool { !changes.deleted.isEmpty }

    /// The deleted objects, without making a set.
    package final var unsavedDeletions: [NSManagedObject] {
        changes.deleted.isEmpty ? [] : Array(changes.liveDeleted)
    }

    /// The objects of some entities that were deleted, those of each entity in one list.
    ///
    /// Some may have come back since. A list only grows as long as the token is the same.
    ///
    /// - Parameter numbers: The entities, as the main store numbers them.
    package final func unsavedDeletions(
        of numbers: [EntityNumber]
    ) throws -> (lists: [ContiguousArray<NSManagedObject>], token: AnyObject) {
        let (store, index, unsaved) = (try requireStore(), requirePendingIndex(), unsavedLists)
        let lists = numbers.map { number in
            store.ordinal(of: number).map { index.deleted(ofEntity: $0, unsaved) } ?? []
        }
        return (lists, index)
    }

    /// The numbers that the store gave to the entity of a class and to those that inherit from it.
    package final func entityNumbers(of type: NSManagedObject.Type) throws -> [EntityNumber] {
        let tables = try requireStore().tables
        if type == NSManagedObject.self { return tables.map(\.number) }
        let runtime = runtime(for: entity(for: type))
        if runtime.subRuntimes.isEmpty { return [tables[runtime.ordinal].number] }
        return runtime.family.map { tables[$0.ordinal].number }
    }

    /// Something that a layer above keeps until the next save, rollback or reset.
    package final func attachment<Attachment: AnyObject>(
        _ type: Attachment.Type, make: () -> Attachment
    ) -> Attachment {
        if let known = attachment(type) { return known }
        let made = make()
        saving.attachments.append((ObjectIdentifier(type), made))
        return made
    }

    /// The same; nil where nothing of the type is kept.
    @inline(__always)
    package final func attachment<Attachment: AnyObject>(_ type: Attachment.Type) -> Attachment? {
        // By their places: a loop over the list would retain it and each of them.
        for index in saving.attachments.indices
        where saving.attachments[index].type == ObjectIdentifier(type) {
            // SAFETY: only the method above sets an attachment, under the identity of its type.
            return unsafeDowncast(saving.attachments[index].value, to: type)
        }
        return nil
    }

    /// Forgets all attachments, as what they were made of is gone.
    package final func dropAttachments() { saving.attachments.removeAll() }

    /// Runs a storage operation with Core Data's error codes.
    package final func storage<Result>(_ body: () throws -> Result) throws -> Result {
        try CoreDataError.mapping(body)
    }
}

extension NSManagedObjectContext {
    /// Whether the context has a parent.
    package final var hasParent: Bool { source != nil }

    /// Asks the parent for an object, on its queue, and gives its counterpart here.
    package final func inherited(
        _ find: (NSManagedObjectContext) throws -> NSManagedObject?
    ) throws -> NSManagedObject? {
        try inheritedList { parent in try find(parent).map { [$0] } ?? [] }.first
    }

    /// Asks the parent for objects, on its queue, and gives their counterparts here.
    package final func inheritedList(
        _ find: (NSManagedObjectContext) throws -> [NSManagedObject]
    ) throws -> [NSManagedObject] {
        guard let source else { return [] }
        let parent = source.parent
        let found = try parent.enterQueue { try find(parent).map { ($0.key, $0.runtime) } }
        adoptIfNeeded()
        return found.map { relative($0, $1) }
    }
}
