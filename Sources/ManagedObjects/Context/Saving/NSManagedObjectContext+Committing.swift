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
                if target.isMain {
                    let companion = try prepareCompanion()
                    if companion.hasDeleted {
                        let recreated = resolution?.recreated ?? [:]
                        writer = try SaveWriter(self, target, recreated: recreated)
                    }
                    writer.hasCompanion = companion.takesPart
                }
                let transactionID = try write(writer, to: target)
                let hasCompanion = writer.hasCompanion
                defer {
                    if hasCompanion {
                        saving.companion?.didSave(transactionID)
                    } else if target.isMain {
                        saving.companion?.followCommits()
                    }
                }
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
            processResolution()
            try validate()
            try setOthersAside(target)
        }
    }

    /// Processes what the merge policy has changed, which is part of what others did and is not
    /// undone: an object that was deleted elsewhere has no earlier values to come back with.
    private final func processResolution() {
        undoManager?.disableUndoRegistration()
        defer { undoManager?.enableUndoRegistration() }
        processPendingChanges()
    }

    final func write(_ writer: SaveWriter, to target: SaveTarget) throws -> UInt64 {
        let body = { (transaction: SaveTransaction) throws in
            if target.store.tracksHistory { transaction.origin = self.historyOrigin }
            let metadata = try target.owner?.writeMetadata(transaction)
            let number = try writer.write(transaction, hasWritten: metadata != nil)
            if target.isMain { try self.writeCompanion(writer, transaction) }
            try self.saving.beforeCommit?()
            return (result: (number: number, metadata: metadata), note: writer.note(number))
        }
        let saved: (number: UInt64, metadata: Data?)
        if maySaveWithOthers(writer, target.store) {
            queue.isLent.store(true, ordering: .relaxed)
            defer { queue.isLent.store(false, ordering: .relaxed) }
            let written = try target.store.writeJoining(body) { target.changeLog?.append($0) }
            writer.isAlone = written.memberCount == 1
            saved = written.result
        } else {
            let written = try target.store.write(mayUseReserve: changes.onlyDeletes, body)
            target.changeLog?.append([written.note])
            saved = written.result
        }
        target.owner?.finishMetadata(saved.metadata)
        return saved.number
    }

    /// Whether the save may share its commit with saves of other threads.
    ///
    /// They wait for each other, so it must be small, and nothing may run in its transaction that
    /// waits for what another thread holds: neither a program's code nor the companion's locks.
    /// Deletions may end chunks of value components, whose versions a commit raises once. The
    /// transaction runs on the thread that came first, which is none of a context that is checked
    /// for its queue.
    private final func maySaveWithOthers(_ writer: SaveWriter, _ store: Store) -> Bool {
        (writer.deleted.isEmpty || !writer.inserted.isEmpty && !store.hasColumns)
            && saving.companion == nil && saving.beforeCommit == nil && !queue.isChecked
            && writer.objectCount <= NSManagedObjectContext.greatestSharedCount
    }

    /// How many objects a save has at most that shares its commit.
    private static var greatestSharedCount: Int { 256 }
}

extension ChangeSet {
    /// Whether the changes only free space, and so may use the space reserved for deletions.
    fileprivate var onlyDeletes: Bool {
        !deleted.isEmpty && !liveInserted.contains { _ in true }
    }
}
