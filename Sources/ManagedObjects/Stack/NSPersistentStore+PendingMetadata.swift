// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store

/// Metadata that was set and is not in the file yet.
extension NSPersistentStore {
    /// Writes the entries that were set; returns them for ``finishMetadata(_:)`` after the commit.
    final func writeMetadata(_ transaction: SaveTransaction) throws -> Data? {
        guard let data = pendingMetadata.withLock({ $0 }) else { return nil }
        try transaction.setMetadata(Array(data), for: StoreMetadata.entryName)
        return data
    }

    /// The entries are in the file: forgets them, unless others were set meanwhile.
    final func finishMetadata(_ written: Data?) {
        guard let written else { return }
        pendingMetadata.withLock { pending in
            if pending == written { pending = nil }
        }
    }

    /// Writes the entries that were set, where no save of objects does.
    final func savePendingMetadata() throws {
        guard let store, pendingMetadata.withLock({ $0 }) != nil else { return }
        finishMetadata(try CoreDataError.mapping { try store.write(writeMetadata) })
    }

    /// Whether entries were set that no save has written.
    final var hasPendingMetadata: Bool {
        isCustom
            ? read { $0.hasPendingMetadata } : pendingMetadata.withLock { $0 != nil }
    }

    /// Writes the entries that were set into a copy of the file.
    final func writePendingMetadata(intoCopyAt url: URL) throws {
        guard let data = pendingMetadata.withLock({ $0 }) else { return }
        let copy = try StoreMetadata.open(
            url, type: NSSQLiteStoreType, isReadOnly: false, options: options)
        try CoreDataError.mapping {
            try copy.write { try $0.setMetadata(Array(data), for: StoreMetadata.entryName) }
        }
    }
}
