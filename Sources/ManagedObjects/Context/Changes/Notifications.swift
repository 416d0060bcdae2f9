// SPDX-License-Identifier: Apache-2.0

import Foundation

// Notifications are delivered at once, on the queue of the context that posts them. A key is
// absent when nothing falls under it. They are posted once the program has used their constant.

extension Notification.Name {
    /// A context saved; the user info holds sets of inserted, updated and deleted objects.
    ///
    /// Posted once the program has used this constant; a program that only writes the name as text
    /// does not get it.
    public static var NSManagedObjectContextDidSave: Notification.Name {
        NotificationNames.useDidSave()
    }
    /// A context is about to save; no user info.
    ///
    /// Posted once the program has used this constant.
    public static var NSManagedObjectContextWillSave: Notification.Name {
        NotificationNames.useWillSave()
    }
    /// Objects of a context changed; the user info holds sets of inserted, updated, deleted and
    /// refreshed objects, or the IDs of all when a context forgot them.
    ///
    /// Posted once the program has used this constant.
    public static var NSManagedObjectContextObjectsDidChange: Notification.Name {
        NotificationNames.useDidChange()
    }
    /// A context saved; the user info holds sets of object IDs.
    ///
    /// Posted once the program has used this constant.
    public static var NSManagedObjectContextDidSaveObjectIDs: Notification.Name {
        NotificationNames.useDidSaveObjectIDs()
    }
    /// A context merged what others saved; the user info holds sets of object IDs: what the save
    /// inserted, updated and deleted, and which realised objects were refreshed here.
    ///
    /// Posted once the program has used this constant.
    public static var NSManagedObjectContextDidMergeChangesObjectIDs: Notification.Name {
        NotificationNames.useDidMergeChanges()
    }
}

extension NSManagedObjectContext {
    /// A context saved; the user info holds sets of objects.
    public static var didSaveObjectsNotification: Notification.Name {
        .NSManagedObjectContextDidSave
    }
    /// Objects of a context changed; the user info holds sets of objects.
    public static var didChangeObjectsNotification: Notification.Name {
        .NSManagedObjectContextObjectsDidChange
    }
    /// A context is about to save.
    public static var willSaveObjectsNotification: Notification.Name {
        .NSManagedObjectContextWillSave
    }
    /// A context saved; the user info holds sets of object IDs.
    public static var didSaveObjectIDsNotification: Notification.Name {
        .NSManagedObjectContextDidSaveObjectIDs
    }
    /// A context merged what others saved; the user info holds sets of object IDs.
    public static var didMergeChangesObjectIDsNotification: Notification.Name {
        .NSManagedObjectContextDidMergeChangesObjectIDs
    }

    /// The keys of the notifications' user info.
    public enum NotificationKey: String, Sendable {
        /// The query generation that a context was pinned to.
        case queryGeneration = "managedObjectContextQueryGeneration"
        /// The IDs of all objects, when a context forgot everything.
        case invalidatedAllObjects = "invalidatedAll"
        /// The set of inserted objects.
        case insertedObjects = "inserted"
        /// The set of updated objects.
        case updatedObjects = "updated"
        /// The set of deleted objects.
        case deletedObjects = "deleted"
        /// The set of objects that were read anew.
        case refreshedObjects = "refreshed"
        /// The set of objects that lost their values.
        case invalidatedObjects = "invalidated"
        /// The set of the IDs of inserted objects.
        case insertedObjectIDs = "inserted_objectIDs"
        /// The set of the IDs of updated objects.
        case updatedObjectIDs = "updated_objectIDs"
        /// The set of the IDs of deleted objects.
        case deletedObjectIDs = "deleted_objectIDs"
        /// The set of the IDs of objects that were read anew.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// The set of the IDs of objects that lost their values.
        case invalidatedObjectIDs = "invalidated_objectIDs"
    }
}

/// User info: the set of inserted objects.
public let NSInsertedObjectsKey = "inserted"
/// User info: the set of updated objects.
public let NSUpdatedObjectsKey = "updated"
/// User info: the set of deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// User info: the set of objects that were read anew.
public let NSRefreshedObjectsKey = "refreshed"
/// User info: the set of objects that lost their values.
public let NSInvalidatedObjectsKey = "invalidated"
/// User info: the IDs of all objects, when a context forgot everything.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// User info: the set of the IDs of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// User info: the set of the IDs of updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// User info: the set of the IDs of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// User info: the set of the IDs of objects that were read anew.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// User info: the set of the IDs of objects that lost their values.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
/// User info: the query generation that a context was pinned to.
public let NSManagedObjectContextQueryGenerationKey = "managedObjectContextQueryGeneration"
