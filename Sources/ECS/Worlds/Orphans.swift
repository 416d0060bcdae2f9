// SPDX-License-Identifier: Apache-2.0

import Store
import Worlds

/// Components whose game objects one side has despawned, while the other one has given or changed
/// them.
struct Orphans {
    /// Those that others have given or changed: they may take that back.
    private(set) var theirs: [(column: Column, rows: [Int])] = []
    /// Those that were given or changed here.
    private(set) var mine: [(column: Column, rows: [Int])] = []

    var isEmpty: Bool { first == nil }

    /// One of them.
    var first: (row: Int, column: Column)? {
        for (column, rows) in mine + theirs {
            if let row = rows.first { return (row, column) }
        }
        return nil
    }

    /// Adds rows of a column; those that others have despawned are the world's own.
    mutating func add(_ rows: [Int], _ column: Column, despawnedElsewhere: (Int) -> Bool) {
        let own = rows.filter(despawnedElsewhere)
        if !own.isEmpty { mine.append((column, own)) }
        let others = rows.filter { !despawnedElsewhere($0) }
        if !others.isEmpty { theirs.append((column, others)) }
    }

    /// Forgets those that others have removed meanwhile.
    mutating func settle(_ column: Column, _ chunk: Int, in bytes: UnsafeRawBufferPointer?) {
        let view = ChunkView(bytes, of: column)
        for place in theirs.indices where theirs[place].column === column {
            theirs[place].rows.removeAll { row in
                row >> column.layout.shift == chunk && !view.has(row & (column.layout.rows - 1))
            }
        }
    }
}

/// Components without their game objects, which a world never shows.
extension WorldFile {
    /// Calls a body with components whose game objects are gone.
    func forEachOrphan(_ body: (Column, [Int]) throws -> Void) rethrows {
        for column in world.columns.dropFirst() where column.type.kind.hasRowsOfObjects {
            let rows = column.rows(missingIn: world.alive)
            if !rows.isEmpty { try body(column, rows) }
        }
    }

    /// Takes them out of the world at a tick, and leaves their conflicts for the save.
    func hideOrphans() {
        forEachOrphan { column, rows in
            orphans.add(rows, column) { !fileHasObject($0) }
            for row in rows { column.remove(row, world.tick) }
        }
        mayHaveOrphans = false
    }

    /// Takes them out of the world in a save, whose policy allows it.
    func endOrphans() throws {
        try forEachOrphan { column, rows in
            if policy == .error, let row = rows.first { throw conflictOfObject(row, column) }
            for row in rows { column.remove(row, world.tick) }
        }
        mayHaveOrphans = false
    }

    /// Whether the file has a game object, which may be despawned here.
    private func fileHasObject(_ row: Int) -> Bool {
        let alive = world.alive
        let base = ChunkView(alive.base(of: row >> alive.layout.shift), of: alive)
        return base.has(row & (alive.layout.rows - 1))
    }
}
