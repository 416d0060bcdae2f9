// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What an ``NSIncrementalStore`` is to write: all of it or none of it.
///
/// Made by a context's save; a context does not execute one.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// The objects to insert; they have their permanent IDs.
    public let insertedObjects: Set<NSManagedObject>?
    /// The objects to update.
    public let updatedObjects: Set<NSManagedObject>?
    /// The objects to delete.
    public let deletedObjects: Set<NSManagedObject>?
    /// The unchanged objects that were marked by
    /// ``NSManagedObjectContext/detectConflicts(for:)``; nil if there are none.
    public let lockedObjects: Set<NSManagedObject>?

    /// Makes a request.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?,
        updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?,
        locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
        super.init()
    }

    /// A save.
    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// A new request with the same settings and the same objects.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSSaveChangesRequest(
            inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects,
            locked: lockedObjects)
        copy.affectedStores = affectedStores
        return copy
    }
}
