// SPDX-License-Identifier: Apache-2.0

import Schema

/// Unsaved objects by the values that fetches ask for, so that in a program which finds or creates
/// thousands of them not every search looks at all of them.
///
/// A search takes in what was inserted or changed since the one before: it reads on in the lists of
/// changes, which only grow, and objects that it knows note themselves before they change. Whatever
/// gives an object other values without such a note, as a refresh does, drops the index.
final class PendingIndex {
    private var insertedCount = 0
    private var updatedCount = 0
    /// The entities of the objects that were seen, by ordinal.
    private var entities: Set<Int> = []
    /// The entity that was seen last: objects of one entity often follow each other.
    private var lastEntity = -1
    private var values: [PendingValues] = []
    /// Known objects that were changed since.
    private var changed: ContiguousArray<NSManagedObject> = []

    /// With fewer unsaved objects, a look at each of them costs less.
    private static var leastCount: Int { 16 }
    /// How many attributes have a table; a program that asks by more of them begins anew.
    private static var greatestCount: Int { 8 }

    /// Notes that an object is about to change.
    func noteChange(of object: NSManagedObject) {
        if !values.isEmpty { changed.append(object) }
    }

    /// Whether there may be an unsaved object of an entity or of one that inherits from it.
    func mayConcern(_ runtime: EntityRuntime, _ changes: ChangeSet) -> Bool {
        catchUp(with: changes)
        return isConcerned(runtime)
    }

    private func isConcerned(_ runtime: EntityRuntime) -> Bool {
        entities.contains(runtime.ordinal) || runtime.subRuntimes.contains(where: isConcerned)
    }

    /// Calls a body with each inserted or updated object that may have a value; some come twice.
    ///
    /// - Returns: False if all of them have to be looked at.
    func forEach(
        _ equality: QuickEquality, _ changes: ChangeSet, _ body: (NSManagedObject) -> Void
    ) -> Bool {
        guard changes.inserted.count + changes.updated.count >= PendingIndex.leastCount else {
            return false
        }
        catchUp(with: changes)
        table(for: equality, changes).forEach(equality.value, body)
        return true
    }

    private func table(for equality: QuickEquality, _ changes: ChangeSet) -> PendingValues {
        let known = values.firstIndex {
            $0.entity === equality.entity && $0.attribute == equality.attribute
        }
        // Many entries are of former values.
        let limit = 2 * (changes.inserted.count + changes.updated.count)
        if let known, values[known].count <= limit { return values[known] }
        var made = PendingValues(equality)
        func add(_ object: NSManagedObject) {
            if made.add(object) { object.flags.insert(.indexed) }
        }
        changes.inserted.forEachUnretained(add)
        changes.updated.forEachUnretained(add)
        if let known {
            values[known] = made
        } else {
            if values.count == PendingIndex.greatestCount { values.removeAll() }
            values.append(made)
        }
        return made
    }

    private func catchUp(with changes: ChangeSet) {
        changes.inserted[insertedCount...].forEachUnretained(add)
        changes.updated[updatedCount...].forEachUnretained(add)
        insertedCount = changes.inserted.count
        updatedCount = changes.updated.count
        guard !changed.isEmpty else { return }
        let known = changed
        changed = []
        known.forEachUnretained(add)
    }

    private func add(_ object: NSManagedObject) {
        let entity = object.runtimeOrdinal
        if entity != lastEntity {
            entities.insert(entity)
            lastEntity = entity
        }
        var isKnown = false
        for index in values.indices where values[index].add(object) { isKnown = true }
        if isKnown { object.flags.insert(.indexed) }
    }
}
