// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

/// The change sets of transactions, in the file and read back.
@Suite struct HistoryTests {
    private func withStore(
        _ options: StoreOptions = .tracking, _ body: (String, Store) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/sample.lode"
            try body(path, try openStore(path, FilmModel.sample(), options))
        }
    }

    @Test func entryIsTheOneOfTheDocument() throws {
        try withStore(.tracking.unsealed) { path, store in
            try store.write { save in
                try save.insert("Person", ["name": .string("Ida")])
                try save.insert("Person", ["name": .string("Ole")])
                try save.insert("Film", ["title": .string("x"), "year": .integer16(1977)])
            }
            try store.write { save in
                save.origin = HistoryOrigin(author: "me", timestamp: 1_000)
                try save.delete(.person(1))
                try save.update(.film(1), ["title": .string("x"), "year": .integer16(1978)])
                for title in ["a", "b", "c"] {
                    try save.insert("Film", ["title": .string(title)])
                }
            }
            let samples = try HexSamples.ofFileFormat().samples
            let file = try RawFile(path)
            #expect(try file.meta("lode") == samples["header-history"])
            #expect(try file.meta("history") == [1, 0, 0, 0, 0, 0, 0, 0])
            let entries = try file.entries("history", .integerKey)
            #expect(entries.map(\.key) == [[1, 0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0]])
            var bytes = entries[1].value
            // The clock of the first transaction is later, and times never run backwards.
            let first = try HistoryChangeSet(entries[0].value)
            #expect(try HistoryChangeSet(bytes).timestamp == first.timestamp)
            bytes.replaceSubrange(0..<8, with: [0, 0, 0, 0, 0, 0x40, 0x8F, 0x40])
            #expect(hexText(bytes) == hexText(try #require(samples["history-entry"])))
            #expect(
                try store.history()
                    == ["1: +2/p1 +2/p2 +1/p1", "2: -2/p1 *1/p1.2 +1/p2 +1/p3 +1/p4"])
        }
    }

    @Test func sampleReadsBack() throws {
        let bytes = try #require(try HexSamples.ofFileFormat().samples["history-entry"])
        let set = try HistoryChangeSet(bytes)
        #expect(set.timestamp == 1_000)
        #expect((set.firstChange, set.changeCount) == (4, 5))
        #expect((set.author, set.contextName) == ("me", nil))
        #expect((set.processID, set.bundleID) == ("17", "films"))
        #expect(set.encoded() == bytes)
        var tombstones: [HistoryChange.KeptValue] = []
        try set.forEachChange { tombstones += $0.tombstone }
        #expect(
            tombstones == [
                HistoryChange.KeptValue(
                    property: PropertyNumber(rawValue: 4), value: .string("Ida"))
            ])
    }

    @Test func everyCutOfAnEntryIsAnError() throws {
        let bytes = try #require(try HexSamples.ofFileFormat().samples["history-entry"])
        for count in bytes.indices {
            #expect(throws: RecordFormatError.self, "\(count) bytes") {
                try HistoryChangeSet(Array(bytes.prefix(count))).forEachChange { _ in }
            }
        }
    }

    @Test func nothingIsWrittenWithoutChanges() throws {
        try withStore { path, store in
            try store.write { try $0.setMetadata([1], for: "a") }
            _ = try store.write { try $0.allocateRows(3, in: store.table("Film")) }
            struct Stop: Error {}
            #expect(throws: Stop.self) {
                try store.write { save in
                    try save.insert("Person", [:])
                    throw Stop()
                }
            }
            #expect(try store.history() == [])
            try store.commit(1)
            #expect(try store.history() == ["1: +2/p1"])
        }
    }

    @Test func nothingIsKeptUnlessAsked() throws {
        try withStore(.fast.unsealed) { path, store in
            try store.commit(1)
            #expect(!store.hasHistory)
            #expect(try store.historyRange() == nil)
            #expect(try store.history() == [])
            let file = try RawFile(path)
            #expect(try file.meta("history") == nil)
            #expect(try file.meta("lode")?[4..<8] == [1, 0, 1, 0])
            #expect(try !file.databaseNames.contains("history"))
        }
    }

    @Test func runsAndGroups() throws {
        try withStore { _, store in
            try store.write { save in
                for _ in 1...6 { try save.insert("Person", [:]) }
                for title in ["a", "b", "c"] { try save.insert("Film", ["title": .string(title)]) }
                _ = try save.insert(.film(9), ["title": .string("nine")])
            }
            try store.write { save in
                try save.delete(.person(3))
                try save.update(.person(1), ["name": .string("a")])
                try save.update(.person(2), ["name": .string("b")])
                try save.update(.film(1), ["year": .integer16(5)])
                try save.update(
                    .film(3), ["year": .integer16(5), "director": .objectID(.person(1))])
                try save.update(.film(2), [:])
                let films = try #require(store.table("Person").relationship(named: "films"))
                try save.update(.person(4), [:])
                save.link(.person(4), to: .film(3), films)
            }
            #expect(
                try store.history(after: 1) == [
                    "2: -2/p3 *2/p1.4 *2/p2.4 *1/p1.2 *1/p3.3.2 *1/p2 *2/p4.5"
                ])
        }
    }

    @Test func numbersAndNamesSurviveReopening() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            for _ in 0..<3 { try openStore(path, FilmModel.sample(), .tracking).commit(1) }
            let store = try openStore(path, nil, .tracking)
            #expect(try store.history() == ["1: +2/p1", "2: +2/p2", "3: +2/p3"])
            #expect(try store.historyRange() == HistoryRange(first: 1, last: 3))
        }
    }
}
