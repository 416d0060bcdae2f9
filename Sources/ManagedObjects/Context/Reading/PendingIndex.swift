// SPDX-License-Identifier: Apache-2.0

import Schema

/// The unsaved objects of a context, alone among its changes: a search would copy all of them.
struct UnsavedLists {
    let inserted: ContiguousArray<NSManagedObject>
    let updated: ContiguousArray<NSManagedObject>
    let deleted: ContiguousArray<NSManagedObject>

    /// How many have values to look for at most; objects may be in a list twice.
    var count: Int { inserted.count + updated.count }
}

/// Unsaved objects by the values that fetches ask for, so that in a program which finds or creates
/// thousands of them not every search looks at all of them.
///
/// A search takes in what was inserted or changed since the one before: it reads on in the lists of
/// changes, which only grow, and objects that it knows note themselves before they change. Whatever
/// gives an object other values without such a note, as a refresh does, drops the index.
final class PendingIndex {
    private var insertedCount = 0
    private var updatedCount = 0
    /// What was seen of each entity, by ordinal.
    private var entities = UnsavedEntities()
    private var values: [PendingValues] = []
    /// Known objects that were changed since.
    private var changed: ContiguousArray<NSManagedObject> = []
    /// How many objects searches have looked at, for tests of what they leave out.
    var visitCount = 0

    /// With fewer unsaved objects, a look at each of them costs less.
    private static var leastCount: Int { 16 }
    /// How many attributes have a table; a program that asks by more of them begins anew.
    static var greatestCount: Int { 8 }

    /// Notes that an object is about to change.
    func noteChange(of object: NSManagedObject) {
        if !values.isEmpty { changed.append(object) }
    }

    /// Whether there is an unsaved object of an entity or of one that inherits from it.
    func concerns(
        _ runtime: EntityRuntime, _ includesSubentities: Bool, _ unsaved: UnsavedLists
    ) -> Bool {
        entities.catchUp(with: unsaved)
        return entities.concern(runtime, includesSubentities, unsaved)
    }

    /// How many saved objects of an entity may have changes, or be deleted.
    func storedCount(
        _ runtime: EntityRuntime, _ includesSubentities: Bool, _ unsaved: UnsavedLists
    ) -> Int {
        entities.catchUp(with: unsaved)
        return entities.storedCount(runtime, includesSubentities)
    }

    /// The entries of the list of deleted objects that are of one entity.
    func deleted(
        ofEntity ordinal: Int, _ unsaved: UnsavedLists
    ) -> ContiguousArray<NSManagedObject> {
        entities.catchUp(with: unsaved)
        return entities.deleted(ofEntity: ordinal)
    }

    /// Calls bodies with the entries of an entity in the lists of inserted and of updated objects.
    func forEach(
        of runtime: EntityRuntime, _ includesSubentities: Bool, _ unsaved: UnsavedLists,
        inserted: (NSManagedObject) -> Void, updated: (NSManagedObject) -> Void
    ) {
        entities.catchUp(with: unsaved)
        entities.forEach(
            of: runtime, includesSubentities, unsaved,
            inserted: {
                visitCount += 1
                inserted($0)
            },
            updated: {
                visitCount += 1
                updated($0)
            })
    }

    /// Calls a body with each inserted or updated object that may have a value, until it returns
    /// false; some come twice.
    ///
    /// - Returns: False if all of them have to be looked at.
    func forEach(
        _ equality: QuickEquality, _ unsaved: UnsavedLists, _ body: (NSManagedObject) -> Bool
    ) -> Bool {
        guard unsaved.count >= PendingIndex.leastCount, let hash = equality.value.quickHash else {
            return false
        }
        catchUp(with: unsaved)
        values[table(for: equality, unsaved)].forEach(hash) {
            visitCount += 1
            return body($0)
        }
        return true
    }

    /// The position of an attribute's table in `values`.
    private func table(for equality: QuickEquality, _ unsaved: UnsavedLists) -> Int {
        let known = values.firstIndex {
            $0.entity === equality.entity && $0.attribute == equality.attribute
        }
        // Many entries are of former values.
        if let known, values[known].count <= 2 * unsaved.count { return known }
        var made = PendingValues(equality)
        func add(_ object: NSManagedObject) {
            if made.add(object) { object.flags.insert(.indexed) }
        }
        unsaved.inserted.forEachUnretained(add)
        unsaved.updated.forEachUnretained(add)
        visitCount += unsaved.count
        if let known {
            values[known] = made
            return known
        }
        if values.count == PendingIndex.greatestCount { values.removeAll() }
        values.append(made)
        return values.count - 1
    }

    private func catchUp(with unsaved: UnsavedLists) {
        if insertedCount != unsaved.inserted.count {
            unsaved.inserted[insertedCount...].forEachUnretained(add)
            insertedCount = unsaved.inserted.count
        }
        if updatedCount != unsaved.updated.count {
            unsaved.updated[updatedCount...].forEachUnretained(add)
            updatedCount = unsaved.updated.count
        }
        guard !changed.isEmpty else { return }
        let known = changed
        changed = []
        known.forEachUnretained(add)
    }

    private func add(_ object: NSManagedObject) {
        var isKnown = false
        for index in values.indices where values[index].add(object) { isKnown = true }
        if isKnown { object.flags.insert(.indexed) }
    }
}
