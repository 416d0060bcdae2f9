// SPDX-License-Identifier: Apache-2.0

import Schema

/// What an object knows of one to-many relationship.
///
/// Changes are kept relative to what is stored, so that an inverse can be noted without loading
/// it. An ordered relationship remembers what was appended; any other change of the order loads
/// all and keeps the whole order.
final class ToManyState {
    let isOrdered: Bool
    /// The destinations as stored, once loaded.
    // SAFETY: only the context's thread uses a state, and its methods make no callbacks while they
    // change it. Run-time checks of overlapping accesses took a sixth of setting an inverse.
    @exclusivity(unchecked) private(set) var stored: ContiguousArray<ObjectKey>?
    /// The destinations added since the last save.
    // SAFETY: one thread, and no call back, as for `stored`.
    @exclusivity(unchecked) private(set) var added = KeySet()
    /// The destinations removed since the last save; of an ordered relationship also those that
    /// were appended again.
    // SAFETY: one thread, and no call back, as for `stored`.
    @exclusivity(unchecked) private(set) var removed = KeySet()
    /// Destinations that were added and removed again, or the other way round.
    ///
    /// To the context they are as if nothing had happened. But others may have saved the same
    /// change in between, without which this one was taken back: a save looks what is stored.
    // SAFETY: one thread, and no call back, as for `stored`.
    @exclusivity(unchecked) private(set) var takenBack = KeySet()
    /// What was added to an ordered relationship, in its order, and what is in `lapsed`.
    // SAFETY: one thread, and no call back, as for `stored`.
    @exclusivity(unchecked) private var appendedKeys: ContiguousArray<ObjectKey> = []
    /// What was appended and taken out again: its entries stay until the list is read, so that
    /// many are taken out in one pass.
    // SAFETY: one thread, and no call back, as for `stored`.
    @exclusivity(unchecked) private var lapsed = KeySet()
    /// All destinations of an ordered relationship, once something else than its end has changed.
    private(set) var order: ContiguousArray<ObjectKey>?
    /// What is stored of an ordered relationship, made when first asked.
    private var storedSet: Set<ObjectKey>?
    /// The live ordered set in use, which is told of each change.
    weak var proxy: MutableOrderedMembers?

    init(isOrdered: Bool) {
        self.isOrdered = isOrdered
    }

    /// Whether all destinations were set while it was unknown what is stored: none of that stays.
    private(set) var isReplaced = false

    var hasChanges: Bool {
        !added.isEmpty || !removed.isEmpty || order != nil || isReplaced
    }

    /// Takes note of what is stored; a changed order takes in what others have added, at its end.
    func load(_ keys: ContiguousArray<ObjectKey>) {
        stored = keys
        storedSet = nil
        guard let former = order else { return }
        var result = ContiguousArray(former.filter { added.contains($0) || isStored($0) })
        let known = Set(result)
        result.append(contentsOf: keys.filter { !known.contains($0) && !removed.contains($0) })
        order = result
    }

    /// Lets what is stored be read anew, keeping the changes.
    func forgetStored() {
        stored = nil
        storedSet = nil
        proxy?.reload()
    }

    /// Takes note that only what is added from now on is there, whatever is stored.
    func replaceUnread() {
        isReplaced = true
        removed.removeAll()
    }

    /// Adds a destination, to an ordered relationship at its end.
    func add(_ key: ObjectKey) {
        if isOrdered { return append(key) }
        let wasRemoved = removed.remove(key)
        if wasRemoved { takeBack(key) }
        if !wasRemoved || isReplaced { added.insert(key) }
    }

    /// Removes a destination; removing what was added forgets it.
    func remove(_ key: ObjectKey) {
        if isOrdered { return takeOut(key) }
        if added.remove(key) { takeBack(key) } else { removed.insert(key) }
    }

    @inline(__always)
    private func takeBack(_ key: ObjectKey) {
        // One that was never saved is in no file.
        if !key.isTemporary { takenBack.insert(key) }
    }

