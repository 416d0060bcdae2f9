// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Traps

/// The keys of the `columns` database: type (u32), chunk (u32), big-endian.
enum ColumnKey {
    static func bytes(type: UInt32, chunk: UInt32) -> [UInt8] {
        withUnsafeBytes(of: (UInt64(type) << 32 | UInt64(chunk)).bigEndian) { Array($0) }
    }

    static func parts(
        of key: UnsafeRawBufferPointer
    ) throws(RecordFormatError) -> (type: UInt32, chunk: UInt32) {
        guard key.count == 8 else {
            throw RecordFormatError(
                .truncated,
                "a key of columns has \(key.count) bytes instead of 8; restore the file from a "
                    + "copy")
        }
        let number = UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
        return (UInt32(number >> 32), UInt32(truncatingIfNeeded: number))
    }
}

extension StoreDatabases {
    static let columnsSpec = DatabaseSpec(name: "columns", flags: [])
}

extension Store {
    /// The name of the entry of `meta` that describes the types.
    static let columnTypesName = "columns"

    /// The database of the chunks; nil in a file that never had value components.
    func columns() throws(LMDBError) -> Database? {
        if let known = columnsDatabase.withLock({ $0 }) { return known }
        let found = try environment.databases([StoreDatabases.columnsSpec], createMissing: false)[0]
        columnsDatabase.withLock { $0 = found }
        return found
    }

    /// Looks for the database of the chunks, so that snapshots that begin later can read it.
    ///
    /// - Throws: ``StoreError`` with `storage`.
    public func findColumns() throws(StoreError) {
        do {
            _ = try columns()
            _ = try contents()
        } catch { throw StoreError(wrapping: error, path: path) }
    }

    /// Whether the file may have value components, as far as the store knows.
    package var hasColumns: Bool { columnsDatabase.withLock { $0 != nil } }

    /// Looks for the database of the chunks in a file whose version allows it.
    func findColumns(_ header: StoreHeader) throws(LMDBError) {
        if header.readableBy >= FormatVersion.columns { _ = try columns() }
        if header.readableBy >= FormatVersion.contents { _ = try contents() }
    }

    /// Makes the file one that may have value components, if it is not yet.
    ///
    /// That raises its format version, in a commit of its own.
    ///
    /// - Parameters:
    ///   - kinds: Whether there are columns of links or resources, not of components alone.
    ///   - contents: Whether there are columns of codable components.
    /// - Throws: ``StoreError``, as ``write(_:)``.
    public func makeColumns(withKinds kinds: Bool = false, withContents contents: Bool = false)
        throws
    {
        let version =
            contents
            ? FormatVersion.contents : kinds ? FormatVersion.columnKinds : FormatVersion.columns
        guard columnsVersion.withLock({ $0 }) < version else { return }
        do {
            try checkSealed()
            // Before the version: programs that learn of that must find the database.
            let made = try environment.databases([StoreDatabases.columnsSpec])[0]
            columnsDatabase.withLock { $0 = made }
            if contents {
                let made = try environment.databases([StoreDatabases.contentsSpec])[0]
                contentsDatabase.withLock { $0 = made }
            }
            try raise(to: version)
            columnsVersion.withLock { $0 = max($0, version) }
        } catch {
            throw error is StoreError ? error : StoreError(wrapping: error, path: path)
        }
    }

    /// Refuses files whose values have no seals: their version says so, and must not rise above 4.
    private func checkSealed() throws(StoreError) {
        guard !seal.isOn else { return }
        throw StoreError(
            .storage, path: path,
            "the file began as a format before \(FormatVersion.sealed), and value components need "
                + "a later one; copy its objects to a new file")
    }

    private func raise(to version: UInt16) throws {
        while true {
            let former = catalog
            var header = try StoredCatalog(environment, databases.meta, path: path).header
            guard header.readableBy < version else { return }
            header.raise(to: version)
            do { return try changeCatalog(header, from: former) { _ in } } catch is CatalogMoved {
                try followCatalog()
            }
        }
    }
}

