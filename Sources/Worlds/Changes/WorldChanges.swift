// SPDX-License-Identifier: Apache-2.0

import Contents

/// What differs between two states of a world, ready to be applied to a copy of it.
///
/// ```swift
/// let follower = world.copy()
/// world.advance()
/// simulate(world)
/// let changes = world.diff(since: world.lastAdvance)
/// try follower.apply(changes)
/// send(changes.bytes)  // to be read by WorldChanges(bytes:), wherever that is
/// ```
///
/// It has the new values of components, relationships and resources, and which of them are gone, by
/// the IDs of the game objects: a copy has the same ones. It is a value, and belongs to no world.
public struct WorldChanges: Sendable, Hashable {
    /// The changes of one column.
    struct Part: Sendable, Hashable {
        let type: ComponentType
        /// The rows that have no value any more, ascending.
        var removed: [Int] = []
        /// The ends of the links that have rows of their own and ended, by these.
        ///
        /// Copies take rows for their links by themselves, so that the row of a link that is gone
        /// in one world may be that of another link in the other one. Where changes of several
        /// copies are applied, one row may have had several links after each other, and has one
        /// more by now; which of them another world has depends on when it got its changes.
        var removedEnds: [Int: [LinkTable.Ends]] = [:]
        /// The rows that have other values, ascending.
        var rows: [Int] = []
        /// Their values, each ``ComponentType/stride`` bytes from the next.
        var values: [UInt8] = []
        /// What the keys among them stand for.
        var contents: [ContentKey: [UInt8]] = [:]

        var isEmpty: Bool { removed.isEmpty && rows.isEmpty }
    }

    /// The number of the entity in the IDs of the world.
    let entity: UInt16
    /// The columns that differ; that of the game objects first.
    var parts: [Part] = []

    init(entity: UInt16) { self.entity = entity }

    /// Whether the states are the same.
    public var isEmpty: Bool { parts.isEmpty }

    /// The number of values that came, changed or went; a game object itself counts as one.
    public var count: Int { parts.reduce(0) { $0 + $1.removed.count + $1.rows.count } }

    mutating func add(_ part: Part) {
        if !part.isEmpty { parts.append(part) }
    }
}

extension World {
    /// What has changed since a tick ended.
    ///
    /// Traps for a tick of before the last but one ``advance()``, as removals of then are
    /// forgotten; in a world that was never advanced, for one of before the last but one look at
    /// its file or save: keep a ``tick`` there, as ``lastAdvance`` stays 0. A value that was set
    /// to what it was counts as changed.
    ///
    /// - Parameter tick: A ``tick``; what was changed in it does not count.
    /// - Complexity: O(game objects / 64), and the values that have changed
    public func diff(since tick: UInt64) -> WorldChanges {
        checkOldest(tick)
        var changes = WorldChanges(entity: entity)
        for column in columns { changes.add(column.changes(since: tick)) }
        return changes
    }

    /// What has to be applied to another world to make it as this one is.
    ///
    /// - Parameter other: A copy of the world, or a world that this one is a copy of.
    /// - Complexity: O(bytes of the values of both)
    public func diff(from other: World) -> WorldChanges {
        var changes = WorldChanges(entity: entity)
        for column in columns {
            changes.add(column.changes(from: other.names[column.type.name]))
        }
        for column in other.columns where names[column.type.name] == nil {
            changes.add(
                column.part(removing: column.rowsWithValues()))
        }
        return changes
    }

    /// A world in memory with the same game objects under the same IDs, and everything they have.
    ///
    /// The IDs of game objects that come later are above all of these. The copy hands them out by
    /// itself, as this world and other copies do: the same simulation makes the same IDs in each of
    /// them. So an ID of a game object that was spawned in one is that of another game object in
    /// the other; of the world of a file, other programs may spawn as well. Where changes are to be
    /// applied, let one world alone spawn, as a leader with its followers does.
    ///
    /// - Complexity: O(bytes of the values)
    public func copy() -> World {
        // Rows of other programs may be above those that this world hands out.
        let above = columns.map { $0.rowsEnd }.max() ?? 0
        let copy = World(
            entity: entity, rows: RowSource(from: max(rows.next, above)), keepsBase: false)
        copy.takeSwiftTypes(of: self)
        for column in columns {
            let other = copy.column(describedBy: column.type)
            other.gaps = column.gaps
            if let contents = column.contents { other.contents?.take(contents) }
            for slot in column.usedSlots {
                if let bytes = column.bytes(of: slot) { other.load(slot, bytes, version: 0) }
            }
        }
        return copy
    }
}

