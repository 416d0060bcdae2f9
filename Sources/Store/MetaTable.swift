// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// The `meta` database: data about the file itself, each entry with its checksum.
struct MetaTable: Sendable {
    let database: Database
    let seal: EntrySeal

    /// The value of an entry, where it lies in the map.
    ///
    /// - Throws: ``RecordFormatError`` for one that does not match its checksum.
    func get(
        _ name: String, in transaction: borrowing some Transaction & ~Copyable
    ) throws -> UnsafeRawBufferPointer? {
        let key = Array(name.utf8)
        guard let stored = try transaction.get(key, in: database) else { return nil }
        return try seal.open(stored, for: key, "the entry \"\(name)\" of meta")
    }

    /// The number that an entry holds.
    func number(
        _ name: String, in transaction: borrowing some Transaction & ~Copyable
    ) throws -> UInt64? {
        guard let bytes = try get(name, in: transaction) else { return nil }
        guard bytes.count >= 8 else {
            throw RecordFormatError(.truncated, "the entry \"\(name)\" of meta is no u64")
        }
        return UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    /// Writes an entry.
    func put(
        _ bytes: [UInt8], for name: String, in transaction: borrowing WriteTransaction
    ) throws {
        let key = Array(name.utf8)
        try transaction.put(seal.seal(bytes, for: key), for: key, in: database)
    }

    /// Writes an entry that holds a number.
    func put(
        _ number: UInt64, for name: String, in transaction: borrowing WriteTransaction
    ) throws {
        try put(withUnsafeBytes(of: number.littleEndian) { Array($0) }, for: name, in: transaction)
    }

    /// Removes an entry.
    func delete(_ name: String, in transaction: borrowing WriteTransaction) throws {
        _ = try transaction.delete(Array(name.utf8), in: database)
    }
}

extension MetaTable {
    /// The name of the row counter of an entity.
    static func rowCounter(_ number: EntityNumber) -> String { "row/\(number.rawValue)" }
}

extension Store {
    /// The entries of `meta`.
    var meta: MetaTable { MetaTable(database: databases.meta, seal: seal) }
}
