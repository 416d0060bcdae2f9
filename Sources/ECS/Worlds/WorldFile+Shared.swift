// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import ManagedObjects
import RecordFormat
import Schema
import Store
import Worlds

/// Game objects of two programs under one ID.
///
/// No two programs are given the same rows. But copies number their game objects by themselves, and
/// so changes of one may bring IDs that another program has reserved for its own.
extension WorldFile {
    /// Notes unsaved game objects under whose IDs the file has others, before anything of these is
    /// taken over.
    func noteSharedRows(_ snapshot: StoreSnapshot) throws {
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

    /// - Throws: 133020 if there are such game objects.
    func refuseSharedRows() throws {
        guard let row = sharedRows.min() else { return }
        throw CoreDataError.make(
            .managedObjectMerge,
            "the ID \(world.id(ofRow: row)) is that of a game object that was made here, and of "
                + "another one that changes of a copy have brought into the file; roll back, and "
                + "let one world alone spawn what others apply")
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