extension Column {
    /// The first row behind all that have a value.
    var rowsEnd: Int {
        for slot in (0..<slotCount).reversed() where slots[slot].count > 0 {
            let view = ChunkView(bytes(of: slot), layout)
            for word in (0..<layout.words).reversed() where view.presence(word) != 0 {
                return (slot << layout.shift | word << 6) + 64
                    - view.presence(word).leadingZeroBitCount
            }
        }
        return 0
    }

    /// The rows with a value, ascending.
    func rowsWithValues() -> [Int] {
        var rows: [Int] = []
        rows.reserveCapacity(count)
        forEachValue { row, _ in rows.append(row) }
        return rows
    }

    /// A part that takes values of the column away.
    func part(removing rows: [Int]) -> WorldChanges.Part {
        var part = WorldChanges.Part(type: type, removed: rows)
        for row in rows { noteEnds(row, place(of: row), in: &part) }
        return part
    }

    private func noteEnds(
        _ row: Int, _ value: UnsafeRawPointer?, in part: inout WorldChanges.Part
    ) {
        guard links?.isExclusive == false, let value else { return }
        let ends = LinkTable.Ends(value)
        if part.removedEnds[row]?.contains(ends) == true { return }
        part.removedEnds[row, default: []].append(ends)
    }

    func changes(since tick: UInt64) -> WorldChanges.Part {
        var part = WorldChanges.Part(type: type)
        let notes = removals.firstIndex(after: tick)..<removals.count
        part.removed = Set(notes.lazy.map { self.removals.row($0) }).filter { !has($0) }.sorted()
        if links != nil {
            for note in notes { noteEnds(removals.row(note), removals.value(note), in: &part) }
        }
        for slot in usedSlots where slots[slot].newestChange > tick {
            for word in 0..<layout.words {
                for bit in Bits(slots[slot].changes(word, after: tick)) {
                    append(slot << layout.shift | word << 6 | bit, to: &part)
                }
            }
        }
        addLivingPairs(to: &part)
        part.contents = contents(ofValues: part.values)
        return part
    }

    /// What differs from a column of the same type; nil for one without values.
    func changes(from other: Column?) -> WorldChanges.Part {
        var part = WorldChanges.Part(type: type)
        let other = other.flatMap { $0.type.isStored(as: type) ? $0 : nil }
        for slot in usedSlots(with: other) {
            let new = ChunkView(bytes(of: slot), of: self)
            let old = ChunkView(other?.bytes(of: slot), layout)
            for word in 0..<layout.words {
                let first = slot << layout.shift | word << 6
                for bit in Bits(old.presence(word) & ~new.presence(word)) {
                    part.removed.append(first | bit)
                    noteEnds(first | bit, old.value(word << 6 | bit), in: &part)
                }
                let changed =
                    new.presence(word) & ~old.presence(word) | new.differences(old, word)
                for bit in Bits(changed) {
                    append(first | bit, to: &part)
                    guard old.presence(word) >> UInt64(bit) & 1 == 1 else { continue }
                    noteEnds(first | bit, old.value(word << 6 | bit), in: &part)
                }
            }
        }
        addLivingPairs(to: &part)
        part.contents = contents(ofValues: part.values)
        return part
    }

    /// The chunks that this column or another one may have something in, ascending.
    private func usedSlots(with other: Column?) -> [Int] {
        guard let other else { return Array(usedSlots) }
        return Set(usedSlots).union(other.usedSlots).sorted()
    }

    private func append(_ row: Int, to part: inout WorldChanges.Part) {
        guard let value = place(of: row) else { return }
        part.rows.append(row)
        let start = part.values.count
        part.values.append(contentsOf: UnsafeRawBufferPointer(start: value, count: layout.stride))
        guard let gaps else { return }
        part.values.withUnsafeMutableBytes {
            if let base = $0.baseAddress { gaps.clear(base + start) }
        }
    }
}
