// SPDX-License-Identifier: Apache-2.0

import Schema

/// Which entities the unsaved objects of a context are of, and how many there are of each.
///
/// It reads on in the lists of changes, which only grow while it is kept. An object whose changes
/// were dropped since still counts, but witnesses nothing.
struct UnsavedEntities {
    /// How far the lists of changes have been read.
    private struct Positions {
        var inserted = 0
        var updated = 0
        var deleted = 0
    }

    private struct Entry {
        /// How many entries the lists of updated and of deleted objects have.
        var storedCount = 0
        /// An object that had changes when it was asked last.
        var witness: NSManagedObject?
        /// Where the search for the next witness goes on.
        var searched = Positions()
    }

    /// By ordinal, as far as objects were seen.
    private var entries: ContiguousArray<Entry?> = []
    private var seen = Positions()

    /// Takes in what was noted since.
    mutating func catchUp(with unsaved: UnsavedLists) {
        add(unsaved.inserted[seen.inserted...], 0)
        add(unsaved.updated[seen.updated...], 1)
        add(unsaved.deleted[seen.deleted...], 1)
        seen = Positions(
            inserted: unsaved.inserted.count, updated: unsaved.updated.count,
            deleted: unsaved.deleted.count)
    }

    private mutating func add(_ objects: ArraySlice<NSManagedObject>, _ storedCount: Int) {
        objects.forEachUnretained { object in
            let ordinal = object.runtimeOrdinal
            while entries.count <= ordinal { entries.append(nil) }
            if entries[ordinal] == nil { entries[ordinal] = Entry() }
            entries[ordinal]?.storedCount += storedCount
        }
    }

    /// Whether an object of an entity has changes, or one of an entity that inherits from it.
    mutating func concern(
        _ runtime: EntityRuntime, _ includesSubentities: Bool, _ unsaved: UnsavedLists
    ) -> Bool {
        if hasWitness(runtime.ordinal, unsaved) { return true }
        guard includesSubentities else { return false }
        for heir in runtime.subRuntimes where concern(heir, true, unsaved) { return true }
        return false
    }

    /// How many saved objects may have changes: those of an entity, and of those that inherit.
    func storedCount(_ runtime: EntityRuntime, _ includesSubentities: Bool) -> Int {
        let own = runtime.ordinal < entries.count ? entries[runtime.ordinal]?.storedCount ?? 0 : 0
        guard includesSubentities else { return own }
        return runtime.subRuntimes.reduce(own) { $0 + storedCount($1, true) }
    }

    private mutating func hasWitness(_ ordinal: Int, _ unsaved: UnsavedLists) -> Bool {
        guard ordinal < entries.count, var entry = entries[ordinal] else { return false }
        if entry.witness?.hasChanges == true { return true }
        entry.witness =
            witness(ordinal, unsaved.inserted, &entry.searched.inserted)
            ?? witness(ordinal, unsaved.updated, &entry.searched.updated)
            ?? witness(ordinal, unsaved.deleted, &entry.searched.deleted)
        entries[ordinal] = entry
        return entry.witness != nil
    }

    /// The next object of an entity in a list that has changes.
    private func witness(
        _ ordinal: Int, _ objects: ContiguousArray<NSManagedObject>, _ position: inout Int
    ) -> NSManagedObject? {
        while position < objects.count {
            let object = objects[position]
            position += 1
            if object.runtimeOrdinal == ordinal, object.hasChanges { return object }
        }
        return nil
    }
}
