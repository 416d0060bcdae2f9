// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSManagedObjectContext {
    /// Writes metadata that was set on stores of the coordinator which a save did not write to.
    ///
    /// - Throws: What the stores throw; 134030 for one that was added read-only.
    final func saveMetadata() throws {
        guard let coordinator = persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores where store.hasPendingMetadata {
            guard !store.isReadOnly else {
                throw CoreDataError.make(
                    .persistentStoreSave,
                    "metadata was set on the store \(store.url?.path ?? store.identity), which was "
                        + "added read-only",
                    [NSAffectedStoresErrorKey: [store]])
            }
            switch store {
            case let store as NSAtomicStore: try store.save()
            case let store as NSIncrementalStore:
                store.gate.lock()
                defer { store.gate.unlock() }
                let request = NSSaveChangesRequest(
                    inserted: nil, updated: nil, deleted: nil, locked: nil)
                _ = try store.execute(request, with: self)
            default: try store.savePendingMetadata()
            }
            store.metadataWasSaved()
        }
    }
}

extension NSPersistentStore {
    /// The store has written its metadata.
    final func metadataWasSaved() { change { $0.hasPendingMetadata = false } }
}
