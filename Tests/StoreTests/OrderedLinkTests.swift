// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

private let rankedFlags: DatabaseFlags = [.integerKey, .dupSort, .dupFixed]

/// Albums with their tracks in order.
enum AlbumModel {
    static func make(isOrdered: Bool = true) throws -> Schema {
        try Schema(entities: [
            Entity(
                name: "Album",
                relationships: [
                    Relationship(
                        name: "tracks", destination: "Track", inverse: "album", isToMany: true,
                        isOrdered: isOrdered)
                ]),
            Entity(
                name: "Track",
                relationships: [
                    Relationship(name: "album", destination: "Album", inverse: "tracks")
                ]),
        ])
    }

    static let album = ObjectKey(entity: EntityNumber(rawValue: 1), row: 1)

    static func track(_ row: Int) -> ObjectKey {
        ObjectKey(entity: EntityNumber(rawValue: 2), row: UInt64(row))
    }
}

@Suite struct OrderedLinkTests {
    private static func withStore(
        _ body: (String, Store, RelationshipTable) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, AlbumModel.make(), .fast.unsealed)
            let tracks = try #require(store.table("Album").relationship(named: "tracks"))
            try body(path, store, tracks)
        }
    }

    private static func order(
        _ rows: [Int], _ store: Store, _ tracks: RelationshipTable
    ) throws {
        try store.write { save in
            save.order(
                ContiguousArray(rows.map(AlbumModel.track)), of: AlbumModel.album, tracks)
        }
    }

    private static func rows(_ store: Store, _ tracks: RelationshipTable) throws -> [Int] {
        try store.makeSnapshot().destinations(of: AlbumModel.album, tracks).map { Int($0.row) }
    }

    private static func ranks(_ store: Store, _ tracks: RelationshipTable) throws -> [UInt64] {
        try store.makeSnapshot().rankedLinks(of: AlbumModel.album, tracks).map(\.rank)
    }

    /// How many entries of the file differ.
    private static func difference(
        _ one: [RawFile.Pair], _ other: [RawFile.Pair]
    ) -> (deleted: Int, added: Int) {
        let before = Set(one.map(\.value))
        let after = Set(other.map(\.value))
        return (before.subtracting(after).count, after.subtracting(before).count)
    }

    @Test func movingOneOfManyRewritesOneEntry() throws {
        try Self.withStore { path, store, tracks in
            let count = 100_000
            try store.write { save in
                for row in 1...count {
                    save.link(AlbumModel.album, to: AlbumModel.track(row), tracks)
                }
            }
            let file = try RawFile(path)
            var rows = Array(1...count)
            var before = try file.entries("s.1", rankedFlags)
            #expect(before.count == count)
            for (from, to) in [(count - 1, 0), (0, count - 1), (50_000, 3), (10, 99_000)] {
                rows.insert(rows.remove(at: from), at: to)
                try Self.order(rows, store, tracks)
                let after = try file.entries("s.1", rankedFlags)
                #expect(Self.difference(before, after) == (1, 1), "from \(from) to \(to)")
                before = after
            }
            #expect(try Self.rows(store, tracks) == rows)
        }
    }

    @Test func insertingAndRemovingTouchOneEntry() throws {
        try Self.withStore { path, store, tracks in
            let file = try RawFile(path)
            var rows = Array(1...1_000)
            try Self.order(rows, store, tracks)
            var before = try file.entries("s.1", rankedFlags)
            rows.insert(2_000, at: 500)
            try Self.order(rows, store, tracks)
            var after = try file.entries("s.1", rankedFlags)
            #expect(Self.difference(before, after) == (0, 1))
            before = after
            rows.remove(at: 20)
            try store.write { $0.unlink(AlbumModel.album, from: AlbumModel.track(21), tracks) }
            after = try file.entries("s.1", rankedFlags)
            #expect(Self.difference(before, after) == (1, 0))
            #expect(try Self.rows(store, tracks) == rows)
        }
    }

    @Test func insertionsAtOnePlaceNeverRunOut() throws {
        try Self.withStore { path, store, tracks in
            let file = try RawFile(path)
            var rows = Array(1...200)
            try Self.order(rows, store, tracks)
            var before = try file.entries("s.1", rankedFlags)
            var written = 0
            for row in 201...700 {
                rows.insert(row, at: 100)
                try Self.order(rows, store, tracks)
                let after = try file.entries("s.1", rankedFlags)
                written += Self.difference(before, after).added
                before = after
            }
            #expect(try Self.rows(store, tracks) == rows)
            // Each insertion writes its entry; making room costs less than that again, twice.
            #expect(written >= 500 && written < 1_500, "\(written) entries")
        }
    }

    @Test func appendingLinksOnce() throws {
        try Self.withStore { _, store, tracks in
            let album = AlbumModel.album
            try store.write { save in
                for row in [3, 1, 2] { save.link(album, to: AlbumModel.track(row), tracks) }
            }
            try store.write { save in
                save.unlink(album, from: AlbumModel.track(1), tracks)
                for row in [2, 9, 3, 9, 4] { save.link(album, to: AlbumModel.track(row), tracks) }
            }
            #expect(try Self.rows(store, tracks) == [3, 2, 9, 4])
            #expect(try store.makeSnapshot().destinationCount(of: album, tracks) == 4)
            #expect(
                try Self.ranks(store, tracks) == [
                    0x8000_0000_0000_0000, 0x8000_0002_0000_0000, 0x8000_0003_0000_0000,
                    0x8000_0004_0000_0000,
                ])
            _ = try store.write { try $0.unlinkAll(album, tracks) }
            #expect(try Self.rows(store, tracks) == [])
        }
    }

    @Test func unorderedHasNoRanks() throws {
        try withTemporaryDirectory { directory in
            let store = try openStore(directory + "/a.lode", AlbumModel.make(isOrdered: false))
            let tracks = try #require(store.table("Album").relationship(named: "tracks"))
            try store.write { $0.link(AlbumModel.album, to: AlbumModel.track(1), tracks) }
            #expect(!tracks.isRanked)
            #expect(try Self.ranks(store, tracks) == [])
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func randomOrders(seed: UInt64) throws {
        try Self.withStore { path, store, tracks in
            var random = SeededGenerator(seed: seed)
            var rows: [Int] = []
            var next = 1
            for step in 0..<150 {
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0..<4:
                        let place = Int.random(in: 0...rows.count, using: &random)
                        rows.insert(next, at: place)
                        next += 1
                    case 4..<6 where !rows.isEmpty:
                        rows.remove(at: Int.random(in: 0..<rows.count, using: &random))
                    case 6..<9 where !rows.isEmpty:
                        let row = rows.remove(at: Int.random(in: 0..<rows.count, using: &random))
                        rows.insert(row, at: Int.random(in: 0...rows.count, using: &random))
                    case 9: if step % 10 == 0 { rows.shuffle(using: &random) }
                    default: break
                    }
                }
                try Self.order(rows, store, tracks)
                #expect(try Self.rows(store, tracks) == rows, "seed \(seed), step \(step)")
                let ranks = try Self.ranks(store, tracks)
                #expect(Set(ranks).count == rows.count, "seed \(seed), step \(step)")
            }
        }
    }

    @Test func samplesOfTheFormat() throws {
        try Self.withStore { path, store, tracks in
            let samples = try HexSamples.ofFileFormat().samples
            #expect(try RawFile(path).meta("lode") == samples["header-ordered"])
            let entity = EntityNumber(rawValue: 3)
            let keys = [17, 18, 19].map { ObjectKey(entity: entity, row: $0) }
            try store.write { save in
                for key in [keys[0], keys[2]] { save.link(AlbumModel.album, to: key, tracks) }
            }
            try store.write { $0.order(ContiguousArray(keys), of: AlbumModel.album, tracks) }
            let entries = try RawFile(path).entries("s.1", rankedFlags)
            #expect(entries.map(\.key) == Array(repeating: [1, 0, 0, 0, 0, 0, 1, 0], count: 3))
            #expect(entries[0].value == samples["ranked-first"])
            #expect(entries[1].value == samples["ranked-between"])
            #expect(try RawFile(path).databaseNames.contains("r.1") == false)
        }
    }
}
