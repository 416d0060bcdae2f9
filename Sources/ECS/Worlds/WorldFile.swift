// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import RecordFormat
import Schema
import Store
import Worlds

/// The part of a world that reads and writes the file of its context.
final class WorldFile: WorldBacking, SaveCompanion {
    // The world owns this object.
    unowned let world: World
    let context: NSManagedObjectContext
    let store: Store
    /// The types that the file has, by name.
    var types: [String: StoredColumnType] = [:]
    /// The commit that the world shows.
    var seen: UInt64 = 0
    /// The state of the file whose pages the world reads in place, see ``WorldFile/show(_:)``.
    let shown = ShownState()
    /// Whether chunks were copied into memory that could be read in place again.
    var hasLeftMap = false
    // SAFETY: the world owns this object, and tells it when it ends.
    let worldReference: Unmanaged<World>
    /// What the last transaction wrote, for ``didSave(_:)``.
    var written = WrittenChunks()
    /// Types of the file that a migration has replaced, whose chunks the next save removes.
    var replaced: [ReplacedType] = []
    /// The types that the world's migrations name: it knows what has become of them.
    var migratedNames: Set<String> = []
    /// Types of the file whose values could not be taken over again after a rollback: each look and
    /// each save tries, and the save throws while that fails, as it would leave the values behind.
    var unmigrated: [ReplacedType] = []
    /// Whether a look has left a conflict for the save.
    var hasConflicts = false
    /// Acyclic relationships of which links of others came beside unsaved ones; the save decides
    /// about circles.
    var meetings: Set<String> = []
    /// The rows of unsaved game objects under whose IDs others have saved other ones, by the last
    /// look.
    var sharedRows: Set<Int> = []
    /// The rows of game objects that commands were to make, and under whose IDs others have saved
    /// other ones.
    var sharedCommandRows: Set<Int> = []
    /// The greatest row that a writer has used though another one had reserved it, by the last
    /// look.
    var takenRow = 0
    /// Whether game objects may have gone whose components are still here, or came since.
    var mayHaveOrphans = false
    /// What looks have taken out of the world, as its game objects are gone; the save decides.
    var orphans = Orphans()
    /// An error of a look at the file that had no caller to throw to.
    var pendingError: (any Error)?
    /// Managed objects of despawned game objects that could not be read, and so not be deleted:
    /// each save tries again, and throws while that fails.
    var undeleted: [ObjectKey] = []
    /// Unsaved managed objects that are in the world; they may be deleted before they are saved.
    var unsavedObjects: Set<GameObjectID> = []
    /// What the save that goes on takes out of the world, as managed game objects are deleted.
    var departures = Departures()
    /// Managed objects that are to be deleted once the context takes changes again; nil while it
    /// does.
    var deferredDeletions: [ObjectKey]?
    /// When to save without being told; nil for never.
    var autosave: Autosave?

    init(_ world: World, _ context: NSManagedObjectContext, _ store: Store) {
        self.world = world
        // SAFETY: as the property's comment says.
        worldReference = Unmanaged.passUnretained(world)
        self.context = context
        self.store = store
    }

    // MARK: SaveCompanion

    var hasUnsavedChanges: Bool {
        !replaced.isEmpty || !unmigrated.isEmpty || !undeleted.isEmpty
            || !sharedCommandRows.isEmpty || world.takenRow > takenRow
            || world.columns.contains(where: \.isDirty)
    }

    func prepareToSave() throws -> Bool {
        world.checkIdle("saving")
        context.noteUse()
        departures = Departures()
        deleteDeferred()
        try deleteUndeleted()
        // Also for those that the world does not have yet: others may have related them.
        guard hasUnsavedChanges || deletesGameObjects else { return false }
        if let error = pendingError {
            pendingError = nil
            throw error
        }
        try checkStore()
        try migrateRest()
        if world.columns.contains(where: \.isDirty) || !replaced.isEmpty {
            let kinds = world.columns.contains { $0.type.kind != .component && $0.count > 0 }
            let contents = world.columns.contains {
                $0.type.isCoded && ($0.isDirty || $0.count > 0)
            }
            try context.storage {
                try store.makeColumns(withKinds: kinds, withContents: contents)
            }
        }
        world.step()
        try showOthers(.toSave)
        // What this commits has the save begin again.
        try keepPromise()
        try deleteUndeleted()
        try findDepartures()
        return true
    }

