// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Notification.Name {
    /// A context saved; the user info holds sets of objects.
    public static let NSManagedObjectContextDidSave = Notification.Name(
        "NSManagingContextDidSaveChangesNotification")
    /// A context is about to save.
    public static let NSManagedObjectContextWillSave = Notification.Name(
        "NSManagingContextWillSaveChangesNotification")
    /// Objects of a context changed; the user info holds sets of objects.
    public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
        "NSObjectsChangedInManagingContextNotification")
}

extension NSManagedObjectContext {
    /// A context saved; the user info holds sets of objects.
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
    /// Objects of a context changed; the user info holds sets of objects.
    public static let didChangeObjectsNotification =
        Notification.Name.NSManagedObjectContextObjectsDidChange
    /// A context is about to save.
    public static let willSaveObjectsNotification =
        Notification.Name.NSManagedObjectContextWillSave
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
