// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Posts what happens to a coordinator's stores, once a program has named a notification of it.
///
/// The first post of a process takes longer than the opening of a store.
enum StoreNotifications {
    private static let isUsed = Atomic<Bool>(false)

    static func use(_ name: String) -> Notification.Name {
        isUsed.store(true, ordering: .relaxed)
        return Notification.Name(name)
    }

    static func post(
        _ name: @autoclosure () -> Notification.Name, by object: NSObject, _ key: String,
        _ store: NSPersistentStore
    ) {
        guard isUsed.load(ordering: .relaxed) else { return }
        NotificationCenter.default.post(name: name(), object: object, userInfo: [key: [store]])
    }
}

extension Notification.Name {
    /// Stores were added to a coordinator or removed from it; posted by the coordinator, with lists
    /// of stores under ``NSAddedPersistentStoresKey`` or ``NSRemovedPersistentStoresKey``.
    ///
    /// Posted once the program has used this constant.
    public static var NSPersistentStoreCoordinatorStoresDidChange: Notification.Name {
        StoreNotifications.use("NSPersistentStoreCoordinatorStoresDidChangeNotification")
    }
    /// Stores are about to change; kept for compatibility, as only cloud stores do so by
    /// themselves.
    public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification")
    /// A store is about to be removed; posted by the store, which is also in the list under
    /// ``NSRemovedPersistentStoresKey``.
    ///
    /// Posted once the program has used this constant.
    public static var NSPersistentStoreCoordinatorWillRemoveStore: Notification.Name {
        StoreNotifications.use("NSPersistentStoreCoordinatorWillRemoveStoreNotification")
    }
}

/// The stores that were added.
public let NSAddedPersistentStoresKey = "added"
/// The stores that were removed or are about to be.
public let NSRemovedPersistentStoresKey = "removed"
/// The stores whose identity changed: never there, as a store keeps its identity.
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"
