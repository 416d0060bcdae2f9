// SPDX-License-Identifier: Apache-2.0

import Traps

/// Game objects that come and go.
extension World {
    /// The number of game objects.
    public var count: Int { alive.count }

    /// Makes a game object with components.
    ///
    /// - Complexity: O(number of components)
    @inlinable
    @discardableResult
    public func spawn<each C: WorldComponent>(_ values: repeat each C) -> GameObjectID {
        checkNoLoop("spawning a game object")
        let object = GameObjectID(entity: entity, row: takeRows(1))
        _ = alive.insert(object.row, now)
        for (type, value) in repeat ((each C).self, each values) { type.__add(value, object, self) }
        return object
    }

    /// Makes a game object without components.
    @discardableResult
    public func spawn() -> GameObjectID {
        // Not left to an empty pack above: optimised calls of that crash the compiler (Swift 6.3).
        spawnAll(count: 1)[0]
    }

    /// Makes a game object for each element of arrays of components, all of the same length.
    ///
    /// ```swift
    /// let bodies = world.spawnAll(positions, velocities)
    /// ```
    ///
    /// - Returns: The IDs, in the order of the arrays.
    /// - Complexity: O(number of values); copies them chunk by chunk.
    @inlinable
    @discardableResult
    public func spawnAll<each C: WorldComponent>(_ values: repeat [each C]) -> GameObjectIDs {
        var count: Int?
        for array in repeat each values {
            require(
                count == nil || count == array.count,
                "arrays of \(count ?? 0) and \(array.count) components to spawn")
            count = array.count
        }
        let objects = spawnAll(count: count ?? 0)
        guard let first = objects.first else { return objects }
        repeat insertArray(each values, first.row)
        return objects
    }

    @inlinable
    func insertArray<C: WorldComponent>(_ values: [C], _ row: Int) {
        insertStored(packAll(values), row)
    }

    @inlinable
    func insertStored<C: StoredComponent>(_ values: [C], _ row: Int) {
        checkSettable(C.self)
        let column = storedColumn(C.self)
        values.withUnsafeBytes { insertAll($0, column, row) }
    }

    /// Makes game objects without components.
    @discardableResult
    public func spawnAll(count: Int) -> GameObjectIDs {
        checkNoLoop("spawning a game object")
        require(count >= 0, "\(count) game objects to spawn")
        guard count > 0 else {
            return GameObjectIDs(first: GameObjectID(entity: entity, row: 0), count: 0)
        }
        let first = GameObjectID(entity: entity, row: takeRows(count))
        alive.insertAll(first.row, count, nil, tick)
        return GameObjectIDs(first: first, count: count)
    }

    @usableFromInline
    func insertAll(_ values: UnsafeRawBufferPointer, _ column: Column, _ row: Int) {
        let stride = column.layout.stride
        guard stride > 0 else { return column.insertAll(row, values.count, nil, tick) }
        column.insertAll(row, values.count / stride, values.baseAddress, tick)
    }

    @inlinable @inline(__always)
    func insert<C: StoredComponent>(_ value: C, _ object: GameObjectID) {
        checkSettable(C.self)
        let (row, tick) = (object.row, now)
        // SAFETY: as for `placeToSet`.
        let place = columnToChange(C.self)._withUnsafeGuaranteedRef {
            $0.placeToWrite(row, tick) ?? $0.insert(row, tick)
        }
        place.assumingMemoryBound(to: C.self).pointee = value
    }

    @inlinable func takeRows(_ count: Int) -> Int { rows.take(count) }

    /// Makes an object of a known ID a game object of the world, if it is not one.
    package func adopt(_ object: GameObjectID) {
        guard !isAlive(object) else { return }
        checkNoLoop("adding the game object \(object)")
        _ = alive.insert(object.row, now)
    }

    /// Gives up reserved rows up to the last one that a game object has: others may have brought it
    /// by changes of a copy, which numbers its game objects by itself.
    package func skipTakenRows() {
        leaveRows(ofAnotherProgram: true) { alive.has($0) }
        let (start, end) = (rows.next, rows.next + rows.left)
        for word in (start >> 6..<(end + 63) >> 6).reversed() {
            let first = word << 6
            let view = ChunkView(alive.bytes(of: first >> alive.layout.shift), alive.layout)
            // Other blocks may end and begin in the same words.
            let last = Bits(view.presence(word & (alive.layout.words - 1)))
                .reduce(-1) { first + $1 < end ? first + $1 : $0 }
            guard last >= start else { continue }
            return rows.skip(upTo: last)
        }
    }

    /// Gives up reserved rows up to one: game objects of others may have had any of them, and be
    /// gone without a trace.
    package func giveUpRows(upTo row: Int) {
        for known in spawning { known.commands?.rows.skip { $0 <= row } }
        rows.skip(upTo: row)
    }

    /// The ID of a row.
    package func id(ofRow row: Int) -> GameObjectID { GameObjectID(entity: entity, row: row) }

    /// The names of the components that a game object has.
    public func componentNames(of object: GameObjectID) -> [String] {
        guard object.entity == entity else { return [] }
        return columns.dropFirst().filter { $0.type.kind == .component && $0.has(object.row) }
            .map(\.type.name)
    }

    /// The values of a type that were removed after a tick, oldest first.
    ///
    /// - Parameters:
    ///   - type: The component type.
    ///   - tick: The tick; without one what ``advance()`` closed last. Removals of before the last
    ///     but one advance are forgotten; in a world that was never advanced, those of before the
    ///     last but one look at its file or save which observers have heard of.
    public func removals<C: WorldComponent>(
        of type: C.Type, since tick: UInt64? = nil
    ) -> [(object: GameObjectID, value: C)] {
        let column = column(type)
        let log = column.removals
        return (log.firstIndex(after: tick ?? lastAdvance)..<log.count).map { index in
            (
                GameObjectID(entity: entity, row: log.row(index)),
                C.__unpack(log.value(index, C.__Stored.self), column.contents)
            )
        }
    }
}

extension Column {
    /// Gives adjacent rows values.
    ///
    /// - Parameters:
    ///   - row: The first row.
    ///   - count: The number of rows.
    ///   - values: The values with the column's stride; nil for tags.
    ///   - tick: The tick of the addition.
    @usableFromInline
    func insertAll(_ row: Int, _ count: Int, _ values: UnsafeRawPointer?, _ tick: UInt64) {
        var done = 0
        while done < count {
            let slot = (row + done) >> layout.shift
            let local = (row + done) & (layout.rows - 1)
            let part = min(count - done, layout.rows - local)
            prepareToWrite(slot)
            guard let bytes = slots[slot].bytes else { return }
            if let values {
                (bytes + layout.valuesOffset + local * layout.stride).copyMemory(
                    from: values + done * layout.stride, byteCount: part * layout.stride)
            }
            markPresent(slot, local, part, tick)
            done += part
        }
    }

    private func markPresent(_ slot: Int, _ local: Int, _ rows: Int, _ tick: UInt64) {
        guard let presence = slots[slot].presence else { return }
        presenceVersion &+= 1
        var row = local
        while row < local + rows {
            let bits = min(64 - (row & 63), local + rows - row)
            let mask: UInt64 = (bits == 64 ? ~0 : (1 << UInt64(bits)) - 1) << UInt64(row & 63)
            let new = (mask & ~presence[row >> 6]).nonzeroBitCount
            presence[row >> 6] |= mask
            slots[slot].count += new
            count += new
            slots[slot].added.mark(row >> 6, mask, tick, layout)
            row += bits
        }
    }
}