    /// Changes again what was taken back, where what is stored is not as it should be.
    func settleTakenBack(_ isThere: (ObjectKey) -> Bool, _ belongs: (ObjectKey) -> Bool?) {
        let keys = takenBack
        takenBack.removeAll()
        // A whole order says of each destination whether it is there.
        guard order == nil else { return }
        for key in keys where !added.contains(key) && !removed.contains(key) {
            guard let belongs = belongs(key), belongs != isThere(key) else { continue }
            if !belongs {
                removed.insert(key)
            } else {
                added.insert(key)
                if isOrdered { noteAppended(key) }
            }
        }
    }

    /// Whether a destination is there; what is stored must be loaded.
    /// - Complexity: O(log n) or, for an ordered relationship, O(1) but for the first time.
    func contains(_ key: ObjectKey) -> Bool {
        if added.contains(key) { return true }
        if removed.contains(key) { return false }
        return isStored(key)
    }

    private func isStored(_ key: ObjectKey) -> Bool {
        guard let stored else { return false }
        if isOrdered {
            let known = storedSet ?? Set(stored)
            storedSet = known
            return known.contains(key)
        }
        return stored.hasSorted(key)
    }

    /// Forgets changes after a save; what is stored is read anew.
    func reset() {
        stored = nil
        isReplaced = false
        added.removeAll()
        removed.removeAll()
        takenBack.removeAll()
        guard isOrdered else { return }
        storedSet = nil
        forgetAppended()
        order = nil
    }

    /// Forgets changes that were not saved.
    func discard() {
        reset()
        proxy?.reload()
    }

    /// Keeps the members of a transient relationship, which no store has, beyond a save.
    func keepMembers(_ resolve: (ObjectKey) -> ObjectKey) {
        let kept = ContiguousArray(members.map(resolve).filter { $0.rawValue != 0 })
        reset()
        stored = isOrdered ? kept : ContiguousArray(kept.sorted())
    }

    /// Forgets additions and removals that are stored already, because others made them.
    func dropSettledChanges() {
        removed.keep { isStored($0) }
        let settled = KeySet(added.filter { isStored($0) && !removed.contains($0) })
        added = added.subtracting(settled)
        dropLapsed()
        appendedKeys.removeAll { settled.contains($0) }
    }

    /// What is stored is known now, and was not when the destinations were set.
    ///
    /// - Returns: The stored destinations that leave by it.
    func settleEarlyChanges() -> ContiguousArray<ObjectKey> {
        guard let stored else { return [] }
        if isReplaced {
            isReplaced = false
            for key in stored where !added.contains(key) { remove(key) }
        }
        dropSettledChanges()
        return stored.filter { removed.contains($0) && !added.contains($0) }
    }

    /// Puts permanent keys in the place of temporary ones.
    func replaceKeys(_ keys: [ObjectKey: ObjectKey]) {
        func replaced(_ list: ContiguousArray<ObjectKey>) -> ContiguousArray<ObjectKey> {
            ContiguousArray(list.map { keys[$0] ?? $0 })
        }
        if mayHaveTemporaryKeys, let stored, stored.contains(where: { keys[$0] != nil }) {
            let new = replaced(stored)
            self.stored = isOrdered ? new : ContiguousArray(new.sorted())
            storedSet = nil
        }
        guard hasChanges else { return }
        added = KeySet(added.lazy.map { keys[$0] ?? $0 })
        removed = KeySet(removed.lazy.map { keys[$0] ?? $0 })
        appendedKeys = replaced(appended)
        order = order.map(replaced)
        proxy?.reload()
    }

    /// Whether what is stored may have temporary keys.
    ///
    /// Those of a context have no entity number, and come first; those of a further file come last
    /// among the keys of one entity.
    private var mayHaveTemporaryKeys: Bool {
        guard let stored, let first = stored.first, let last = stored.last else { return false }
        return isOrdered || last.isTemporary || first.entity != last.entity
    }

