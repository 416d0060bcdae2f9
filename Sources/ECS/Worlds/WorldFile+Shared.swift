// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import ManagedObjects
import RecordFormat
import Schema
import Store
import Worlds

/// Game objects of two programs under one ID, and links of two programs in one row.
///
/// No two programs are given the same rows. But copies number their game objects and links by
/// themselves, and so changes of one may bring rows that another program has reserved for its own.
///
/// Each look finds such game objects anew. A look of a tick leaves all of the other one aside, so
/// that the world never shows a mixture of both, and that either of them may go. The save is
/// refused if the one of this world was spawned here. One that changes have brought may be an
/// earlier or later state of the other one: there the policy decides, for all that it has at once.
extension WorldFile {
    func commandsShareID(ofRow row: Int) {
        sharedCommandRows.insert(row)
        context.noteUse()
        context.holdSaveCompanion(world)
    }

    /// Notes unsaved game objects under whose IDs the file has others, before anything of these is
    /// taken over.
    func noteSharedRows(_ snapshot: StoreSnapshot) throws {
        sharedRows = []
        guard world.alive.isDirty, let type = types[ChunkFormat.aliveName] else { return }
        try forEachNewer(type, snapshot) { bytes, _, chunk, column in
            guard column.isDirty(chunk) else { return }
            let (mine, theirs) = (
                ChunkView(column.bytes(of: chunk), of: column), ChunkView(bytes, of: column)
            )
            let before = ChunkView(column.base(of: chunk), of: column)
            for local in mine.rows(missingIn: before) where theirs.has(local) {
                let row = chunk << column.layout.shift | local
                if try !isSame(row, snapshot) { sharedRows.insert(row) }
            }
        }
    }

    /// - Throws: 133020 if there are such game objects that no policy decides about.
    func refuseSharedRows() throws {
        try refuseSharedRows(sharedRows.subtracting(world.broughtRows))
        guard policy == .error, let row = sharedRows.min() else { return }
        throw conflictOfObject(row, world.alive)
    }

    /// - Throws: 133020 if there are any.
    func refuseSharedRows(_ rows: Set<Int>) throws {
        guard let row = rows.min() else { return }
        throw CoreDataError.make(
            .managedObjectMerge,
            "the ID \(world.id(ofRow: row)) is that of a game object that was made here, and of "
                + "another one that changes of a copy have brought into the file; roll back, and "
                + "let one world alone spawn what others apply")
    }

    /// The rows of a chunk that the file has for such game objects, and that are not put together.
    func rowsApart(
        _ column: Column, _ chunk: Int, _ theirs: UnsafeRawBufferPointer?
    ) -> [Int] {
        guard !sharedRows.isEmpty else { return [] }
        var rows: Set<Int> = []
        if column.isOfLinks {
            rows.formUnion(column.rows(of: chunk, changedIn: theirs, leadingTo: sharedRows))
        }
        if column.type.kind.hasRowsOfObjects {
            rows.formUnion(column.rows(of: chunk, changedIn: theirs).filter(sharedRows.contains))
        }
        return rows.map { $0 & (column.layout.rows - 1) }.sorted()
    }

    /// Takes all that the game objects have here and not in the file away, as the policy says.
    func takeBackSharedRows() {
        let shared = sharedRows.sorted()
        for column in world.columns where !shared.isEmpty {
            for row in shared {
                var rows = column.type.kind.hasRowsOfObjects ? [row] : []
                if column.isOfLinks { rows += column.linksOfEnd(row) }
                for row in rows where !column.isStored(row) { column.takeBack(row, world.tick) }
            }
        }
    }

    /// Gives unsaved links other rows where others have put theirs: no two links are in conflict,
    /// as each is known by its pair.
    func giveUpLinkRows(_ types: [StoredColumnType], _ snapshot: StoreSnapshot) throws {
        for column in world.columns where column.hasRowsOfLinks && column.isDirty {
            guard let type = types.first(where: { $0.name == column.type.name }) else { continue }
            var rows: [Int] = []
            try forEachNewer(type, snapshot) { bytes, _, chunk, column in
                guard column.isDirty(chunk) else { return }
                rows += ChunkMerge(bytes, chunk, of: column, prefersMine: true).conflicts
                    .map { chunk << column.layout.shift | $0 }.filter(column.hasValue)
            }
            try world.moveLinks(rows, of: column)
        }
    }

    /// Whether a game object that is new here is the one that the file has: it is a managed object,
    /// or has the same components, as where two programs have applied the same changes.
    private func isSame(_ row: Int, _ snapshot: StoreSnapshot) throws -> Bool {
        var isManaged = false
        let key = ObjectKey(rawValue: world.id(ofRow: row).rawValue)
        try snapshot.forEachRecord(of: [key][...]) { _, _ in isManaged = true }
        if isManaged { return true }
        for type in types.values { _ = try column(of: type) }
        for column in world.columns where column.type.kind.hasRowsOfObjects {
            let chunk = row >> column.layout.shift
            let theirs = try types[column.type.name].flatMap {
                try snapshot.columnChunk($0.number, UInt32(chunk))
            }
            guard theirs.map({ $0.count == column.layout.size }) ?? true else { return false }
            let (one, other) = (
                ChunkView(column.bytes(of: chunk), of: column), ChunkView(theirs, of: column)
            )
            let local = row & (column.layout.rows - 1)
            let word = local >> 6
            let different = one.presence(word) ^ other.presence(word) | one.differences(other, word)
            if different >> UInt64(local & 63) & 1 == 1 { return false }
        }
        return true
    }
}
