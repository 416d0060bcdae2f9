// SPDX-License-Identifier: Apache-2.0

import Foundation

extension StoreAddition {
    /// Takes a store out of a coordinator, and its objects out of the contexts.
    static func remove(
        _ store: NSPersistentStore, from coordinator: NSPersistentStoreCoordinator
    ) throws {
        guard coordinator.persistentStores.contains(where: { $0 === store }) else {
            throw StoreRemoval.error(store)
        }
        StoreNotifications.post(
            .NSPersistentStoreCoordinatorWillRemoveStore, by: store,
            NSRemovedPersistentStoresKey, store)
        store.willRemove(from: coordinator)
        FormerStores.note(store)
        coordinator.changeStores { stores in
            stores.all.removeAll { $0 === store }
            if stores.main === store {
                stores.main = nil
                stores.formerMains.append(store.identity)
                coordinator.loseMainStore()
            }
            for index in stores.further.indices where stores.further[index]?.store === store {
                stores.further[index] = nil
            }
        }
        store.close()
        coordinator.snapshotOwners.noticeRemoval()
        StoreNotifications.post(
            .NSPersistentStoreCoordinatorStoresDidChange, by: coordinator,
            NSRemovedPersistentStoresKey, store)
    }
}

extension NSPersistentStoreCoordinator {
    /// Whether a store holds objects of an entity.
    final func holds(_ runtime: EntityRuntime, in store: NSPersistentStore) -> Bool {
        guard persistentStores.contains(where: { $0 === store }) else { return false }
        return store.read { $0.entityNames?.contains(runtime.name) ?? true }
    }
}
