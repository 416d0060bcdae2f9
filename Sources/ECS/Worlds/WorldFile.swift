// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import RecordFormat
import Schema
import Store
import Traps
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
    /// What the last transaction wrote, for ``didSave(_:)``.
    var written = WrittenChunks()
    /// Types of the file that a migration has replaced, whose chunks the next save removes.
    var replaced: [ReplacedType] = []
    /// Whether a look has left a conflict for the save.
    var hasConflicts = false
    /// Whether game objects may have gone whose components are still here, or came since.
    var mayHaveOrphans = false
    /// An error of a look at the file that had no caller to throw to.
    var pendingError: (any Error)?
    /// Why the managed object of a despawned game object was not deleted.
    private var deletionError: (any Error)?
    /// Unsaved managed objects that are in the world; they may be deleted before they are saved.
    private var unsavedObjects: Set<GameObjectID> = []
    /// Whether the save that goes on deletes managed game objects.
    private var deletesObjects = false

    init(_ world: World, _ context: NSManagedObjectContext, _ store: Store) {
        self.world = world
        self.context = context
        self.store = store
    }

    // MARK: Opening

    /// Reads all columns of the newest commit.
    func open(_ migrations: [ColumnMigration]) throws {
        try context.storage {
            try store.findColumns()
            let snapshot = try store.makeSnapshot()
            try adopt(try snapshot.columnTypes())
            // First what stays: values of the new type win over those that come from the old one.
            var due: [(StoredColumnType, ColumnMigration)] = []
            for type in types.values.sorted(by: { $0.number < $1.number }) {
                if let migration = migrations.first(where: { $0.old == ComponentType(type) }) {
                    due.append((type, migration))
                    types[type.name] = nil
                } else {
                    try read(type, snapshot)
                }
            }
            for (type, migration) in due { try migrate(type, migration, snapshot) }
            seen = snapshot.transactionID
        }
    }

    func adopt(_ stored: [StoredColumnType]) throws {
        for known in types.values where !stored.contains(where: { $0.name == known.name }) {
            throw CoreDataError.make(
                .persistentStoreIncompatibleVersionHash,
                "another program has replaced the component \(ComponentType(known)); open the "
                    + "world again")
        }
        for type in stored where !replaced.contains(where: { $0.type == type }) {
            if let known = types[type.name], known != type { throw changed(known, type) }
            types[type.name] = type
        }
    }

    private func changed(_ known: StoredColumnType, _ new: StoredColumnType) -> CocoaError {
        CoreDataError.make(
            .persistentStoreIncompatibleVersionHash,
            "another program has changed the component \(ComponentType(known)) to "
                + "\(ComponentType(new)); open the world again")
    }

    /// Compares a Swift type with the file's column of its name.
    func check(_ type: any ValueComponent.Type) throws {
        let described = ComponentType(type)
        if let stored = types[described.name], ComponentType(stored) != described {
            throw CoreDataError.make(
                .persistentStoreIncompatibleVersionHash,
                "the file has the component \(ComponentType(stored)), and the program "
                    + "\(described); give the world a ColumnMigration, or the type another "
                    + "componentName")
        }
        _ = world.column(describedBy: described)
    }

    private func read(_ type: StoredColumnType, _ snapshot: StoreSnapshot) throws {
        let column = try self.column(of: type)
        try snapshot.forEachColumnChunk(of: type) { chunk, bytes in
            let header = try type.header(of: bytes, chunk)
            column.replace(Int(chunk), with: bytes, 0)
            column.becomeClean(Int(chunk), version: header.version)
        }
    }

    /// The world's column for a type of the file.
    ///
    /// - Throws: 134020 where the program has used another type under its name.
    func column(of type: StoredColumnType) throws -> Column {
        let described = ComponentType(type)
        let column = world.column(describedBy: described)
        guard column.type == described else {
            throw CoreDataError.make(
                .persistentStoreIncompatibleVersionHash,
                "another program has made the component \(described), and this one has "
                    + "\(column.type); give one of them another componentName")
        }
        return column
    }

    private func migrate(
        _ type: StoredColumnType, _ migration: ColumnMigration, _ snapshot: StoreSnapshot
    ) throws {
        types[type.name] = nil
        var versions: [UInt32: UInt64] = [:]
        let column = world.column(describedBy: migration.new)
        let layout = ChunkLayout(stride: Int(type.stride))
        try snapshot.forEachColumnChunk(of: type) { chunk, bytes in
            versions[chunk] = try type.header(of: bytes, chunk).version
            let view = ChunkView(bytes, layout)
            for row in 0..<layout.rows where view.has(row) {
                let object = world.id(ofRow: Int(chunk) << layout.shift | row)
                guard let value = view.value(row), world.isAlive(object),
                    !column.hasValue(object.row)
                else { continue }
                migration.convert(value, world, object)
            }
        }
        replaced.append(ReplacedType(type: type, migration: migration, versions: versions))
    }

    func reserve(_ count: Int) throws {
        guard world.rows.left < count, let table = store.table(named: "GameObject") else { return }
        world.rows.add(try context.storage { try store.gameObjectRows(count, table) })
    }

    func didDespawn(_ object: GameObjectID) {
        let key = ObjectKey(rawValue: object.rawValue)
        do {
            if let managed = try context.existingObject(for: key) { context.delete(managed) }
        } catch {
            deletionError = error
        }
    }

    // MARK: SaveCompanion

    var hasUnsavedChanges: Bool {
        deletesObjects || !replaced.isEmpty || world.columns.contains(where: \.isDirty)
    }

    /// Notes a managed object that the world has and no file yet.
    func noteUnsaved(_ object: GameObjectID) { unsavedObjects.insert(object) }

    func prepareToSave() throws {
        world.checkIdle("saving")
        // The store takes the components of deleted objects away; the world looks afterwards.
        deletesObjects = context.unsavedDeletions.contains { $0 is GameObject }
        guard hasUnsavedChanges else { return }
        for error in [pendingError, deletionError].compactMap({ $0 }) {
            (pendingError, deletionError) = (nil, nil)
            throw error
        }
        guard try context.mainStore() === store else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "the store of the context's world was removed from the coordinator; open the world "
                    + "again")
        }
        for object in unsavedObjects where !context.isInserted(ObjectKey(rawValue: object.rawValue))
        {
            world.despawn(object)
            unsavedObjects.remove(object)
        }
        if world.columns.contains(where: \.isDirty) || !replaced.isEmpty {
            try context.storage { try store.makeColumns() }
        }
        world.step()
        try showOthers(.toSave)
    }

    func discardChanges() {
        world.checkIdle("taking changes back")
        (deletesObjects, unsavedObjects, deletionError) = (false, [], nil)
        let tick = world.step() + 1
        for column in world.columns {
            for chunk in column.dirtyChunks { column.discard(chunk, tick) }
        }
        // Chunks with a conflict are of an older commit.
        if hasConflicts { seen = 0 }
        migrateAgain()
        releaseIfClean()
    }

    /// Takes the values of the file's former types over again: they were not saved yet.
    private func migrateAgain() {
        let former = replaced
        guard !former.isEmpty else { return }
        do {
            // All of one commit: a value whose game object the world lacks would be left behind.
            var snapshot: StoreSnapshot
            repeat {
                try showOthers(.atTick)
                snapshot = try store.makeSnapshot()
            } while snapshot.transactionID != seen
            replaced = []
            for old in former { try migrate(old.type, old.migration, snapshot) }
        } catch {
            replaced = []
            pendingError = error
        }
    }

    /// Lets the context forget a world that has nothing to save.
    private func releaseIfClean() {
        if !hasUnsavedChanges { context.releaseSaveCompanion() }
    }

    func didSave(_ transactionID: UInt64) {
        for (column, chunk, version) in written.chunks {
            column.becomeClean(chunk, version: version)
        }
        for type in written.types { types[type.name] = type }
        replaced = []
        // The transaction was the next one after what the world had seen.
        if written.isCommit { seen = transactionID }
        written = WrittenChunks()
        unsavedObjects = []
        if deletesObjects {
            deletesObjects = false
            seen = 0
            didAdvance()
        }
        releaseIfClean()
    }
}

/// A type of the file whose values a migration has made those of another type.
struct ReplacedType {
    let type: StoredColumnType
    let migration: ColumnMigration
    /// The versions of the chunks whose values were taken over.
    let versions: [UInt32: UInt64]
}

/// Ends the process with a message of a rule that a program broke.
func worldTrap(_ message: String) -> Never { trap(message) }

extension ComponentType {
    /// The description that a file has.
    init(_ stored: StoredColumnType) {
        self.init(
            name: stored.name, size: Int(stored.size), stride: Int(stored.stride),
            alignment: Int(stored.alignment), fields: stored.fields)
    }
}
