// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Notes which notifications a program has ever named.
///
/// A notification center cannot be asked for observers, and the sets of a notification are a fifth
/// of what it costs to insert and save objects. An observer has to name its notification, and takes
/// the name from a constant: until the program does, the sets are not built and nothing is posted.
/// They cannot be built on demand, either: Foundation on Linux casts an `NSSet` of any other class
/// to an empty Swift set.
enum NotificationNames {
    static let willSave = Notification.Name("NSManagingContextWillSaveChangesNotification")
    static let didSave = Notification.Name("NSManagingContextDidSaveChangesNotification")
    static let didSaveObjectIDs = Notification.Name(
        "NSManagedObjectContextDidSaveObjectIDsNotification")
    static let didMergeChangesObjectIDs = Notification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
    static let objectsDidChange = Notification.Name(
        "NSObjectsChangedInManagingContextNotification")

    private static let willSaveUses = Atomic<Bool>(false)
    private static let didSaveUses = Atomic<Bool>(false)
    private static let didSaveObjectIDsUses = Atomic<Bool>(false)
    private static let didMergeChangesUses = Atomic<Bool>(false)
    private static let didChangeUses = Atomic<Bool>(false)

    static var isWillSaveUsed: Bool { willSaveUses.load(ordering: .relaxed) }
    static var isDidSaveUsed: Bool { didSaveUses.load(ordering: .relaxed) }
    static var isDidSaveObjectIDsUsed: Bool { didSaveObjectIDsUses.load(ordering: .relaxed) }
    static var isDidMergeChangesUsed: Bool { didMergeChangesUses.load(ordering: .relaxed) }
    static var isDidChangeUsed: Bool { didChangeUses.load(ordering: .relaxed) }

    static func useWillSave() -> Notification.Name {
        willSaveUses.store(true, ordering: .relaxed)
        return willSave
    }

    static func useDidSave() -> Notification.Name {
        didSaveUses.store(true, ordering: .relaxed)
        return didSave
    }

    static func useDidSaveObjectIDs() -> Notification.Name {
        didSaveObjectIDsUses.store(true, ordering: .relaxed)
        return didSaveObjectIDs
    }

    static func useDidMergeChanges() -> Notification.Name {
        didMergeChangesUses.store(true, ordering: .relaxed)
        return didMergeChangesObjectIDs
    }

    static func useDidChange() -> Notification.Name {
        didChangeUses.store(true, ordering: .relaxed)
        return objectsDidChange
    }
}
