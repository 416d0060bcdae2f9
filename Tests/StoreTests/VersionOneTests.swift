// SPDX-License-Identifier: Apache-2.0

import LMDB
import Schema
import Store
import Testing
import _TestSupport

private let linkFlags: DatabaseFlags = [.integerKey, .dupSort, .dupFixed, .integerDup]
private let rankedFlags: DatabaseFlags = [.integerKey, .dupSort, .dupFixed]

/// Files of version 1, in which ordered relationships lay among the others.
@Suite struct VersionOneTests {
    private static func key(_ entity: UInt8, _ row: UInt8) -> [UInt8] {
        [row, 0, 0, 0, 0, 0, entity, 0]
    }

    /// Turns a new store into what version 1 wrote of the same model.
    private static func makeFile(_ path: String) throws {
        try { _ = try openStore(path, AlbumModel.make(), .fast.unsealed) }()
        let file = try RawFile(path)
        var header = try #require(try file.meta("lode"))
        header.replaceSubrange(4..<8, with: [1, 0, 1, 0])
        try file.setMeta("lode", header)
        try file.create("r.1", linkFlags)
        for row: UInt8 in [4, 2, 7] {
            try file.put(key(2, row), for: key(1, 1), in: "r.1", linkFlags)
        }
        try file.put(key(2, 9), for: key(1, 2), in: "r.1", linkFlags)
    }

    private static func tracks(_ store: Store, _ album: UInt64) throws -> [UInt64] {
        let tracks = try #require(store.table("Album").relationship(named: "tracks"))
        let key = ObjectKey(entity: EntityNumber(rawValue: 1), row: album)
        return try store.makeSnapshot().destinations(of: key, tracks).map(\.row)
    }

    @Test func areRankedWhenOpenedForWriting() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try Self.makeFile(path)
            let store = try openStore(path, AlbumModel.make())
            #expect(try Self.tracks(store, 1) == [2, 4, 7])
            #expect(try Self.tracks(store, 2) == [9])
            let file = try RawFile(path)
            let sample = try HexSamples.ofFileFormat().samples["header-epoch"]
            #expect(try file.meta("lode") == sample)
            #expect(try file.entries("r.1", linkFlags) == [])
            #expect(try file.entries("s.1", rankedFlags).count == 4)
        }
    }

    @Test func openReadOnly() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try Self.makeFile(path)
            var options = StoreOptions.fast
            options.isReadOnly = true
            // Closed before the file is opened with other options.
            try {
                let store = try openStore(path, AlbumModel.make(), options)
                #expect(try Self.tracks(store, 1) == [2, 4, 7])
            }()
            #expect(try RawFile(path).meta("lode")?[4..<8] == [1, 0, 1, 0])
        }
    }

    @Test func stayWhatTheyAreWithoutOrder() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let schema = try AlbumModel.make(isOrdered: false)
            for _ in 0..<2 {
                let store = try openStore(path, schema, .fast.unsealed)
                let tracks = try #require(store.table("Album").relationship(named: "tracks"))
                try store.write { $0.link(AlbumModel.album, to: AlbumModel.track(1), tracks) }
            }
            #expect(try RawFile(path).meta("lode")?[4..<8] == [1, 0, 1, 0])
        }
    }
}
