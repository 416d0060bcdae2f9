// SPDX-License-Identifier: Apache-2.0

import Traps

/// Finds game objects by a value that follows from one of their components.
///
/// ```swift
/// let byPoints = world.index(Health.self, by: \.points)
/// let dead = byPoints.objects(0)
/// let weak = byPoints.objects(in: ..<10)  // in the order of their points
/// let strong = world.query(Position.self).with(byPoints, in: 90...)
/// ```
///
/// An index is made by ``World/index(_:by:)`` and belongs to the program, not to the file. It
/// follows all changes, in whatever way they are made: each look-up first takes in what has changed
/// since the last one. That is cheap where little has, and about a sort where everything has.
///
/// Within a loop an index may be used only while it is up to date, as it cannot know what the loop
/// is about to change: call ``refresh()`` before. A key that does not equal itself, such as NaN, is
/// in no range.
///
/// - Note: It is used on the world's thread, and so by exclusive systems alone. A ``QuerySystem``
///   may filter by it.
public final class ComponentIndex<Component: ValueComponent, Key: Comparable> {
    /// The keys of a chunk, as the index has them.
    @frozen
    @usableFromInline
    struct ChunkKeys {
        @usableFromInline var presence: [UInt64]
        @usableFromInline var keys: ContiguousArray<Key?>

        @inlinable
        init(_ layout: ChunkLayout) {
            presence = Array(repeating: 0, count: layout.words)
            keys = ContiguousArray(repeating: nil, count: layout.rows)
        }
    }

    @usableFromInline let world: World
    @usableFromInline let column: Column
    @usableFromInline let key: (Component) -> Key
    @usableFromInline var chunks: [ChunkKeys?] = []
    /// The chunks that the index has keys of, ascending.
    @usableFromInline var slots: [Int] = []
    @usableFromInline var sorted = SortedKeys<Key>()
    /// The tick up to which all changes are in the index.
    @usableFromInline var seen: UInt64 = 0
    @usableFromInline var isNew = true
    /// How many outdated entries look-ups have met since they were removed.
    @usableFromInline var outdated = 0

    @inlinable
    init(_ world: World, _ key: @escaping (Component) -> Key) {
        self.world = world
        self.key = key
        column = world.column(Component.self)
    }

    // MARK: Asking

    /// The game objects with a key, in the order of their IDs.
    ///
    /// - Complexity: O(log n + results), and what has changed since the last look-up
    @inlinable
    public func objects(_ key: Key) -> [GameObjectID] { objects(KeyBounds(key)) }

    /// The game objects whose keys lie in a range, in the order of the keys, then of the IDs.
    ///
    /// - Complexity: O(log n + results), and what has changed since the last look-up
    @inlinable
    public func objects(in range: some KeyRange<Key>) -> [GameObjectID] {
        objects(range.__bounds)
    }

    @inlinable
    func objects(_ bounds: KeyBounds<Key>) -> [GameObjectID] {
        rows(bounds).map { GameObjectID(entity: world.entity, row: $0) }
    }

    /// The number of game objects whose keys lie in a range.
    @inlinable
    public func count(in range: some KeyRange<Key>) -> Int { rows(range.__bounds).count }

    /// Whether anything has changed that a look-up would have to take in.
    @inlinable var isOutdated: Bool {
        isNew ? column.count > 0 : column.hasChanges(after: seen)
    }

    @inlinable
    func refreshIfOutdated() {
        if isOutdated { refresh() }
    }

    @inlinable
    func rows(_ bounds: KeyBounds<Key>) -> [Int] {
        if world.loops > 0 || world.isParallel {
            require(
                !isOutdated,
                "an index of \(Component.componentName) is asked in a loop, and the component has "
                    + "changed; call refresh() before")
        } else {
            refresh()
        }
        let found = sorted.rows(bounds) { key(of: $0.row) == $0.key }
        // Outdated entries are in the way of each look-up: they go when that has cost as much as
        // to look at all. Systems may ask on several threads.
        if world.isParallel { return found.rows }
        outdated += found.outdated
        if outdated > sorted.count, world.loops == 0 {
            outdated = 0
            sorted.compact { key(of: $0.row) == $0.key }
        }
        return found.rows
    }

    @inlinable
    func key(of row: Int) -> Key? {
        let slot = row >> column.layout.shift
        guard slot < chunks.count else { return nil }
        return chunks[slot]?.keys[row & (column.layout.rows - 1)]
    }

    // MARK: Following

    /// Takes in what has changed, as each look-up does.
    ///
    /// Traps while a query or a system runs over the world.
    ///
    /// - Complexity: O(game objects / 64), and what has changed
    @inlinable
    public func refresh() {
        world.checkNoLoop("refreshing an index of \(Component.componentName)")
        // The key is the program's code, and values are read in place meanwhile.
        world.loops += 1
        defer { world.loops -= 1 }
        var entries: ContiguousArray<SortedKeys<Key>.Entry> = []
        // Most chunks of a world in which game objects come and go are empty for good.
        for slot in slots where column.nextUsed(from: slot) != slot { refresh(slot, &entries) }
        slots.removeAll(keepingCapacity: true)
        var slot = column.nextUsed(from: 0)
        while slot < column.slotCount {
            refresh(slot, &entries)
            if chunks[slot] != nil { slots.append(slot) }
            slot = column.nextUsed(from: slot + 1)
        }
        sorted.add(entries) { key(of: $0.row) == $0.key }
        isNew = false
        // What changes from now on has a later tick.
        seen = world.step()
    }

