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
/// - Note: It is used on the world's thread, and so by exclusive systems alone.
public final class ComponentIndex<Component: ValueComponent, Key: Comparable> {
    /// The keys of a chunk, as the index has them.
    private struct ChunkKeys {
        var presence: [UInt64]
        var keys: ContiguousArray<Key?>
    }

    let world: World
    let column: Column
    private let key: (Component) -> Key
    private var chunks: [ChunkKeys?] = []
    private var sorted = SortedKeys<Key>()
    /// The tick up to which all changes are in the index.
    private var seen: UInt64 = 0
    private var isNew = true

    init(_ world: World, _ key: @escaping (Component) -> Key) {
        self.world = world
        self.key = key
        column = world.column(Component.self)
    }

    // MARK: Asking

    /// The game objects with a key, in the order of their IDs.
    ///
    /// - Complexity: O(log n + results), and what has changed since the last look-up
    public func objects(_ key: Key) -> [GameObjectID] { objects(in: key...key) }

    /// The game objects whose keys lie in a range, in the order of the keys, then of the IDs.
    ///
    /// - Complexity: O(log n + results), and what has changed since the last look-up
    public func objects(in range: some KeyRange<Key>) -> [GameObjectID] {
        rows(range.__bounds).map { world.id(ofRow: $0) }
    }

    /// The number of game objects whose keys lie in a range.
    public func count(in range: some KeyRange<Key>) -> Int { rows(range.__bounds).count }

    func rows(_ bounds: KeyBounds<Key>) -> [Int] {
        if isBusy {
            require(
                isCurrent,
                "an index of \(Component.componentName) is asked in a loop, and the component has "
                    + "changed; call refresh() before")
        } else {
            refresh()
        }
        return sorted.rows(bounds) { self.key(of: $0.row) == $0.key }
    }

    private func key(of row: Int) -> Key? {
        let slot = row >> column.layout.shift
        guard slot < chunks.count, let chunk = chunks[slot] else { return nil }
        return chunk.keys[row & (column.layout.rows - 1)]
    }

    // MARK: Following

    private var isBusy: Bool { world.loops > 0 || world.isParallel }

    /// Whether the index has all changes.
    private var isCurrent: Bool {
        if isNew { return column.count == 0 }
        for slot in 0..<column.slotCount where column.slots[slot].changed.newest > seen {
            return false
        }
        return true
    }

    /// Takes in what has changed, as each look-up does.
    ///
    /// Traps while a query or a system runs over the world.
    public func refresh() {
        world.checkIdle("refreshing an index")
        var entries: ContiguousArray<SortedKeys<Key>.Entry> = []
        for slot in 0..<max(column.slotCount, chunks.count) { refresh(slot, &entries) }
        sorted.add(entries) { self.key(of: $0.row) == $0.key }
        isNew = false
        // What changes from now on has a later tick.
        seen = world.step()
    }

    private func refresh(
        _ slot: Int, _ entries: inout ContiguousArray<SortedKeys<Key>.Entry>
    ) {
        if slot >= chunks.count { chunks.append(nil) }
        guard let bytes = column.bytes(of: slot) else { return chunks[slot] = nil }
        let (layout, view) = (column.layout, ChunkView(bytes, column.layout))
        var chunk =
            chunks[slot].take()
            ?? ChunkKeys(
                presence: Array(repeating: 0, count: layout.words),
                keys: ContiguousArray(repeating: nil, count: layout.rows))
        for word in 0..<layout.words {
            let present = view.presence(word)
            for bit in Bits(chunk.presence[word] & ~present) { chunk.keys[word << 6 | bit] = nil }
            let changed =
                isNew ? present : column.slots[slot].changed.rows(word, after: seen) & present
            for bit in Bits(changed | present & ~chunk.presence[word]) {
                guard let value = view.value(word << 6 | bit) else { continue }
                // SAFETY: the column's values are of the type, which may be read unaligned.
                let new = key(value.loadUnaligned(as: Component.self))
                guard new == new, chunk.keys[word << 6 | bit] != new else {
                    if new != new { chunk.keys[word << 6 | bit] = nil }
                    continue
                }
                chunk.keys[word << 6 | bit] = new
                entries.append(.init(key: new, row: slot << layout.shift | word << 6 | bit))
            }
            chunk.presence[word] = present
        }
        chunks[slot] = chunk
    }
}

extension World {
    /// Makes an index of the game objects that have a component, by a value that follows from it.
    ///
    /// - Parameters:
    ///   - type: The component type.
    ///   - key: Gives the value of a component; it must depend on the component alone.
    /// - Complexity: O(1); the first look-up sorts.
    public func index<Component: ValueComponent, Key: Comparable>(
        _ type: Component.Type, by key: @escaping (Component) -> Key
    ) -> ComponentIndex<Component, Key> { ComponentIndex(self, key) }
}

/// Filters by an index.
extension WorldQuery {
    /// The same question, of game objects that an index has under a key.
    ///
    /// Traps when it runs for an index of another world.
    public func with<Component, Key>(
        _ index: ComponentIndex<Component, Key>, _ key: Key
    ) -> Self { with(index, in: key...key) }

    /// The same question, of game objects that an index has in a range of keys.
    public func with<Component, Key>(
        _ index: ComponentIndex<Component, Key>, in range: some KeyRange<Key>
    ) -> Self {
        var query = self
        let bounds = range.__bounds
        query.__shape.filters.rows.append(
            RowFilter(column: index.column, isExcluded: false) { world in
                require(index.world === world, "a query with an index of another world")
                return index.rows(bounds).sorted()
            })
        return query
    }
}
