// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Metadata of stores that a save of objects has not written.
extension NSManagedObjectContext {
    /// Writes the metadata that was set and is not in its store yet; a child has no stores.
    final func saveStoreMetadata() throws {
        guard source == nil, let coordinator = persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores {
            if store.isCustom {
                try saveOwnMetadata(of: store)
            } else {
                try store.savePendingMetadata()
            }
        }
    }

    private final func saveOwnMetadata(of store: NSPersistentStore) throws {
        guard store.read({ $0.hasUnsavedMetadata && !$0.isReadOnly }) else { return }
        if let atomic = store as? NSAtomicStore {
            try atomic.save()
        } else if let incremental = store as? NSIncrementalStore {
            incremental.gate.lock()
            defer { incremental.gate.unlock() }
            let request = NSSaveChangesRequest(
                inserted: nil, updated: nil, deleted: nil, locked: nil)
            _ = try incremental.execute(request, with: self)
        }
        store.metadataWasSaved()
    }
}

extension NSPersistentStore {
    /// A store of the program's own has written its metadata.
    final func metadataWasSaved() { change { $0.hasUnsavedMetadata = false } }
}
