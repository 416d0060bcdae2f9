// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

/// New files, whose values have checksums that tie them to their keys.
@Suite struct SealedFileTests {
    private static func withStore(
        _ options: StoreOptions = .fast, _ body: (String, Store) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/sealed.lode"
            try body(path, try openStore(path, FilmModel.sample(), options))
        }
    }

    private static func check(
        _ name: String, _ bytes: [UInt8]?, location: SourceLocation = #_sourceLocation
    ) throws {
        let sample = try #require(try HexSamples.ofFileFormat().samples[name])
        #expect(bytes.map(hexText) == hexText(sample), "\(name)", sourceLocation: location)
    }

    @Test func samplesOfTheFormat() throws {
        try Self.withStore { path, store in
            let file = try RawFile(path)
            try Self.check("header-sealed", try file.meta("lode"))
            _ = try store.write { try $0.allocateRows(3, in: store.table("Film")) }
            try Self.check("row-counter-sealed", try file.meta("row/1"))
            let property = PropertyNumber(rawValue: 5)
            let chunk = [UInt8](repeating: 7, count: 65_516)
            let film = ObjectKey(entity: EntityNumber(rawValue: 1), row: 17)
            try store.write { try $0.putExternalValue(chunk + [1, 2, 3], of: film, property) }
            let blobs = try file.entries("blobs")
            #expect(blobs.map(\.value.count) == [65_520, 7])
            try Self.check("blob-key", blobs[1].key)
            try Self.check("blob-sealed", blobs[1].value)
            let data = ObjectKey(entity: EntityNumber(rawValue: 7), row: 1)
            let owner = ComponentOwner(
                component: ObjectKey(entity: EntityNumber(rawValue: 4), row: 9),
                gameObject: ObjectKey(entity: EntityNumber(rawValue: 3), row: 17))
            try store.write { try $0.putComponent(data: data, owner: owner) }
            try Self.check(
                "owners-sealed", try file.entries("owners", .integerKey).first?.value)
            #expect(try store.makeSnapshot().owner(ofData: data) == owner)
        }
    }

    @Test func sealOfTheHistorySample() throws {
        let samples = try HexSamples.ofFileFormat().samples
        let entry = try #require(samples["history-entry"])
        let sealed = EntrySeal(version: 5).seal(entry, for: [2, 0, 0, 0, 0, 0, 0, 0])
        #expect(Array(sealed.suffix(4)) == samples["history-seal"])
        try Self.withStore(.tracking) { path, store in
            try store.commit(2)
            #expect(try store.history() == ["1: +2/p1", "2: +2/p2"])
            let file = try RawFile(path)
            var value = try file.entries("history", .integerKey)[1].value
            value[9] ^= 1
            try file.put(value, for: [2, 0, 0, 0, 0, 0, 0, 0], in: "history", .integerKey)
            let error = storeError { _ = try store.history() }
            #expect(error?.code == .damaged)
            #expect(
                error?.message == "transaction 2 of the history does not match its checksum"
                    + damagedAdvice)
        }
    }

    @Test func aRecordUnderTheKeyOfAnotherIsFound() throws {
        try Self.withStore { path, store in
            try store.commit(2)
            try store.verifyContents()
            let file = try RawFile(path)
            let other = try file.entries("o.2", .integerKey)[1].value
            try file.put(other, for: [1, 0, 0, 0, 0, 0, 0, 0], in: "o.2", .integerKey)
            let error = storeError { try store.verifyContents() }
            #expect(error?.objects == [.person(1)])
            #expect(error?.message.hasPrefix("the record of Person 1 does not match") == true)
        }
    }

    @Test func everyWayOfWritingARecordSealsIt() throws {
        try Self.withStore { _, store in
            let table = try store.table("Film")
            let keys = try store.write { save in
                let first = try save.insert("Film", ["title": .string("a")])
                let second = try save.insert("Film", ["title": .string("b")])
                // A reserved row that is written late.
                let rows = try save.allocateRows(2, in: table)
                try save.insert(.film(rows + 1), ["title": .string("c")])
                try save.insert(.film(rows), ["title": .string("d")])
                return [first, second, .film(rows), .film(rows + 1)]
            }
            try store.verifyContents()
            try store.write { save in
                // Of the same size, of another size, and by rows in their order.
                try save.update(keys[0], ["title": .string("z")])
                try save.update(keys[1], ["title": .string("longer")])
                let old = try #require(try save.recordForUpdate(keys[2], in: table))
                var encoder = RecordEncoder()
                let record = encoder.encode(
                    layout: table.layout, version: 2, base: old,
                    draft: try table.draft(["title": .string("y")]), resolve: { $0 })
                try save.update(record, replacing: old, for: keys[2], in: table)
            }
            var arena = RowArena(
                layout: table.layout,
                defaults: ContiguousArray(repeating: .null, count: table.layout.fields.count))
            for number in 0..<9 {
                let draft = RecordDraft.makeNull(fieldCount: table.layout.fields.count)
                draft[try #require(table.field(named: "title"))] = .string("row \(number)")
                arena.append(draft)
            }
            arena.seal()
            try store.write { save in
                try save.insert(
                    arena, from: try save.allocateRows(9, in: table), in: table)
            }
            #expect(try store.verifyContents() == 13)
        }
    }

    @Test func aDamagedLargeValueIsFoundOnReadingWhenAsked() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let poster: [String: Value] = ["poster": .binaryData(Array(repeating: 9, count: 3_000))]
            let key = try openStore(path, FilmModel.rich()).write { try $0.insert("Film", poster) }
            var options = StoreOptions.fast
            options.verification = .records
            let store = try openStore(path, nil, options)
            #expect(try store.makeSnapshot().values(key) != nil)
            let file = try RawFile(path)
            let blob = try #require(try file.entries("blobs").first)
            try file.put([8] + blob.value.dropFirst(), for: blob.key, in: "blobs")
            let error = storeError { _ = try store.makeSnapshot().values(key) }
            #expect(error?.code == .damaged)
            #expect(error?.message.contains("does not match its checksum") == true)
        }
    }

    @Test func filesOfEarlierVersionsStayWhatTheyAre() throws {
        for version in 1...4 as ClosedRange<UInt16> {
            try withTemporaryDirectory { directory in
                let path = directory + "/old.lode"
                var options = StoreOptions.tracking
                options.newFileVersion = version
                try FlippedBitModel.fill(path, options)
                let store = try openStore(path, FlippedBitModel.make(), .tracking)
                try store.write { try $0.update(FlippedBitModel.key(3, 8), ["name": .string("x")]) }
                try store.verifyContents()
                #expect(!store.seal.isOn)
                #expect(try (RawFile(path).meta("lode")?[4]).map { (2...4).contains($0) } == true)
                #expect(try RawFile(path).meta("row/1")?.count == 8)
                #expect(store.tables.allSatisfy { !$0.layout.isNarrow })
            }
        }
    }

    @Test(arguments: [(5, 9), (10, 10), (11, 15), (12, 15)] as [(UInt16, UInt8)])
    func aVersionStaysOnItsSideOfNarrowSlots(began: UInt16, raised: UInt8) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            var options = StoreOptions.tracking
            options.newFileVersion = began
            try FlippedBitModel.fill(path, options)
            #expect(try RawFile(path).meta("lode")?[4] == UInt8(began))
            let store = try openStore(path, FlippedBitModel.make(), .tracking)
            try store.makeColumns(withKinds: true, withContents: true)
            #expect(try RawFile(path).meta("lode").map { [$0[4], $0[6]] } == [raised, raised])
            #expect(store.tables.allSatisfy { $0.layout.isNarrow == (began >= 11) })
            try store.verifyContents()
        }
    }

    @Test func danglingLinksAreNoDamage() throws {
        try Self.withStore { _, store in
            let films = try #require(store.table("Person").relationship(named: "films"))
            try store.write { save in
                let person = try save.insert("Person", [:])
                for title in ["a", "b"] {
                    let film = try save.insert(
                        "Film", ["title": .string(title), "director": .objectID(person)])
                    save.link(person, to: film, films)
                }
            }
            try store.verifyContents()
            // As a rule "no action" leaves them.
            try store.write { try $0.delete(.film(1)) }
            try store.verifyContents()
            let links = try store.danglingLinks()
            #expect(links.map { "\($0.owner.row) \($0.relationship)" } == ["1 films"])
            try store.write { save in
                try save.delete(.person(1))
                try save.unlinkAll(.person(1), films)
            }
            try store.verifyContents()
            // Both ends are there, and one does not know of the other.
            try store.write { save in
                let person = try save.insert("Person", [:])
                save.link(person, to: .film(2), films)
            }
            let error = storeError { try store.verifyContents() }
            #expect(error?.message.hasPrefix("Person.films and its inverse disagree") == true)
            #expect(error?.objects == [.person(2), .film(2)])
        }
    }

    @Test func anIndexWithoutAnEntryIsFound() throws {
        try Self.withStore { path, store in
            try store.write { _ = try $0.insert("Film", ["title": .string("a")]) }
            let flags: DatabaseFlags = [.dupSort, .dupFixed, .integerDup]
            let file = try RawFile(path)
            let entry = try #require(try file.entries("x.2", flags).first)
            try file.delete(entry.key, in: "x.2", flags)
            let error = storeError { try store.verifyContents() }
            #expect(error?.message.hasPrefix("the index titles of Film does not have") == true)
        }
    }
}
