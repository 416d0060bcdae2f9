// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Store
import Worlds

/// Conflicts that the error policy refuses.
///
/// They are found before anything is taken over: a save that fails leaves the world as it was.
extension WorldFile {
    /// Throws for a change of others that differs from one of the world's own, or that is of a game
    /// object that one side has despawned.
    func refuseConflicts(_ types: [StoredColumnType], _ snapshot: StoreSnapshot) throws {
        let leaving = Set(pendingDepartures.objects.map(\.row))
        let despawned = despawnedRows
        var orphans = knownOrphans
        for type in types {
            try forEachNewer(type, snapshot) { bytes, _, chunk, column in
                if column.isDirty(chunk), !column.hasRowsOfLinks,
                    let row = ChunkMerge(bytes, chunk, of: column, prefersMine: true).conflicts
                        .first
                {
                    throw conflict(chunk << column.layout.shift | row, column, theirs: bytes)
                }
                guard column.type.kind.hasRowsOfObjects else { return }
                // A deletion conflicts with changes of what goes, as despawning does. Links go with
                // either end, whoever made them.
                let gone = column.type.kind == .component ? leaving.union(despawned) : leaving
                if !gone.isEmpty {
                    for row in column.rows(of: chunk, changedIn: bytes) where gone.contains(row) {
                        throw conflict(row, column, theirs: bytes)
                    }
                }
                orphans.settle(column, chunk, in: bytes)
                guard column === world.alive else { return }
                try refuseAdditions(to: Set(column.rows(of: chunk, missingIn: bytes)))
            }
        }
        if let (row, column) = orphans.first { throw conflictOfObject(row, column) }
    }

    /// The game objects of the file that are despawned here.
    var despawnedRows: Set<Int> {
        let alive = world.alive
        return Set(
            alive.dirtyChunks.flatMap { alive.rows(of: $0, missingIn: alive.bytes(of: $0)) })
    }

    /// Throws for a component that one of some game objects has got here since the last save.
    private func refuseAdditions(to gone: Set<Int>) throws {
        guard !gone.isEmpty else { return }
        for column in world.columns.dropFirst() where column.type.kind == .component {
            for chunk in column.dirtyChunks {
                let base = ChunkView(column.base(of: chunk), of: column)
                let mine = ChunkView(column.bytes(of: chunk), of: column)
                for row in mine.rows(missingIn: base).map({ chunk << column.layout.shift | $0 })
                where gone.contains(row) {
                    throw conflictOfObject(row, column)
                }
            }
        }
    }

    /// Components that earlier looks have found without their game objects.
    private var knownOrphans: Orphans {
        var known = orphans
        guard mayHaveOrphans else { return known }
        forEachOrphan { column, rows in
            guard column.type.kind == .component else { return }
            known.add(rows, column) { _ in false }
        }
        return known
    }
}
