// SPDX-License-Identifier: Apache-2.0

import Store
import Traps

/// What a layer above keeps in the file of a context, and saves in the transaction of its objects.
///
/// A context has one at most. It keeps it alive while there is something to save, as it does with
/// objects.
package protocol SaveCompanion: AnyObject {
    /// Whether there is anything to save.
    var hasUnsavedChanges: Bool { get }
    /// Deletes what goes along with a deleted object, as delete rules do; the object itself may
    /// come back before the save.
    func propagateDeletion(of object: NSManagedObject)
    /// Prepares a save; runs before its transaction, once each time that the save starts over, and
    /// again if it has deleted objects.
    ///
    /// - Returns: Whether the companion takes part in the save.
    func prepareToSave() throws -> Bool
    /// Writes the changes; may be called again for one save, so it leaves no trace in memory.
    ///
    /// - Returns: Whether anything was written.
    /// - Throws: ``SaveCompanionOutdated`` to begin the save again.
    func write(_ transaction: SaveTransaction) throws -> Bool
    /// Takes note of the commit of what was written last.
    func didSave(_ transactionID: UInt64)
    /// Forgets unsaved changes, for `rollback()` and `reset()`.
    func discardChanges()
    /// Others have committed, or this context without changes of the companion: lets states of the
    /// file go that need not be kept.
    ///
    /// May run on another thread, while the context is idle.
    func followCommits()
    /// Stops reading the file in place, as its map is about to move.
    ///
    /// As ``followCommits()`` on any thread; it must not wait for another one.
    ///
    /// - Returns: Whether it has; false where it cannot at the time.
    func leaveMap() -> Bool
}

/// Others have committed since a companion prepared the save.
package struct SaveCompanionOutdated: Error {
    /// The error.
    package init() {}
}

extension NSManagedObjectContext {
    /// What is saved together with the context's objects; set once.
    package final var saveCompanion: (any SaveCompanion)? {
        get { saving.companion }
        set { saving.companion = newValue }
    }

    /// Keeps the owner of the companion alive until there is nothing to save.
    package final func holdSaveCompanion(_ owner: AnyObject) { saving.companionOwner = owner }

    /// Lets the owner of the companion go.
    package final func releaseSaveCompanion() { saving.companionOwner = nil }

    /// Has the companion hear of commits of others, to be called on the context's queue.
    package final func attachSaveCompanion() {
        noteUse()
        snapshotOwner.attach(self)
        snapshotOwner.hasCompanion.store(true, ordering: .releasing)
        persistentStoreCoordinator?.snapshotOwners.add(snapshotOwner)
    }

    /// Has the companion asked when the map has to move that a snapshot of its own reads.
    package final func parkSaveCompanion(with snapshot: StoreSnapshot) {
        snapshot.onRemap { [snapshotOwner] in
            snapshotOwner.parkForRemap(SnapshotOwner.companionTag)
        }
    }

    /// Writes the companion's changes if it takes part in the save.
    final func writeCompanion(_ writer: SaveWriter, _ transaction: SaveTransaction) throws {
        guard writer.hasCompanion, let companion = saving.companion else { return }
        if try companion.write(transaction) { writer.hasWritten = true }
    }

    /// Lets the companion prepare the save, and applies delete rules to what it deletes, as what
    /// others have committed may take some of this context's objects along.
    ///
    /// - Returns: Whether the companion takes part, and whether it has deleted objects.
    final func prepareCompanion() throws -> (takesPart: Bool, hasDeleted: Bool) {
        var hasDeleted = false
        for _ in 0..<1_000 {
            // Asked for each time, as a validation may let its owner go.
            guard let companion = saving.companion else { return (false, hasDeleted) }
            let deletions = changes.deleted.count
            let takesPart = try companion.prepareToSave()
            if changes.deleted.count == deletions { return (takesPart, hasDeleted) }
            hasDeleted = true
            processPendingChanges()
            try validate()
        }
        trap("objects that go with deleted ones are still brought back after 1000 rounds")
    }
}
