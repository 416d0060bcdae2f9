// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

/// A file with value components: game objects 1 to 3, of which 1 and 3 have a place.
struct ColumnFile {
    let path: String
    let store: Store

    static let alive = StoredColumnType(
        number: 1, name: "GameObject", size: 0, stride: 0, alignment: 1, fields: "")
    static let place = StoredColumnType(
        number: 2, name: "Place", size: 8, stride: 8, alignment: 4,
        fields: "x:Int32@0 y:Int32@4")

    /// Runs tests with a new file.
    static func with(_ body: (ColumnFile) throws -> Void) throws {
        try withTemporaryDirectory { directory throws in
            let path = directory + "/world.lode"
            let store = try openStore(path, try schema())
            try store.makeColumns()
            try store.write { save in
                _ = try save.allocateRows(3, in: try store.table("GameObject"))
                try save.setColumnTypes([alive, place])
                try save.put(alive, chunk(alive, [1: [], 2: [], 3: []]))
                try save.put(
                    place,
                    chunk(place, [1: [1, 0, 0, 0, 2, 0, 0, 0], 3: [3, 0, 0, 0, 4, 0, 0, 0]]))
            }
            try body(ColumnFile(path: path, store: store))
        }
    }

    static func schema() throws -> Schema {
        try Schema(entities: [
            Entity(name: "GameObject", attributes: [Attribute(name: "name", type: .string)])
        ])
    }

    /// The bytes of a chunk.
    ///
    /// - Parameter count: What the header says, if that is not the number of values.
    static func chunk(
        _ type: StoredColumnType, _ values: [Int: [UInt8]], number: UInt32 = 0,
        count: UInt32? = nil, version: UInt64 = 4
    ) -> [UInt8] {
        let format = type.format
        var bytes = [UInt8](repeating: 0, count: format.size)
        for (row, value) in values {
            bytes[48 + row / 8] |= 1 << UInt8(row % 8)
            for (index, byte) in value.enumerated() {
                bytes[format.valuesOffset + row * format.stride + index] = byte
            }
        }
        let header = ChunkHeader(
            version: version, type: type.number, chunk: number,
            count: count ?? UInt32(values.count))
        bytes.withUnsafeMutableBytes { header.write(to: $0, format) }
        return bytes
    }

    /// The key of a chunk.
    static func key(_ type: UInt32, _ chunk: UInt32 = 0) -> [UInt8] {
        withUnsafeBytes(of: (UInt64(type) << 32 | UInt64(chunk)).bigEndian) { Array($0) }
    }

    /// Replaces the value under a key, and returns what the check says of it.
    func complaint(_ value: [UInt8], _ key: [UInt8]) throws -> String? {
        try RawFile(path).put(value, for: key, in: "columns")
        return storeError { try store.verifyContents() }?.message
    }

    /// Replaces the list of types, sealed, and returns what the check says of it.
    func complaint(types: [StoredColumnType]) throws -> String? {
        var writer = ByteWriter()
        writer.write(UInt32(types.count))
        for type in types {
            writer.write(type.number)
            writer.write(type.name)
            writer.write(type.size)
            writer.write(type.stride)
            writer.write(UInt16(truncatingIfNeeded: type.alignment))
            writer.write(type.kind.rawValue)
            writer.write(type.fields)
        }
        return try complaint(list: writer.bytes)
    }

    /// Replaces the bytes of the list of types, sealed, and returns what the check says of it.
    func complaint(list: [UInt8]) throws -> String? {
        let sealed = EntrySeal(version: 7).seal(list, for: Array("columns".utf8))
        try RawFile(path).setMeta("columns", sealed)
        return storeError { try store.verifyContents() }?.message
    }
}

extension SaveTransaction {
    /// Writes chunk 0 of a type.
    func put(_ type: StoredColumnType, _ bytes: [UInt8]) throws {
        try putColumnChunk(type.number, 0, byteCount: bytes.count) { $0.copyBytes(from: bytes) }
    }
}
