// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import Schema
import Store
import Traps
import Worlds

extension World {
    /// Opens the world in the data file of a context.
    ///
    /// ```swift
    /// let world = try World(context: moc)
    /// let ship = world.spawn(Position(x: 0, y: 0), Velocity(x: 1, y: 0))
    /// try moc.save()
    /// ```
    ///
    /// The world shows what was committed last, whatever generation the context is pinned to.
    /// Saving the context saves the world in the same transaction, `rollback()` takes back unsaved
    /// changes of both, and `hasChanges` counts both. ``advance()`` also shows the world what other
    /// contexts and processes have committed. Where two have changed the same component of a game
    /// object, the second save has a conflict: the context's merge policy decides whose value
    /// stays, and the error policy throws. Of a policy of the program's own, a subclass of
    /// `NSMergePolicy`, the `mergeType` alone counts for components: its methods are asked for
    /// managed objects.
    ///
    /// The model must have the entity `GameObject`: a world's game objects share its numbers, and
    /// ``GameObject/id(in:)`` is the ID of a managed one. A context has one world at a time, which
    /// holds the context; the context holds the world while there is something to save.
    ///
    /// Values are read where the file has them, and copied into memory while they have unsaved
    /// changes; so a world may be larger than memory. Contents of codable components are in memory.
    ///
    /// - Parameters:
    ///   - context: A context without a parent; the world is used on its queue.
    ///   - components: Component types whose layout is compared with the file's now; others are
    ///     compared when they are used first, and trap if they differ.
    ///   - migrations: How columns of another layout become those of a type.
    /// - Throws: `CocoaError`: 134100 for a component whose fields differ from the file's, naming
    ///   both; 134070 for a damaged file; 134060 for a context that cannot have a world.
    /// - Complexity: O(values in the file), about 0.1 nanoseconds a byte of them.
    public convenience init(
        context: NSManagedObjectContext, components: [any WorldComponent.Type] = [],
        migrations: [ColumnMigration] = []
    ) throws {
        guard !context.hasParent, context.saveCompanion == nil else {
            throw CoreDataError.make(
                .coreData,
                context.hasParent
                    ? "a world needs a context without a parent; use the root context"
                    : "the context has a world already; use context.world")
        }
        let store = try context.mainStore()
        guard let table = store.table(named: "GameObject") else {
            throw CoreDataError.make(
                .coreData,
                "the model has no entity GameObject; add GameObject.makeEntities() to it")
        }
        let reserved = ReservedRows(store, table)
        self.init(
            entity: table.number.rawValue, rows: RowSource { reserved.take($0) }, keepsBase: true)
        let file = WorldFile(self, context, store)
        onFirstChange { [unowned self] in
            context.noteUse()
            context.holdSaveCompanion(self)
        }
        do {
            try file.open(migrations)
            for type in components { try file.check(type) }
        } catch {
            context.releaseSaveCompanion()
            throw error
        }
        backing = file
        context.saveCompanion = file
        // A program without a world may have deleted game objects that had relationships.
        endLooseLinks()
    }

    /// Reserves IDs for game objects, so that spawning them cannot fail.
    ///
    /// A world of a file takes blocks of IDs by small commits. Spawning does so by itself, and
    /// traps if the file cannot be written; after this call the next `count` game objects need no
    /// commit, whatever is related meanwhile, and whatever IDs others turn out to have used.
    /// Commands take IDs in blocks, of which as many may be left as were used: count twice as many,
    /// and 16, for each system that spawns. Links that have rows of their own take blocks as well.
    /// In memory there is nothing to do.
    ///
    /// - Throws: `CocoaError`, as a save.
    public func reserve(count: Int) throws {
        guard let file = backing as? WorldFile else { return }
        try file.reserve(count)
    }

    /// Adjacent rows for new game objects.
    func reservedRows(_ count: Int) -> Range<Int> {
        let first = rows.take(count)
        return first..<first + count
    }

    /// Makes rows those of game objects that are to come, though others have chosen them.
    ///
    /// - Parameters:
    ///   - wanted: The rows.
    ///   - types: The types of what they get, each with the last row that gets it.
    /// - Throws: `CocoaError` 134060 for a row that was handed out before; as a save.
    func claim(_ wanted: [Int], types: [(type: ComponentType, last: Int)]) throws {
        // What was claimed before and is not there was taken back, or despawned; it may return.
        let fresh = wanted.filter { !claimedRows.contains($0) }
        guard let least = fresh.min(), let greatest = fresh.max() else { return }
        // Rows in front of these are given away, here or to other programs.
        var next = rows.next
        let room = types.reduce(roomForLists(upTo: greatest, of: alive.type)) {
            // Links of game objects that are far off may get rows behind these.
            let last = $1.type.kind == .component ? $1.last : greatest
            return $0 + roomForLists(upTo: last, of: $1.type, ends: last)
        }
        guard World.allowsLists(of: room, for: wanted.count) else {
            throw CoreDataError.make(
                .coreData,
                "the ID \(id(ofRow: greatest)) is far beyond all others; load the document with "
                    + "new IDs")
        }
        if let file = backing as? WorldFile {
            next = try file.reserve(through: greatest, from: least)
        }
        guard least >= next, least > 0 else {
            throw CoreDataError.make(
                .coreData,
                "the ID \(id(ofRow: least)) was given to another game object before; load the "
                    + "document with new IDs")
        }
        rows.skip(upTo: greatest)
        if rows.left < rows.promised { try reserve(count: rows.promised) }
        claimedRows.formUnion(fresh)
    }

