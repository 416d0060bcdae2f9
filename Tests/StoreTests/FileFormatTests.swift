// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

private let links: DatabaseFlags = [.integerKey, .dupSort, .dupFixed, .integerDup]
private let entries: DatabaseFlags = [.dupSort, .dupFixed, .integerDup]

/// Compares the samples of `FileFormat.md` that only a whole file shows with a file.
@Suite struct FileFormatTests {
    private static func withStore(_ body: (String, Store) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/sample.lode"
            try body(path, try openStore(path, FilmModel.sample(), .fast.unsealed))
        }
    }

    private static func check(
        _ name: String, _ bytes: [UInt8]?, location: SourceLocation = #_sourceLocation
    ) throws {
        let sample = try #require(try HexSamples.ofFileFormat().samples[name])
        #expect(bytes.map(hexText) == hexText(sample), "\(name)", sourceLocation: location)
    }

    @Test func namesAndFlagsOfDatabases() throws {
        try Self.withStore { path, _ in
            let file = try RawFile(path)
            #expect(
                try file.databaseNames == [
                    "blobs", "components", "meta", "o.1", "o.2", "owners", "r.5", "x.1", "x.2",
                ])
            // Opening with other flags than those of the file throws.
            #expect(try file.entries("blobs", []) == [])
            #expect(try file.entries("components", entries) == [])
            #expect(try file.entries("owners", .integerKey) == [])
            #expect(try file.entries("o.1", .integerKey) == [])
            #expect(try file.entries("o.2", .integerKey) == [])
            #expect(try file.entries("r.5", links) == [])
            #expect(try file.entries("x.1", entries) == [])
            #expect(try file.entries("x.2", entries) == [])
        }
    }

    @Test func metaOfANewFile() throws {
        try Self.withStore { path, _ in
            let file = try RawFile(path)
            #expect(
                try file.entries("meta").map { String(decoding: $0.key, as: UTF8.self) }
                    == ["catalog", "lode", "model"])
            try Self.check("header", try file.meta("lode"))
            try Self.check("model", try file.meta("model"))
            try Self.check("catalog", try file.meta("catalog"))
        }
    }

    /// A file made of nothing but the document's samples opens.
    @Test func samplesAreAStore() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/handmade.lode"
            let samples = try HexSamples.ofFileFormat().samples
            try {
                let file = try RawFile(path)
                for (name, flags) in [
                    ("blobs", []), ("components", entries), ("owners", .integerKey),
                    ("o.1", .integerKey), ("o.2", .integerKey), ("r.5", links), ("x.1", entries),
                    ("x.2", entries),
                ] as [(String, DatabaseFlags)] {
                    _ = try file.entries(name, flags)
                }
                for (name, sample) in [
                    ("lode", "header"), ("model", "model"), ("catalog", "catalog"),
                    ("row/1", "row-counter"),
                ] {
                    try file.setMeta(name, try #require(samples[sample]))
                }
            }()
            let store = try openStore(path, nil)
            #expect(store.uuid == FilmModel.uuid)
            #expect(try store.schema == FilmModel.sample())
            let key = try store.write {
                try $0.insert("Film", ["title": .string("Stalker"), "year": .integer16(1979)])
            }
            #expect(key.row == 4)
        }
    }

    @Test func rowCounter() throws {
        try Self.withStore { path, store in
            _ = try store.write { try $0.allocateRows(3, in: store.table("Film")) }
            try Self.check("row-counter", try RawFile(path).meta("row/1"))
        }
    }

    @Test func blobKeys() throws {
        try Self.withStore { path, store in
            let key = ObjectKey(entity: EntityNumber(rawValue: 1), row: 17)
            let property = PropertyNumber(rawValue: 5)
            let bytes = [UInt8]((0..<70_000).map { UInt8(truncatingIfNeeded: $0) })
            try store.write { try $0.putExternalValue(bytes, of: key, property) }
            let blobs = try RawFile(path).entries("blobs")
            #expect(blobs.map(\.value.count) == [65_520, 4_480])
            #expect(blobs.flatMap(\.value) == bytes)
            try Self.check("blob-key", blobs.last?.key)
        }
    }

    @Test func componentKeysAndOwners() throws {
        try Self.withStore { path, store in
            let data = ObjectKey(entity: EntityNumber(rawValue: 7), row: 1)
            let owner = ComponentOwner(
                component: ObjectKey(entity: EntityNumber(rawValue: 4), row: 9),
                gameObject: ObjectKey(entity: EntityNumber(rawValue: 3), row: 17))
            try store.write { try $0.putComponent(data: data, owner: owner) }
            let components = try RawFile(path).entries("components", entries)
            try Self.check("component-key", components.first?.key)
            #expect(components.first?.value == [1, 0, 0, 0, 0, 0, 7, 0])
            let owners = try RawFile(path).entries("owners", .integerKey)
            #expect(owners.first?.key == [1, 0, 0, 0, 0, 0, 7, 0])
            try Self.check("owners-value", owners.first?.value)
            #expect(try store.makeSnapshot().owner(ofData: data) == owner)
        }
    }

    @Test func linksAndIndexEntries() throws {
        try Self.withStore { path, store in
            let (film, person) = try store.write { save in
                let person = try save.insert("Person", ["name": .string("Ida")])
                let film = try save.insert(
                    "Film",
                    [
                        "title": .string("x"), "year": .integer16(1977),
                        "director": .objectID(person),
                    ])
                let films = try #require(store.table("Person").relationship(named: "films"))
                save.link(person, to: film, films)
                return (film, person)
            }
            let file = try RawFile(path)
            let filmBytes: [UInt8] = [1, 0, 0, 0, 0, 0, 1, 0]
            #expect(film.rawValue == 0x0001_0000_0000_0001)
            #expect(person.rawValue == 0x0002_0000_0000_0001)
            #expect(
                try file.entries("r.5", links)
                    == [RawFile.Pair(key: [1, 0, 0, 0, 0, 0, 2, 0], value: filmBytes)])
            #expect(
                try file.entries("x.1", entries) == [
                    RawFile.Pair(
                        key: [1, 0x80, 0, 0, 0, 0, 0, 7, 0xB9, 1, 0x78, 0, 0], value: filmBytes)
                ])
            #expect(
                try file.entries("x.2", entries)
                    == [RawFile.Pair(key: [1, 0x78, 0, 0], value: filmBytes)])
        }
    }
}