    @inlinable
    func refresh(_ slot: Int, _ entries: inout ContiguousArray<SortedKeys<Key>.Entry>) {
        if slot >= chunks.count {
            chunks.append(contentsOf: repeatElement(nil, count: slot + 1 - chunks.count))
        }
        guard slot < column.slotCount, let bytes = column.slots[slot].bytes,
            let presence = column.slots[slot].presence
        else { return chunks[slot] = nil }
        let layout = column.layout
        if let known = chunks[slot], !column.hasChanges(slot, after: seen),
            known.presence.elementsEqual(UnsafeBufferPointer(start: presence, count: layout.words))
        {
            return
        }
        // Taken out, so that its arrays have one owner.
        var chunk = chunks[slot] ?? ChunkKeys(layout)
        chunks[slot] = nil
        for word in 0..<layout.words {
            let present = presence[word]
            var gone = chunk.presence[word] & ~present
            while gone != 0 {
                chunk.keys[word << 6 | gone.trailingZeroBitCount] = nil
                gone &= gone &- 1
            }
            let changed = isNew ? present : column.changedRows(slot, word, after: seen)
            var rest = (changed | ~chunk.presence[word]) & present
            while rest != 0 {
                let row = word << 6 | rest.trailingZeroBitCount
                rest &= rest &- 1
                // SAFETY: the column has values of the type, and the row has one.
                let value = (bytes + layout.valuesOffset + row * layout.stride).loadUnaligned(
                    as: Component.self)
                let new = key(value)
                let holds = new == new
                if holds, chunk.keys[row] != new {
                    entries.append(.init(new, slot << layout.shift | row))
                }
                chunk.keys[row] = holds ? new : nil
            }
            chunk.presence[word] = present
        }
        chunks[slot] = chunk
    }
}

extension Column {
    /// Whether any value was set or removed after a tick.
    @usableFromInline
    func hasChanges(after tick: UInt64) -> Bool {
        if removals.newest > tick { return true }
        var slot = nextUsed(from: 0)
        while slot < slotCount {
            if hasChanges(slot, after: tick) { return true }
            slot = nextUsed(from: slot + 1)
        }
        return false
    }

    /// Whether any value of a chunk was set after a tick.
    @usableFromInline
    func hasChanges(_ slot: Int, after tick: UInt64) -> Bool { slots[slot].newestChange > tick }

    /// The rows of a word of a chunk whose values were set after a tick.
    @usableFromInline
    func changedRows(_ slot: Int, _ word: Int, after tick: UInt64) -> UInt64 {
        slots[slot].changes(word, after: tick)
    }
}

extension World {
    /// Makes an index of the game objects that have a component, by a value that follows from it.
    ///
    /// - Parameters:
    ///   - type: The component type.
    ///   - key: Gives the value of a component; it must depend on the component alone.
    /// - Complexity: O(1); the first look-up sorts.
    @inlinable
    public func index<Component: ValueComponent, Key: Comparable>(
        _ type: Component.Type, by key: @escaping (Component) -> Key
    ) -> ComponentIndex<Component, Key> { ComponentIndex(self, key) }
}

/// Filters by an index.
extension FilteredQuery {
    /// The same question, of game objects that an index has under a key.
    ///
    /// Traps when it runs for an index of another world.
    @inlinable
    public func with<Component, Key>(
        _ index: ComponentIndex<Component, Key>, _ key: Key
    ) -> Self { with(index, KeyBounds(key)) }

    /// The same question, of game objects that an index has in a range of keys.
    @inlinable
    public func with<Component, Key>(
        _ index: ComponentIndex<Component, Key>, in range: some KeyRange<Key>
    ) -> Self { with(index, range.__bounds) }

    @inlinable
    func with<Component, Key>(
        _ index: ComponentIndex<Component, Key>, _ bounds: KeyBounds<Key>
    ) -> Self {
        // The column is of the query's world: plans are made in a world of their own.
        narrowed(by: __shape.world.column(Component.self), index.finder(bounds))
    }

    @usableFromInline
    func narrowed(by column: Column, _ find: @escaping (World) -> [Int]) -> Self {
        var query = self
        query.__shape.filters.rows.append(.found(column, find))
        return query
    }
}

extension ComponentIndex {
    /// Finds the rows that have keys within bounds, at the time of a run.
    ///
    /// It is code of the program's module, as all of the index is, and so knows the types of
    /// component and key, without which a look-up takes more than ten times as long.
    @inlinable
    func finder(_ bounds: KeyBounds<Key>) -> (World) -> [Int] {
        { world in
            require(self.world === world, "a query with an index of another world")
            return self.rows(bounds)
        }
    }
}

extension RowFilter {
    /// Names the rows that an index of a column finds.
    static func found(_ column: Column, _ find: @escaping (World) -> [Int]) -> RowFilter {
        RowFilter(column: column, isExcluded: false) { world, _ in find(world).sortedOnce() }
    }
}
