// SPDX-License-Identifier: Apache-2.0

import Contents
import LMDB
import RecordFormat
import Schema

/// The values of the `contents` database: a count (`u64`), the bytes of a value, and a seal.
enum ContentEntry {
    static let headerSize = 8

    static func bytes(
        _ count: UInt64, _ content: [UInt8], _ key: ContentKey, _ seal: EntrySeal
    ) -> [UInt8] {
        let value = withUnsafeBytes(of: count.littleEndian) { Array($0) } + content
        return seal.seal(value, for: key.bytes)
    }

    /// How many rows have the content, and its bytes, which are compared with the key.
    static func parts(
        of stored: UnsafeRawBufferPointer, _ key: ContentKey, _ seal: EntrySeal
    ) throws(RecordFormatError) -> (count: UInt64, bytes: [UInt8]) {
        let value = try seal.open(stored, for: key.bytes, "a content of components")
        guard value.count > headerSize else {
            throw RecordFormatError(
                .truncated, "a content of components has \(value.count) bytes")
        }
        let count = UInt64(littleEndian: value.loadUnaligned(as: UInt64.self))
        let bytes = Array(value[headerSize...])
        guard ContentKey(of: bytes) == key else {
            throw RecordFormatError(
                .badChecksum, "a content of components does not match its key")
        }
        do throws(ContentDamage) { _ = try ContentBytes.read(bytes) } catch {
            throw RecordFormatError(.unknownNumber, "a content of components is none: \(error)")
        }
        return (count, bytes)
    }

    static func key(_ bytes: UnsafeRawBufferPointer) throws(RecordFormatError) -> ContentKey {
        guard bytes.count == ContentKey.byteCount else {
            throw RecordFormatError(.truncated, "a key of contents has \(bytes.count) bytes")
        }
        return bytes.loadUnaligned(as: ContentKey.self)
    }
}

extension StoreDatabases {
    static let contentsSpec = DatabaseSpec(name: "contents", flags: [])
}

extension ChunkFormat {
    /// The content keys of a chunk by their rows.
    package func contentKeys(
        in bytes: UnsafeRawBufferPointer, _ body: (Int, ContentKey) throws -> Void
    ) rethrows {
        for row in 0..<rows where has(row, in: bytes) {
            let place = valuesOffset + row * stride
            try body(row, bytes.loadUnaligned(fromByteOffset: place, as: ContentKey.self))
        }
    }
}

extension Store {
    /// The database of contents; nil in a file that never had codable components.
    func contents() throws(LMDBError) -> Database? {
        if let known = contentsDatabase.withLock({ $0 }) { return known }
        let spec = StoreDatabases.contentsSpec
        let found = try environment.databases([spec], createMissing: false)[0]
        contentsDatabase.withLock { $0 = found }
        return found
    }
}

extension StoreSnapshot {
    /// The bytes of a content, compared with its key; nil for one that the file lacks.
    ///
    /// - Throws: ``StoreError`` with `damaged`.
    package func content(_ key: ContentKey) throws(StoreError) -> [UInt8]? {
        do {
            guard let contents = store.contentsDatabase.withLock({ $0 }),
                let value = try snapshot.get(key.bytes, in: contents)
            else { return nil }
            return try ContentEntry.parts(of: value, key, store.seal).bytes
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }
}

/// What chunks of codable components say of the contents.
struct ContentCounts {
    /// How many more rows have a content than before.
    var changes: [ContentKey: Int] = [:]
    /// The contents that may be new.
    var bytes: [ContentKey: [UInt8]] = [:]

    mutating func note(_ key: ContentKey, _ change: Int) { changes[key, default: 0] += change }
}

extension SaveTransaction {
    /// Writes a chunk of a codable component.
    ///
    /// - Parameters:
    ///   - content: The bytes of a key that the file may lack.
    ///   - fill: Writes all bytes of the chunk into the page.
    package func putCodedColumnChunk(
        _ type: UInt32, _ number: UInt32, _ format: ChunkFormat,
        _ content: (ContentKey) -> [UInt8]?, _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws {
        try noteFormerContents(type, number, format)
        try putColumnChunk(type, number, byteCount: format.size) { room in
            fill(room)
            format.contentKeys(in: UnsafeRawBufferPointer(room)) { _, key in
                contentCounts.note(key, 1)
                if contentCounts.changes[key] ?? 0 > 0, contentCounts.bytes[key] == nil {
                    contentCounts.bytes[key] = content(key)
                }
            }
        }
    }

    /// Counts what a chunk that goes or is written anew has had.
    func noteFormerContents(
        _ type: UInt32, _ number: UInt32, _ format: ChunkFormat
    ) throws {
        try write { transaction, _ in
            let key = ColumnKey.bytes(type: type, chunk: number)
            guard let old = try transaction.get(key, in: requireColumns()) else { return }
            guard old.count == format.size else {
                throw RecordFormatError(
                    .truncated, "chunk \(number) of the component \(type) has \(old.count) bytes")
            }
            format.contentKeys(in: old) { _, key in contentCounts.note(key, -1) }
        }
    }

    /// Writes the contents that came, and removes those that no row has any more.
    func flushContents() throws {
        let counts = contentCounts
        contentCounts = ContentCounts()
        let changes = counts.changes.filter { $0.value != 0 }.sorted { $0.key < $1.key }
        guard !changes.isEmpty else { return }
        try write { transaction, _ in
            guard let contents = store.contentsDatabase.withLock({ $0 }) else {
                throw StoreError(
                    .damaged, path: store.path,
                    "the file has codable components and no contents; restore the file from a copy")
            }
            for (key, change) in changes {
                let old = try transaction.get(key.bytes, in: contents)
                let found = try old.map { try ContentEntry.parts(of: $0, key, store.seal) }
                let bytes = found?.bytes ?? counts.bytes[key]
                // A damaged count may be any number.
                let count = (found?.count ?? 0).adding(change)
                guard let bytes, let count, counts.bytes[key] ?? bytes == bytes else {
                    throw StoreError(
                        .damaged, path: store.path,
                        "a content of codable components is missing or counted wrong; restore the "
                            + "file from a copy")
                }
                if count == 0 {
                    _ = try transaction.delete(key.bytes, in: contents)
                } else {
                    try transaction.put(
                        ContentEntry.bytes(count, bytes, key, store.seal), for: key.bytes,
                        in: contents)
                }
            }
        }
    }
}

extension UInt64 {
    /// The sum; nil where it is negative or too large.
    fileprivate func adding(_ change: Int) -> UInt64? {
        let (sum, overflow) =
            change < 0
            ? subtractingReportingOverflow(UInt64(change.magnitude))
            : addingReportingOverflow(UInt64(change))
        return overflow ? nil : sum
    }
}
