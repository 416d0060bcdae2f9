// SPDX-License-Identifier: Apache-2.0

import Contents
import RecordFormat
import Store
import Testing
import _TestSupport

/// The contents of codable components in a file.
@Suite struct ContentFormatTests {
    private struct Name: Codable {
        var text = "Argo"
        var tags = ["old"]
    }

    static let name = StoredColumnType(
        number: 2, name: "Name", size: 16, stride: 16, alignment: 8,
        kind: ColumnKindCode(rawValue: 4), fields: "")

    /// Runs tests with a file in which game objects 1 and 3 have the content of the document.
    private static func with(_ body: (ColumnFile, ContentKey) throws -> Void) throws {
        try ColumnFile.with { file throws in
            let bytes = try ContentEncoder.encode(Name())
            let key = ContentKey(of: bytes)
            try file.store.makeColumns(withContents: true)
            try file.store.write { save in
                try save.deleteColumnChunk(2, 0)
                try save.setColumnTypes([ColumnFile.alive, name])
                try put(save, [1: key.bytes, 3: key.bytes]) { $0 == key ? bytes : nil }
            }
            try body(file, key)
        }
    }

    private static func put(
        _ save: SaveTransaction, _ values: [Int: [UInt8]], _ content: (ContentKey) -> [UInt8]?
    ) throws {
        let chunk = ColumnFile.chunk(name, values)
        try save.putCodedColumnChunk(2, 0, name.format, content) { $0.copyBytes(from: chunk) }
    }

    @Test func theFileIsAsTheDocumentSays() throws {
        let samples = try HexSamples.ofFileFormat().samples
        try Self.with { file, key throws in
            let raw = try RawFile(file.path)
            let content = try raw.entries("contents")[0]
            #expect(hexText(content.key) == samples["content-key"].map(hexText))
            #expect(hexText(content.value.dropLast(4)) == samples["content"].map(hexText))
            #expect(try raw.meta("lode").map { hexText($0[4..<8]) } == "0f 00 0f 00")
            let types = try #require(try raw.meta("columns"))
            let sample = try #require(samples["content-type"])
            #expect(hexText(types.dropLast(4).suffix(sample.count)) == hexText(sample))
            let bytes = Array(content.value[8...].dropLast(4))
            #expect(try file.store.makeSnapshot().content(key) == bytes)
            try file.store.verifyContents()
        }
    }

    @Test func rowsAreCounted() throws {
        try Self.with { file, key throws in
            let raw = try RawFile(file.path)
            try file.store.write { try Self.put($0, [3: key.bytes]) { _ in nil } }
            #expect(try raw.entries("contents").map { $0.value[0] } == [1])
            try file.store.verifyContents()
            let other = try ContentEncoder.encode("other")
            let second = ContentKey(of: other)
            #expect(throws: StoreError.self) {
                try file.store.write { try Self.put($0, [3: second.bytes]) { _ in nil } }
            }
            try file.store.write {
                try Self.put($0, [1: second.bytes, 2: second.bytes]) { _ in other }
            }
            #expect(try raw.entries("contents").map(\.key) == [second.bytes])
            try file.store.write { try $0.deleteColumnChunk(2, 0, coded: Self.name.format) }
            #expect(try raw.entries("contents").isEmpty)
            try file.store.verifyContents()
        }
    }

    @Test func wrongContentsAreFound() throws {
        try Self.with { file, key throws in
            let raw = try RawFile(file.path)
            let whole = Array(try raw.entries("contents")[0].value.dropLast(4))
            func complaint(_ value: [UInt8], _ key: [UInt8]) throws -> String? {
                let sealed = EntrySeal(version: FormatVersion.contents).seal(value, for: key)
                try raw.put(sealed, for: key, in: "contents")
                return storeError { try file.store.verifyContents() }?.message
            }
            #expect(
                try complaint([3] + whole[1...], key.bytes)
                    == "a content of components says that 3 rows have it, and 2 do; restore the "
                    + "file from a copy")
            #expect(
                try complaint(whole.dropLast() + [0], key.bytes)
                    == "the component \(Self.name.name) of the game object 1: a content of "
                    + "components does not match its key; restore the file from a copy")
            #expect(try complaint([1, 2], key.bytes)?.contains("has 2 bytes") == true)
            #expect(try complaint(whole, key.bytes) == nil)
            let hostile: [UInt8] = [8, 0xFF, 0xFF, 0x03]
            let text = try complaint(
                [1, 0, 0, 0, 0, 0, 0, 0] + hostile, ContentKey(of: hostile).bytes)
            #expect(text?.hasPrefix("a content of components is none") == true)
        }
    }

    @Test(arguments: [[1, 0], [0, 0x80], [255, 0x7F], [0, 0]] as [[UInt8]])
    func aDamagedCountThrowsAndLosesNothing(ends: [UInt8]) throws {
        try Self.with { file, key throws in
            let raw = try RawFile(file.path)
            let stored = try raw.entries("contents")[0].value
            var damaged = stored
            damaged[0] = ends[0]
            damaged[7] = ends[1]
            try raw.put(damaged, for: key.bytes, in: "contents")
            let error = storeError {
                try file.store.write { try Self.put($0, [3: key.bytes]) { _ in nil } }
            }
            #expect(error?.message.contains("a content of components does not match") == true)
            #expect(try raw.entries("contents")[0].value == damaged)
            let forged = EntrySeal(version: FormatVersion.contents)
                .seal(damaged.dropLast(4), for: key.bytes)
            try raw.put(forged, for: key.bytes, in: "contents")
            // Numbers that a seal says are right, and that cannot be: nothing traps.
            _ = storeError { try file.store.write { try Self.put($0, [:]) { _ in nil } } }
            try raw.put(stored, for: key.bytes, in: "contents")
        }
    }

    @Test func aMissingContentNamesTheObject() throws {
        try ColumnFile.with { file throws in
            try file.store.makeColumns(withContents: true)
            try file.store.write { save in
                try save.deleteColumnChunk(2, 0)
                try save.setColumnTypes([ColumnFile.alive, Self.name])
                let chunk = ColumnFile.chunk(Self.name, [3: Array(repeating: 7, count: 16)])
                try save.putColumnChunk(2, 0, byteCount: chunk.count) { $0.copyBytes(from: chunk) }
            }
            #expect(
                storeError { try file.store.verifyContents() }?.message
                    == "the component Name of the game object 3 lacks its content; restore the "
                    + "file from a copy")
        }
    }
}