    /// Shows the world what others have committed, as ``advance()`` does, and says if that failed.
    ///
    /// It begins no tick of observers and queries. But in a world that is never advanced, what was
    /// removed is forgotten at the second call after it, saves counting as well, once all observers
    /// were told; ``diff(since:)`` traps for earlier ticks. So a program that only looks needs no
    /// ``advance()``.
    ///
    /// A world whose store was removed from the coordinator goes on with the values that it has,
    /// and cannot be saved.
    ///
    /// - Throws: `CocoaError` for a file that cannot be read, or whose components have changed;
    ///   134070 if the store was removed.
    public func refresh() throws {
        guard let file = backing as? WorldFile else { return }
        try file.checkStore()
        let tick = step()
        try file.refresh()
        didLook(closing: tick)
        sweepContents()
    }

    /// The context that the world is saved with; nil for a world in memory.
    public var context: NSManagedObjectContext? { (backing as? WorldFile)?.context }

    /// The managed object of a game object; nil if it is known to the world alone.
    ///
    /// - Complexity: One look-up.
    public func gameObject(_ id: GameObjectID) throws -> GameObject? {
        guard let context, id.entity == entity else { return nil }
        return try context.existingObject(for: ObjectKey(rawValue: id.rawValue)) as? GameObject
    }
}

extension NSManagedObjectContext {
    /// The world of the context; nil before one is opened, and after the last reference to it is
    /// gone and it has nothing to save.
    public final var world: World? { (saveCompanion as? WorldFile)?.world }
}

extension GameObject {
    /// The ID of the game object in a world, to which it is added if it is not in it.
    ///
    /// An unsaved object gets its permanent ID first.
    ///
    /// - Throws: What obtaining a permanent ID throws; 134060 for a world of another context, for a
    ///   deleted object that the world does not have any more, and for one of an entity that
    ///   inherits from `GameObject`: a world has rows for those of `GameObject` itself alone. Keep
    ///   what such an entity adds in a component.
    public final func id(in world: World) throws -> GameObjectID {
        guard let context = managedObjectContext, world.context === context else {
            throw CoreDataError.make(
                .coreData,
                "the world and \(objectID) are of different contexts; use the world of "
                    + "the object's context")
        }
        if context.permanentKey(of: self) == nil { try context.obtainPermanentID(for: self) }
        guard let key = context.permanentKey(of: self) else {
            throw CoreDataError.make(
                .coreData, "\(objectID) is not in the main store, where the world is")
        }
        guard key.entity.rawValue == world.entity else {
            throw CoreDataError.make(
                .coreData,
                "\(entity.name ?? "the entity") inherits from GameObject, and a world has game "
                    + "objects of GameObject itself alone; keep what is its own in a component")
        }
        let id = GameObjectID(rawValue: key.rawValue)
        guard let file = world.backing as? WorldFile else { return id }
        if !world.isAlive(id), try isDeleted || !(isInserted || file.hasRecord(of: key)) {
            throw CoreDataError.make(
                .coreData, "the game object \(id) was despawned or deleted, and is not in the world"
            )
        }
        world.adopt(id)
        if isInserted { file.noteUnsaved(id) }
        return id
    }
}

/// Rows of game objects for a world of a file.
private struct ReservedRows {
    let store: Store
    let table: EntityTable

    init(_ store: Store, _ table: EntityTable) {
        self.store = store
        self.table = table
    }

    func take(_ count: Int) -> Range<Int> {
        do {
            return try store.gameObjectRows(count, table)
        } catch {
            trap("no IDs for \(count) game objects: \(error); call reserve(count:) before")
        }
    }
}

extension Store {
    /// Reserves adjacent rows, at least so many.
    func gameObjectRows(_ count: Int, _ table: EntityTable) throws -> Range<Int> {
        let wanted = max(count, 4_096)
        let first = Int(try reserveRows([(table, wanted)]).first[0])
        return first..<first + wanted
    }
}
