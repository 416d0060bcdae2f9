// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import ManagedObjects
import RecordFormat
import Testing
import Worlds
import _TestSupport

/// The entries of a world's file, below the store.
struct WorldPages {
    struct Entry: Equatable {
        var key: [UInt8]
        var value: [UInt8]
    }

    private let environment: Environment
    private let path: String

    /// Opens a file that the process may have open without waiting for the disk.
    init(_ url: URL) throws {
        path = url.path
        var options = EnvironmentOptions()
        options.maxDatabases = 4_096
        options.durability = .none
        environment = try Environment.open(at: url.path, options: options)
    }

    private func database(_ name: String) throws -> Database? {
        try environment.databases([DatabaseSpec(name: name, flags: [])])[0]
    }

    /// The chunks.
    func chunks() throws -> [Entry] {
        guard let columns = try database("columns") else { return [] }
        return try environment.read { transaction in
            let cursor = try transaction.makeCursor(columns)
            var found: [Entry] = []
            while let entry = try cursor.next() {
                found.append(Entry(key: Array(entry.key), value: Array(entry.value)))
            }
            return found
        }
    }

    /// The number of contents.
    func contentCount() throws -> Int {
        guard let contents = try database("contents") else { return 0 }
        return try environment.read { transaction in
            let cursor = try transaction.makeCursor(contents)
            var count = 0
            while try cursor.next() != nil { count += 1 }
            return count
        }
    }

    /// The content with the least key.
    func firstContent() throws -> Entry {
        let contents = try #require(try database("contents"))
        return try environment.read { transaction in
            let entry = try #require(try transaction.makeCursor(contents).next())
            return Entry(key: Array(entry.key), value: Array(entry.value))
        }
    }

    /// Replaces or removes a content.
    func setContent(_ key: [UInt8], _ value: [UInt8]?) throws {
        let contents = try #require(try database("contents"))
        try environment.write { transaction in
            _ = try transaction.delete(key, in: contents)
            if let value { _ = try transaction.put(value, for: key, in: contents) }
        }
    }

    /// Replaces the record of a managed game object.
    ///
    /// - Returns: The former record.
    @discardableResult
    func setGameObject(_ id: GameObjectID, _ record: [UInt8]) throws -> [UInt8] {
        let row = UInt64(id.row)
        let objects = try #require(
            try environment.databases(
                [DatabaseSpec(name: "o.\(id.entity)", flags: .integerKey)], createMissing: false)[
                    0])
        return try environment.write { transaction in
            let former = try transaction.get(row, in: objects).map { Array($0) }
            _ = try transaction.put(record, for: row, in: objects)
            return try #require(former)
        }
    }

    /// Replaces all chunks.
    func setChunks(_ chunks: [Entry]) throws {
        guard let columns = try database("columns") else { return }
        let old = try self.chunks()
        try environment.write { transaction in
            for entry in old { _ = try transaction.delete(entry.key, in: columns) }
            for entry in chunks {
                _ = try transaction.put(entry.value, for: entry.key, in: columns)
            }
        }
    }

    /// The list of the component types, without its seal.
    func types() throws -> [UInt8] {
        guard let meta = try database("meta") else { return [] }
        return try environment.read { transaction in
            try transaction.get(Array("columns".utf8), in: meta).map { Array($0.dropLast(4)) } ?? []
        }
    }

    /// Replaces the list of the component types.
    func setTypes(_ bytes: [UInt8]) throws {
        guard let meta = try database("meta") else { return }
        let key = Array("columns".utf8)
        let sealed = EntrySeal(version: 7).seal(bytes, for: key)
        try environment.write { _ = try $0.put(sealed, for: key, in: meta) }
    }

    private func historyDatabase() throws -> Database? {
        try environment.databases(
            [DatabaseSpec(name: "history", flags: .integerKey)], createMissing: false)[0]
    }

    /// The change sets of the history, without their seals.
    func history() throws -> [[UInt8]] {
        guard let history = try historyDatabase() else { return [] }
        return try environment.read { transaction in
            let cursor = try transaction.makeCursor(history)
            var found: [[UInt8]] = []
            while let entry = try cursor.next() { found.append(Array(entry.value.dropLast(4))) }
            return found
        }
    }

    /// Replaces a change set.
    func setHistory(_ number: UInt64, _ bytes: [UInt8], isSealed: Bool = true) throws {
        let history = try #require(try historyDatabase())
        let key = withUnsafeBytes(of: number.littleEndian) { Array($0) }
        let value = isSealed ? EntrySeal(version: 10).seal(bytes, for: key) : bytes + [1, 2, 3, 4]
        try environment.write { transaction in
            _ = try transaction.delete(number, in: history)
            _ = try transaction.put(value, for: key, in: history)
        }
    }

    /// The least format version that a reader must know.
    func version() throws -> Int {
        guard let meta = try database("meta") else { return 0 }
        return try environment.read { transaction in
            let header = try transaction.get(Array("lode".utf8), in: meta).map { Array($0) } ?? []
            return header.count > 7 ? Int(header[6]) | Int(header[7]) << 8 : 0
        }
    }

    /// Checks a copy of the file, pages and contents.
    func verify() throws {
        let copy = URL(fileURLWithPath: path + "-\(UUID().uuidString)")
        try Data(contentsOf: URL(fileURLWithPath: path)).write(to: copy)
        try NSPersistentStore.verify(at: copy)
    }

    /// Gives a chunk the checksum of its bytes.
    static func repair(_ bytes: inout [UInt8]) {
        guard bytes.count >= 48 else { return }
        let sum = bytes.withUnsafeBytes { RecordChecksum.compute($0, skippingAt: 8) }
        withUnsafeBytes(of: sum.littleEndian) { bytes.replaceSubrange(8..<12, with: $0) }
    }
}