extension StoreSnapshot {
    /// The types of value components that the file has.
    ///
    /// - Throws: ``StoreError`` with `damaged`.
    public func columnTypes() throws(StoreError) -> [StoredColumnType] {
        do {
            return try StoredColumnType.list(store.meta.get(Store.columnTypesName, in: snapshot))
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// The greatest row of a game object that a writer has used though another one had reserved it;
    /// 0 for none.
    ///
    /// - Throws: ``StoreError`` with `damaged`.
    public func takenRow() throws(StoreError) -> Int {
        do { return Int(try MetaNumber.takenRow.read(snapshot, store.meta)) } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// Calls a body with each chunk of a type, in their order.
    ///
    /// The bytes may be damaged, see ``RecordFormat/ChunkHeader``; the rows of the chunk are some
    /// that game objects can have.
    ///
    /// - Parameter body: Gets the number of the chunk and its bytes, which it must not keep.
    /// - Throws: ``StoreError``, and what the body throws.
    public func forEachColumnChunk(
        of type: StoredColumnType, _ body: (UInt32, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        do {
            // One that was found after the snapshot began is not in it.
            guard let columns = store.columnsDatabase.withLock({ $0 }) else { return }
            let end = try gameObjectRowEnd()
            let cursor = try snapshot.makeCursor(columns)
            var entry = try cursor.seek(atLeast: ColumnKey.bytes(type: type.number, chunk: 0))
            while let current = entry {
                let key = try ColumnKey.parts(of: current.key)
                guard key.type == type.number else { return }
                try type.checkPlace(of: key.chunk, end)
                try body(key.chunk, current.value)
                entry = try cursor.next()
            }
        } catch {
            switch error {
            case is LMDBError, is RecordFormatError:
                throw StoreError(wrapping: error, path: store.path)
            default: throw error
            }
        }
    }

    /// The header of a chunk, all of whose bytes are compared with it, and whose links have ends
    /// that game objects can be.
    ///
    /// - Throws: ``StoreError`` with `damaged`.
    public func header(
        of bytes: UnsafeRawBufferPointer, _ chunk: UInt32, _ type: StoredColumnType
    ) throws(StoreError) -> ChunkHeader {
        do {
            let header = try type.header(of: bytes, chunk)
            guard type.kind.isRelationship,
                let entity = store.table(named: ChunkFormat.aliveName)?.number
            else { return header }
            try type.checkLinks(of: bytes, chunk, entity, end: gameObjectRowEnd())
            return header
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// The first row that no game object can have yet.
    func gameObjectRowEnd() throws -> UInt64 {
        guard let table = store.table(named: ChunkFormat.aliveName) else { return 0 }
        return try store.meta.number(MetaTable.rowCounter(table.number), in: snapshot) ?? 1
    }
}

extension SaveTransaction {
    /// The types of value components that the file has.
    public func columnTypes() throws -> [StoredColumnType] {
        try write { transaction, _ in
            try StoredColumnType.list(store.meta.get(Store.columnTypesName, in: transaction))
        }
    }

    /// Notes that the writer uses a row of a game object that another one has reserved.
    ///
    /// - Returns: Whether the file did not know it.
    public func noteTakenRow(_ row: Int) throws -> Bool {
        try write { transaction, _ in
            let number = MetaNumber.takenRow
            guard try number.read(transaction, store.meta) < row else { return false }
            isTouched = true
            try number.write(UInt64(row), transaction, store.meta)
            return true
        }
    }

    /// Replaces the list of the types of value components.
    public func setColumnTypes(_ types: [StoredColumnType]) throws {
        isTouched = true
        try write { transaction, _ in
            try store.meta.put(
                StoredColumnType.encode(types), for: Store.columnTypesName, in: transaction)
        }
    }

    /// The versions of the chunks of a type by their numbers.
    public func columnChunkVersions(of type: UInt32) throws -> [UInt32: UInt64] {
        try write { transaction, _ in
            let cursor = try transaction.makeCursor(requireColumns())
            var chunks: [UInt32: UInt64] = [:]
            var entry = try cursor.seek(atLeast: ColumnKey.bytes(type: type, chunk: 0))
            while let current = entry {
                let key = try ColumnKey.parts(of: current.key)
                guard key.type == type else { break }
                chunks[key.chunk] = ChunkHeader.version(of: current.value)
                entry = try cursor.next()
            }
            return chunks
        }
    }

    /// Writes a chunk.
    ///
    /// - Parameters:
    ///   - byteCount: The size of the chunk in bytes.
    ///   - fill: Writes all of its bytes into the page.
    public func putColumnChunk(
        _ type: UInt32, _ chunk: UInt32, byteCount: Int,
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws {
        isTouched = true
        try write { transaction, _ in
            let columns = try requireColumns()
            try ColumnKey.bytes(type: type, chunk: chunk).withUnsafeBytes { key in
                _ = try transaction.putReserving(key, byteCount: byteCount, in: columns, fill)
            }
        }
    }

    /// Removes a chunk, if the file has it.
    ///
    /// - Parameter format: That of the chunk of a codable component, whose contents are counted.
    public func deleteColumnChunk(
        _ type: UInt32, _ chunk: UInt32, coded format: ChunkFormat? = nil
    ) throws {
        if let format { try noteFormerContents(type, chunk, format) }
        isTouched = true
        try write { transaction, _ in
            let columns = try requireColumns()
            _ = try transaction.delete(ColumnKey.bytes(type: type, chunk: chunk), in: columns)
        }
    }

    func requireColumns() throws -> Database {
        // Not looked for here: that would begin a read inside the transaction.
        guard let columns = store.columnsDatabase.withLock({ $0 }) else {
            trap("columns of \(store.path) are written before makeColumns()")
        }
        return columns
    }
}
