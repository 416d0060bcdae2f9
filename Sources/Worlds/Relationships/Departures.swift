// SPDX-License-Identifier: Apache-2.0

/// Game objects that a save takes out of a world, with the rows that go with them.
///
/// They are found before the save and taken out behind it, so that a save that is refused leaves
/// the world as it was, and whatever is taken back meanwhile needs no repair.
package struct Departures {
    /// The game objects: those that were asked for, and what their relationships take along.
    package let objects: [GameObjectID]
    /// How many of them were asked for; they come first.
    private let rootCount: Int
    /// By column: the rows with a value that goes, ascending.
    fileprivate let rows: [[Int]]

    /// No departures.
    package init() { self.init(objects: [], rootCount: 0, rows: []) }

    fileprivate init(objects: [GameObjectID], rootCount: Int, rows: [[Int]]) {
        self.objects = objects
        self.rootCount = rootCount
        self.rows = rows
    }

    /// What relationships take along.
    package var companions: ArraySlice<GameObjectID> { objects.dropFirst(rootCount) }

    /// The rows of a column that go, by chunk.
    package func chunks(of column: Column) -> [Int: ArraySlice<Int>] {
        guard column.index < rows.count, let first = rows[column.index].first else { return [:] }
        let rows = rows[column.index]
        let shift = column.layout.shift
        var chunks: [Int: ArraySlice<Int>] = [:]
        var (start, chunk) = (0, first >> shift)
        for index in rows.indices.dropFirst() where rows[index] >> shift != chunk {
            chunks[chunk] = rows[start..<index]
            (start, chunk) = (index, rows[index] >> shift)
        }
        chunks[chunk] = rows[start...]
        return chunks
    }
}

extension World {
    /// What goes when game objects do, as the rules of their relationships say.
    ///
    /// - Complexity: O(component types + links), for each game object that goes.
    package func departures(of objects: some Sequence<GameObjectID>) -> Departures {
        let roots = objects.filter { isAlive($0) }.map(\.row).sortedOnce()
        guard !roots.isEmpty else { return Departures() }
        let leaving = companions(of: roots)
        let rows = leaving.map(\.row)
        return Departures(
            objects: leaving, rootCount: roots.count,
            rows: columns.map { column in
                var gone = column.type.kind.hasRowsOfObjects ? rows.filter { column.has($0) } : []
                if column.links != nil, column.count > 0 {
                    for row in rows { gone += column.links(to: row) + column.links(from: row) }
                }
                return gone.sortedOnce()
            })
    }

    /// The relationships that keep game objects in the world.
    ///
    /// - Parameters:
    ///   - objects: The game objects that may be kept, with what goes with them.
    ///   - all: All that go at once: their own relationships keep nothing.
    package func denials(of objects: Departures, among all: Departures) -> [AnyLink] {
        denials(objects.objects, among: all.objects)
    }

    /// Takes rows out that were found before.
    package func takeOut(_ departures: Departures) {
        for (column, rows) in zip(columns, departures.rows) {
            for row in rows { column.remove(row, now) }
        }
    }
}

extension Column {
    /// The bytes of a chunk without some of its rows, which have values.
    package func bytes(of chunk: Int, without rows: ArraySlice<Int>) -> [UInt8] {
        guard let bytes = bytes(of: chunk) else { return [] }
        var rest = Array(bytes)
        rest.withUnsafeMutableBytes { room in
            for row in rows {
                let local = row & (layout.rows - 1)
                let place = ChunkLayout.headerSize + (local >> 6) << 3
                let word = room.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                room.storeBytes(
                    of: word & ~(1 << UInt64(local & 63)), toByteOffset: place, as: UInt64.self)
                let value = layout.valuesOffset + local * layout.stride
                room[value..<value + layout.stride].initializeMemory(as: UInt8.self, repeating: 0)
            }
        }
        return rest
    }

    /// The rows of a chunk that have a value in the file and none in other bytes.
    package func rows(of chunk: Int, missingIn bytes: UnsafeRawBufferPointer?) -> [Int] {
        ChunkView(storedBytes(of: chunk), layout).rows(missingIn: ChunkView(bytes, layout))
            .map { chunk << layout.shift | $0 }
    }

    /// The rows of a chunk that have another value in other bytes than in the file.
    package func rows(of chunk: Int, changedIn bytes: UnsafeRawBufferPointer?) -> [Int] {
        let (old, new) = (ChunkView(storedBytes(of: chunk), layout), ChunkView(bytes, layout))
        var rows: [Int] = []
        for word in 0..<layout.words {
            let changed = new.presence(word) & ~old.presence(word) | new.differences(old, word)
            for bit in Bits(changed) { rows.append(chunk << layout.shift | word << 6 | bit) }
        }
        return rows
    }
}
