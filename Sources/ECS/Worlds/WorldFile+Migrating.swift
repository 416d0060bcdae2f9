// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Store
import Worlds

/// A type of the file whose values a migration has made those of another type.
struct ReplacedType {
    let type: StoredColumnType
    let migration: ColumnMigration
    /// The versions of the chunks whose values were taken over.
    let versions: [UInt32: UInt64]

    /// The type that the values have now.
    var made: ComponentType { type.kind.isResource ? migration.resources.new : migration.new }
}

/// Columns of the file that become those of other types.
extension WorldFile {
    /// Takes over the values of a type as those of another one, or nothing if that fails.
    ///
    /// Values that the world has already are newer, and stay.
    func migrate(
        _ type: StoredColumnType, _ migration: ColumnMigration, _ snapshot: StoreSnapshot
    ) throws {
        types[type.name] = nil
        let column = world.column(
            describedBy: type.kind.isResource ? migration.resources.new : migration.new)
        var versions: [UInt32: UInt64] = [:]
        var rows: [Int] = []
        do {
            try snapshot.forEachColumnChunk(of: type) { chunk, bytes in
                versions[chunk] = try type.header(of: bytes, chunk).version
                try reportingUnreadable {
                    try convert(bytes, chunk, type, migration, column, snapshot, &rows)
                }
            }
        } catch {
            // They may have other values in the file before this is tried again.
            for row in rows { column.forget(row) }
            throw error
        }
        replaced.append(ReplacedType(type: type, migration: migration, versions: versions))
    }

    /// Takes over the values of a chunk, and notes their rows in the new column.
    private func convert(
        _ bytes: UnsafeRawBufferPointer, _ chunk: UInt32, _ type: StoredColumnType,
        _ migration: ColumnMigration, _ column: Column, _ snapshot: StoreSnapshot,
        _ rows: inout [Int]
    ) throws {
        let layout = ComponentType(type).layout
        let view = ChunkView(bytes, layout)
        if type.kind.isResource {
            guard let value = view.value(0), view.has(0), !column.hasValue(0) else { return }
            try migration.convertResource(value, world) { try snapshot.content($0) }
            return rows.append(0)
        }
        for row in 0..<layout.rows where view.has(row) {
            let object = world.id(ofRow: Int(chunk) << layout.shift | row)
            guard let value = view.value(row), world.isAlive(object), !column.hasValue(object.row)
            else { continue }
            try migration.convert(value, world, object) { try snapshot.content($0) }
            rows.append(object.row)
        }
    }

    /// Takes the values of the file's former types over that a rollback has taken back: they were
    /// not saved yet.
    func migrateRest() throws {
        guard !unmigrated.isEmpty else { return }
        try context.storage {
            // All of one commit: a value whose game object the world lacks would be left behind.
            var snapshot: StoreSnapshot
            repeat {
                try showOthers(.atTick)
                snapshot = try store.makeSnapshot()
            } while snapshot.transactionID != seen
            while let next = unmigrated.first {
                try migrate(next.type, next.migration, snapshot)
                unmigrated.removeFirst()
            }
        }
    }
}