    /// The number of destinations; what is stored must be loaded.
    ///
    /// - Complexity: O(m log n) for m unsaved changes, and O(1) of an object that is not saved yet.
    var count: Int {
        if let order { return order.count }
        guard let stored, !stored.isEmpty else { return added.count }
        var count = stored.count
        for key in removed where isStored(key) { count -= 1 }
        for key in added where removed.contains(key) || !isStored(key) { count += 1 }
        return count
    }

    /// The destinations: in their order, else what is stored and then the added, ascending.
    var members: ContiguousArray<ObjectKey> {
        if let order { return order }
        var keys = stored ?? []
        if !removed.isEmpty { keys.removeAll { removed.contains($0) } }
        guard !added.isEmpty else { return keys }
        let known = Set(keys)
        if isOrdered {
            keys.append(contentsOf: appended.lazy.filter { !known.contains($0) })
        } else {
            keys.append(contentsOf: added.filter { !known.contains($0) }.sorted())
        }
        return keys
    }
}

/// Changes of an ordered relationship.
extension ToManyState {
    private func append(_ key: ObjectKey) {
        guard !added.contains(key) else { return }
        if order != nil {
            if removed.remove(key) {
                takeBack(key)
            } else {
                guard !isStored(key) else { return }
                added.insert(key)
            }
            order?.append(key)
            forgetOrderIfStored()
        } else {
            added.insert(key)
            noteAppended(key)
        }
        proxy?.didAppend(key)
    }

    /// What was added to an ordered relationship, in its order.
    var appended: ContiguousArray<ObjectKey> {
        dropLapsed()
        return appendedKeys
    }

    private func noteAppended(_ key: ObjectKey) {
        // Its former entry has another place.
        if lapsed.contains(key) { dropLapsed() }
        appendedKeys.append(key)
    }

    private func dropLapsed() {
        guard !lapsed.isEmpty else { return }
        appendedKeys.removeAll { lapsed.contains($0) }
        lapsed.removeAll()
    }

    private func forgetAppended() {
        appendedKeys = []
        lapsed.removeAll()
    }

    private func takeOut(_ key: ObjectKey) {
        if !added.remove(key) {
            guard removed.insert(key) else { return }
        } else {
            takeBack(key)
            if appendedKeys.last == key {
                appendedKeys.removeLast()
            } else if order == nil {
                lapsed.insert(key)
            }
        }
        if let index = order?.firstIndex(of: key) { order?.remove(at: index) }
        forgetOrderIfStored()
        proxy?.didRemove(key)
    }

    /// Adds a destination at a place; it must not be there yet, and what is stored be loaded.
    func insert(_ key: ObjectKey, at index: Int) {
        let count = count
        guard index < count else { return append(key) }
        keepOrder()
        if removed.remove(key) { takeBack(key) } else { added.insert(key) }
        order?.insert(key, at: index)
        forgetOrderIfStored()
        proxy?.didInsert(key, at: index, of: count + 1)
    }

    /// Changes the places of destinations alone; what is stored must be loaded.
    ///
    /// The live set follows by itself.
    func reorder(_ body: (inout ContiguousArray<ObjectKey>) -> Void) {
        keepOrder()
        guard var keys = order else { return }
        // Not copied as long as nobody else has the list.
        order = nil
        body(&keys)
        order = keys
        forgetOrderIfStored()
    }

    /// Sets all destinations, each once; what is stored must be loaded.
    func setOrder(_ keys: ContiguousArray<ObjectKey>) {
        keepOrder()
        order = keys
        let wanted = Set(keys)
        added = KeySet(wanted.filter { !isStored($0) })
        removed = KeySet((stored ?? []).lazy.filter { !wanted.contains($0) })
        forgetOrderIfStored()
        proxy?.reload()
    }

    /// What is as it is stored has not changed, however it came to be so.
    private func forgetOrderIfStored() {
        if order != nil, added.isEmpty, removed.isEmpty, order == stored { order = nil }
    }

    /// From now on the whole order is kept, and the sets only list the added and removed keys.
    private func keepOrder() {
        guard order == nil else { return }
        order = members
        let (appeared, gone) = (added, removed)
        added = appeared.subtracting(gone)
        removed = gone.subtracting(appeared)
        forgetAppended()
    }
}
