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
        var isSeen = false
        /// Where the lists of inserted and of updated objects have them.
        var inserted: ContiguousArray<Int32> = []
        var updated: ContiguousArray<Int32> = []
        /// How many entries the lists of updated and of deleted objects have.
        var storedCount = 0
        /// The objects of the list of deleted ones.
        var deleted: ContiguousArray<NSManagedObject> = []
        /// An object that had changes when it was asked last.
        var witness: NSManagedObject?
        /// Where the search for the next witness goes on.
        var searched = Positions()
    }

    /// By ordinal, as far as objects were seen.
    private var entries: ContiguousArray<Entry> = []
    private var seen = Positions()

    /// Takes in what was noted since.
    mutating func catchUp(with unsaved: UnsavedLists) {
        var place = Int32(truncatingIfNeeded: seen.inserted)
        add(unsaved.inserted[seen.inserted...]) { entry, _ in
            entry.inserted.append(place)
            place += 1
        }
        place = Int32(truncatingIfNeeded: seen.updated)
        add(unsaved.updated[seen.updated...]) { entry, _ in
            entry.storedCount += 1
            entry.updated.append(place)
            place += 1
        }
        add(unsaved.deleted[seen.deleted...]) { entry, object in
            entry.storedCount += 1
            entry.deleted.append(object)
        }
        seen = Positions(
            inserted: unsaved.inserted.count, updated: unsaved.updated.count,
            deleted: unsaved.deleted.count)
    }

    private mutating func add(
        _ objects: ArraySlice<NSManagedObject>, _ note: (inout Entry, NSManagedObject) -> Void
    ) {
        objects.forEachUnretained { object in
            let ordinal = object.runtimeOrdinal
            while entries.count <= ordinal { entries.append(Entry()) }
            note(&entries[ordinal], object)
            entries[ordinal].isSeen = true
        }
    }

    /// The entries of the list of deleted objects that are of one entity.
    func deleted(ofEntity ordinal: Int) -> ContiguousArray<NSManagedObject> {
        ordinal < entries.count ? entries[ordinal].deleted : []
    }

    /// Calls bodies with the entries of an entity in the lists of inserted and of updated objects.
    func forEach(
        of runtime: EntityRuntime, _ includesSubentities: Bool, _ unsaved: UnsavedLists,
        inserted: (NSManagedObject) -> Void, updated: (NSManagedObject) -> Void
    ) {
        if runtime.ordinal < entries.count {
            for place in entries[runtime.ordinal].inserted {
                inserted(unsaved.inserted[Int(place)])
            }
            for place in entries[runtime.ordinal].updated { updated(unsaved.updated[Int(place)]) }
        }
        guard includesSubentities else { return }
        for heir in runtime.subRuntimes {
            forEach(of: heir, true, unsaved, inserted: inserted, updated: updated)
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
        let own = runtime.ordinal < entries.count ? entries[runtime.ordinal].storedCount : 0
        guard includesSubentities else { return own }
        return runtime.subRuntimes.reduce(own) { $0 + storedCount($1, true) }
    }

    private mutating func hasWitness(_ ordinal: Int, _ unsaved: UnsavedLists) -> Bool {
        guard ordinal < entries.count, entries[ordinal].isSeen else { return false }
        if entries[ordinal].witness?.hasChanges == true { return true }
        var searched = entries[ordinal].searched
        let found =
            witness(ordinal, unsaved.inserted, &searched.inserted)
            ?? witness(ordinal, unsaved.updated, &searched.updated)
            ?? witness(ordinal, unsaved.deleted, &searched.deleted)
        entries[ordinal].searched = searched
        entries[ordinal].witness = found
        return found != nil
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
