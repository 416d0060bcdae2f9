// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Notes which notifications a program has ever named.
///
/// A notification center cannot be asked for observers, and a set of object IDs costs more than
/// the insertion of the object. An observer has to name its notification, and takes the name from
/// a constant: as long as nobody did, the sets are not built and nothing is posted.
enum NotificationNames {
    static let didSaveObjectIDs = Notification.Name(
        "NSManagedObjectContextDidSaveObjectIDsNotification")
    static let didMergeChangesObjectIDs = Notification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
    static let objectsDidChange = Notification.Name(
        "NSObjectsChangedInManagingContextNotification")

    private static let didSaveObjectIDsUses = Atomic<Bool>(false)
    private static let didMergeChangesUses = Atomic<Bool>(false)
    private static let didChangeUses = Atomic<Bool>(false)

    static var isDidSaveObjectIDsUsed: Bool { didSaveObjectIDsUses.load(ordering: .relaxed) }
    static var isDidMergeChangesUsed: Bool { didMergeChangesUses.load(ordering: .relaxed) }
    static var isDidChangeUsed: Bool { didChangeUses.load(ordering: .relaxed) }

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
