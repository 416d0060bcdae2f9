// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store

extension NSManagedObjectContext {
    /// Writes the changes in one transaction and makes the objects clean.
    ///
    /// A transaction that meets conflicts is undone. The merge policy is asked outside of it, and
    /// when it has resolved them, the changes are validated and written from the start.
    final func commit(to target: SaveTarget) throws -> SavedObjects {
        var resolution: ConflictResolution?
        while true {
            var writer = try SaveWriter(self, target, recreated: resolution?.recreated ?? [:])
            guard writer.hasWork else {
                if saving.writesMetadata { try target.owner?.savePendingMetadata() }
                return writer.finishWithoutWriting()
            }
            do {
                if target.isMain, try prepareCompanion() {
                    writer = try SaveWriter(self, target, recreated: resolution?.recreated ?? [:])
                }
                let transactionID = try write(writer, to: target)
                let hasCompanion = writer.hasCompanion
                defer { if hasCompanion { saving.companion?.didSave(transactionID) } }
                return writer.finish(transactionID)
            } catch is SaveCompanionOutdated {
                continue
            } catch SaveInterruption.conflicts {
                resolution = resolution ?? ConflictResolution(self, target)
                try resolution?.resolve(writer.conflicting)
            } catch let displaced as DisplacedEntry {
                resolution = resolution ?? ConflictResolution(self, target)
                try resolution?.resolve(displaced)
            } catch let error as StoreError where error.code == .constraint {
                resolution = resolution ?? ConflictResolution(self, target)
                try resolution?.resolve(error.collisions, writer)
            } catch let error as StoreError {
                throw CoreDataError.map(error)
            }
            processPendingChanges()
            try validate()
            try setOthersAside(target)
        }
    }

    /// Lets the companion prepare the save.
    ///
    /// - Returns: Whether that has deleted objects, as what others have committed may take some of
    ///   this context's along.
    private final func prepareCompanion() throws -> Bool {
        guard let companion = saving.companion else { return false }
        let deletions = changes.deleted.count
        try companion.prepareToSave()
        guard changes.deleted.count != deletions else { return false }
        processPendingChanges()
        try validate()
        return true
    }

    final func write(_ writer: SaveWriter, to target: SaveTarget) throws -> UInt64 {
        let store = target.store
        let (transactionID, metadata) = try store.write(mayUseReserve: changes.onlyDeletes) {
            transaction in
            if store.tracksHistory { transaction.origin = historyOrigin }
            let metadata = try target.owner?.writeMetadata(transaction)
            let number = try writer.write(transaction, hasWritten: metadata != nil)
            if target.isMain { try writeCompanion(writer, transaction) }
            try saving.beforeCommit?()
            return (number, metadata)
        }
        target.owner?.finishMetadata(metadata)
        return transactionID
    }
}

extension ChangeSet {
    /// Whether the changes only free space, and so may use the space reserved for deletions.
    fileprivate var onlyDeletes: Bool {
        !deleted.isEmpty && !liveInserted.contains { _ in true }
    }
}