    /// - Throws: 134070 if the context no longer has the store.
    func checkStore() throws {
        guard try context.mainStore() === store else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "the store of the context's world was removed from the coordinator; open the world "
                    + "again")
        }
    }

    func discardChanges() {
        world.checkIdle("taking changes back")
        context.noteUse()
        // As the context drops its own: half of a group would be no state that there ever was.
        world.removeUndoActions()
        (departures, unsavedObjects, undeleted) = (Departures(), [], [])
        orphans = Orphans()
        (sharedRows, sharedCommandRows) = ([], [])
        meetings = []
        (world.broughtRows, world.takenRow) = ([], 0)
        let tick = world.step() + 1
        for column in world.columns {
            for chunk in column.dirtyChunks { column.discard(chunk, tick) }
        }
        // The context is about to forget its changes, and takes no deletions yet.
        deferredDeletions = []
        // Chunks with a conflict are of an older commit: links to be ended there may be gone.
        if hasConflicts {
            seen = 0
            do { try showOthers(.atTick) } catch { pendingError = error }
        }
        (unmigrated, replaced) = (replaced + unmigrated, [])
        // The next look or save tries again, and has somebody to throw to.
        do { try migrateRest() } catch {}
        // The file may have links of game objects that others have deleted, which had been ended.
        world.endLooseLinks()
        if deferredDeletions?.isEmpty == true { deferredDeletions = nil }
        world.sweepContents()
        releaseIfClean()
    }

    /// Lets the context forget a world that has nothing to save.
    private func releaseIfClean() {
        if !hasUnsavedChanges { context.releaseSaveCompanion() }
    }

    func didSave(_ transactionID: UInt64) {
        world.takeOut(departures)
        departures = Departures()
        for (column, chunk, version) in written.chunks {
            column.becomeClean(chunk, version: version)
        }
        for type in written.types where !isLeftBehind(type) { types[type.name] = type }
        replaced = []
        // The transaction was the next one after what the world had seen.
        if written.isCommit {
            seen = transactionID
            takenRow = max(takenRow, world.takenRow)
        }
        let saved = written
        written = WrittenChunks()
        unsavedObjects = []
        (world.broughtRows, world.takenRow) = ([], 0)
        if saved.erasureNote.hasErased {
            // Of objects that the world does not take for managed game objects.
            seen = 0
            look()
        } else {
            followOwnCommit(transactionID)
        }
        settle(saved.chunks.map { ($0.column, $0.chunk) })
        autosave?.ticks = 0
        // The save has begun a tick.
        world.didLook(closing: world.tick - 1)
        world.sweepContents()
        releaseIfClean()
    }
}

extension WorldFile {
    /// Whether the file says of a type that it was made another one, and the world knows both.
    func isLeftBehind(_ type: StoredColumnType) -> Bool {
        guard let successor = ComponentType(type).successor else { return false }
        return migratedNames.contains(type.name) && migratedNames.contains(successor)
    }
}

extension ComponentType {
    /// The description that a file has.
    init(_ stored: StoredColumnType) {
        self.init(
            name: stored.name, size: Int(stored.size), stride: Int(stored.stride),
            alignment: Int(stored.alignment), fields: stored.fields,
            kind: ComponentType.kind(ofCode: stored.kind.rawValue)?.kind ?? .component,
            isCoded: stored.kind.isCoded)
    }
}

extension StoredColumnType {
    /// Whether values of both are kept under the same number in the same way.
    func isStored(as other: StoredColumnType) -> Bool {
        number == other.number && ComponentType(self).isStored(as: ComponentType(other))
    }
}
