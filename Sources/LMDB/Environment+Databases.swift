// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

extension Environment {
    /// Opens databases by name, and creates those that are missing.
    ///
    /// Open all databases at once, before long reads begin: a transaction only knows
    /// the databases that were open when it began. Only creating takes a write
    /// transaction, one for all.
    ///
    /// - Parameters:
    ///   - specs: The names and flags.
    ///   - createMissing: Whether to create what is missing, unless the environment
    ///     only reads.
    /// - Returns: The databases in the order of `specs`; nil for one that is missing.
    /// - Throws: ``LMDBError`` with `incompatible` where a database has other flags, or
    ///   `databasesFull`.
    public func databases(
        _ specs: [DatabaseSpec], createMissing: Bool = true
    ) throws(LMDBError) -> [Database?] {
        try adoptNewestMap()
        var found = try databaseLock.withLock { () throws(LMDBError) in try openExisting(specs) }
        guard createMissing, !isReadOnly, found.contains(nil) else { return found }
        do {
            found = try asWriter {
                try databaseLock.withLock { try create(specs) }
            }
        } catch let error as LMDBError {
            throw error
        } catch {
            trap("creating databases threw \(error)")
        }
        return found
    }

    /// The names of all databases of the file, in the order of their bytes.
    ///
    /// - Complexity: O(number of databases)
    public func databaseNames() throws(LMDBError) -> [String] {
        try adoptNewestMap()
        return try databaseLock.withLock { () throws(LMDBError) in
            try withReadHandle { (transaction) throws(LMDBError) in try names(transaction) }
        }
    }

    /// Opens what exists, in a read transaction that is committed, so that handles persist.
    private func openExisting(_ specs: [DatabaseSpec]) throws(LMDBError) -> [Database?] {
        if specs.contains(where: { openDatabases[$0.name] == nil }) {
            let found = try withReadHandle { (transaction) throws(LMDBError) in
                var found: [String: Database] = [:]
                for spec in specs where openDatabases[spec.name] == nil {
                    found[spec.name] = try open(spec, 0, transaction)
                }
                return found
            }
            keep(found)
        }
        return try cached(specs)
    }

    /// Opens and creates in one write transaction.
    ///
    /// The caller holds both locks.
    private func create(_ specs: [DatabaseSpec]) throws -> [Database?] {
        var made: [String: Database] = [:]
        try writeAsWriter(options.durability, false) { transaction in
            made = [:]
            for spec in specs where openDatabases[spec.name] == nil {
                made[spec.name] = try open(spec, UInt32(MDB_CREATE), transaction.handle)
            }
        }
        keep(made)
        return try cached(specs)
    }

    private func keep(_ opened: [String: Database]) {
        openDatabases.merge(opened) { old, _ in old }
        namesByHandle.withLock { names in
            for (name, database) in opened { names[database.handle] = name }
        }
    }

    /// The open databases for some specs, after checking that their flags match.
    private func cached(_ specs: [DatabaseSpec]) throws(LMDBError) -> [Database?] {
        var result: [Database?] = []
        for spec in specs {
            let database = openDatabases[spec.name]
            if let database, database.flags != spec.flags { throw mismatch(spec, database.flags) }
            result.append(database)
        }
        return result
    }

    private func open(
        _ spec: DatabaseSpec, _ creation: UInt32, _ transaction: OpaquePointer
    ) throws(LMDBError) -> Database? {
        var database: MDB_dbi = 0
        let wanted = UInt32(spec.flags.rawValue) | creation
        var status = mdb_dbi_open(transaction, spec.name, wanted, &database)
        if status == MDB_NOTFOUND && creation == 0 { return nil }
        var flags: UInt32 = 0
        if status == MDB_SUCCESS { status = mdb_dbi_flags(transaction, database, &flags) }
        guard status == MDB_SUCCESS else {
            if status == MDB_MAP_FULL { mapIsFull = true }
            throw error(status, "Opening database \"\(spec.name)\"")
        }
        let actual = DatabaseFlags(rawValue: UInt16(truncatingIfNeeded: flags))
        guard actual == spec.flags else { throw mismatch(spec, actual) }
        return Database(handle: database, flags: actual, environmentTag: tag)
    }

    private func mismatch(_ spec: DatabaseSpec, _ actual: DatabaseFlags) -> LMDBError {
        let name = "\"\(spec.name)\""
        let flags = "with flags \(actual.rawValue), asked for with \(spec.flags.rawValue)"
        return LMDBError(
            code: .incompatible, path: path,
            message: "Opening database \(name) failed: it was created \(flags). "
                + LMDBError.Code.incompatible.advice)
    }

    private func names(_ transaction: OpaquePointer) throws(LMDBError) -> [String] {
        var main: MDB_dbi = 0
        var cursor: OpaquePointer?
        var status = mdb_dbi_open(transaction, nil, 0, &main)
        if status == MDB_SUCCESS { status = mdb_cursor_open(transaction, main, &cursor) }
        guard status == MDB_SUCCESS, let cursor else { throw error(status, "Listing databases") }
        defer { mdb_cursor_close(cursor) }
        var names: [String] = []
        var key = MDB_val()
        var value = MDB_val()
        while true {
            status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
            if status == MDB_NOTFOUND { return names }
            guard status == MDB_SUCCESS else { throw error(status, "Listing databases") }
            names.append(String(decoding: key.bytes, as: UTF8.self))
        }
    }

    /// Runs a closure in a read transaction outside the pool, and commits it.
    ///
    /// The caller holds `databaseLock`, so this must not take `writeLock` to adopt a grown
    /// map; ``adoptNewestMap()`` did that before.
    private func withReadHandle<R>(
        _ body: (OpaquePointer) throws(LMDBError) -> R
    ) throws(LMDBError) -> R {
        try withMap { () throws(LMDBError) in
            var transaction: OpaquePointer?
            var status = beginReading(&transaction)
            guard status == MDB_SUCCESS, let transaction else {
                throw error(status, "Opening databases")
            }
            let result: R
            do throws(LMDBError) {
                result = try body(transaction)
            } catch {
                mdb_txn_abort(transaction)
                throw error
            }
            status = mdb_txn_commit(transaction)
            guard status == MDB_SUCCESS else { throw error(status, "Opening databases") }
            return result
        }
    }

    /// Maps the whole file, and makes sure that a reader slot is free.
    private func adoptNewestMap() throws(LMDBError) {
        endRead(try beginRead())
    }
}
