// SPDX-License-Identifier: Apache-2.0

import LMDB

/// The entries of a store's file, below the store.
struct RawFile {
    struct Pair: Equatable {
        var key: [UInt8]
        var value: [UInt8]
    }

    private let environment: Environment

    /// Opens the file; a store that has it open must have been opened with `StoreOptions.fast`.
    init(_ path: String) throws {
        var options = EnvironmentOptions()
        options.maxDatabases = 4_096
        options.durability = .none
        environment = try Environment.open(at: path, options: options)
    }

    var databaseNames: [String] {
        get throws { try environment.databaseNames() }
    }

    /// All entries of a database.
    func entries(_ name: String, _ flags: DatabaseFlags = []) throws -> [Pair] {
        let database = try database(name, flags)
        return try environment.read { transaction in
            let cursor = try transaction.makeCursor(database)
            var pairs: [Pair] = []
            while let entry = try cursor.next() {
                pairs.append(Pair(key: Array(entry.key), value: Array(entry.value)))
            }
            return pairs
        }
    }

    /// The value of an entry of `meta`.
    func meta(_ name: String) throws -> [UInt8]? {
        try entries("meta").first { $0.key == Array(name.utf8) }?.value
    }

    /// Writes an entry of a database.
    func put(
        _ value: [UInt8], for key: [UInt8], in name: String, _ flags: DatabaseFlags = []
    ) throws {
        let database = try database(name, flags)
        try environment.write { _ = try $0.put(value, for: key, in: database) }
    }

    /// Writes an entry of `meta`.
    func setMeta(_ name: String, _ value: [UInt8]) throws {
        try put(value, for: Array(name.utf8), in: "meta")
    }

    /// Creates a database.
    func create(_ name: String, _ flags: DatabaseFlags) throws {
        _ = try environment.databases([DatabaseSpec(name: name, flags: flags)])
    }

    /// Deletes an entry.
    func delete(_ key: [UInt8], in name: String, _ flags: DatabaseFlags = []) throws {
        let database = try database(name, flags)
        try environment.write { _ = try $0.delete(key, in: database) }
    }

    private func database(_ name: String, _ flags: DatabaseFlags) throws -> Database {
        let found = try environment.databases([DatabaseSpec(name: name, flags: flags)])
        guard let database = found[0] else { throw Missing(name: name) }
        return database
    }

    struct Missing: Error {
        let name: String
    }
}
