// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

/// Options of a store that keeps a history.
private var tracking: StoreOptions {
    var options = StoreOptions.fast
    options.history = HistoryOptions(processID: "17", bundleID: "films")
    options.history?.preservedAttributes = ["Person": ["name"]]
    return options
}

private func film(_ row: UInt64) -> ObjectKey {
    ObjectKey(entity: EntityNumber(rawValue: 1), row: row)
}

private func person(_ row: UInt64) -> ObjectKey {
    ObjectKey(entity: EntityNumber(rawValue: 2), row: row)
}

extension Store {
    /// The transactions after one: `number: change change`.
    fileprivate func history(after number: UInt64 = 0) throws -> [String] {
        var lines: [String] = []
        try forEachHistoryEntry(after: number) { number, set in
            var words = ["\(number):"]
            try set.forEachChange { change in
                let kind = ["+", "*", "-"][change.kind.rawValue]
                let properties = change.properties.map { ".\($0.rawValue)" }.joined()
                words.append("\(kind)\(change.object)\(properties)")
            }
            #expect(set.changeCount == words.count - 1)
            lines.append(words.joined(separator: " "))
            return true
        }
        return lines
    }

    /// Commits transactions that each insert a person.
    fileprivate func commit(_ count: Int) throws {
        for _ in 0..<count { try write { _ = try $0.insert("Person", [:]) } }
    }
}

/// The change sets of transactions, in the file and read back.
@Suite struct HistoryTests {
    private func withStore(
        _ options: StoreOptions = tracking, _ body: (String, Store) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/sample.lode"
            try body(path, try openStore(path, FilmModel.sample(), options))
        }
    }

    @Test func entryIsTheOneOfTheDocument() throws {
        try withStore { path, store in
            try store.write { save in
                try save.insert("Person", ["name": .string("Ida")])
                try save.insert("Person", ["name": .string("Ole")])
                try save.insert("Film", ["title": .string("x"), "year": .integer16(1977)])
            }
            try store.write { save in
                save.origin = HistoryOrigin(author: "me", timestamp: 1_000)
                try save.delete(person(1))
                try save.update(film(1), ["title": .string("x"), "year": .integer16(1978)])
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
        try withStore(.fast) { path, store in
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
                _ = try save.insert(film(9), ["title": .string("nine")])
            }
            try store.write { save in
                try save.delete(person(3))
                try save.update(person(1), ["name": .string("a")])
                try save.update(person(2), ["name": .string("b")])
                try save.update(film(1), ["year": .integer16(5)])
                try save.update(film(3), ["year": .integer16(5), "director": .objectID(person(1))])
                try save.update(film(2), [:])
                let films = try #require(store.table("Person").relationship(named: "films"))
                try save.update(person(4), [:])
                save.link(person(4), to: film(3), films)
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
            for _ in 0..<3 { try openStore(path, FilmModel.sample(), tracking).commit(1) }
            let store = try openStore(path, nil, tracking)
            #expect(try store.history() == ["1: +2/p1", "2: +2/p2", "3: +2/p3"])
            #expect(try store.historyRange() == HistoryRange(first: 1, last: 3))
        }
    }
}

/// Files that get a history, and those who do not know of it.
@Suite struct HistoryMarkTests {
    @Test func oldFilesGetOneWhenAsked() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try openStore(path, FilmModel.sample()).commit(2)
            #expect(try RawFile(path).meta("lode")?[4..<8] == [1, 0, 1, 0])
            try {
                let store = try openStore(path, FilmModel.sample(), tracking)
                #expect(try store.historyRange() == HistoryRange(first: 1, last: 0))
                try store.commit(1)
                #expect(try store.history() == ["1: +2/p3"])
            }()
            #expect(
                try RawFile(path).meta("lode")
                    == HexSamples.ofFileFormat().samples["header-history"])
        }
    }

    @Test func readOnlyWithoutTheOption() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try openStore(path, FilmModel.sample(), tracking).commit(1)
            let store = try openStore(path, FilmModel.sample())
            #expect(store.isReadOnly)
            #expect(try store.history() == ["1: +2/p1"])
            let error = storeError { try store.commit(1) }
            #expect(error?.code == .readOnly)
            #expect(
                error?.message
                    == "the store keeps a history and was opened read-only or without one; open it "
                    + "for writing and with its history to save")
        }
    }

    @Test func readOnlyFilesGetNone() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try openStore(path, FilmModel.sample()).commit(1)
            var options = tracking
            options.isReadOnly = true
            let store = try openStore(path, FilmModel.sample(), options)
            #expect(!store.hasHistory)
            #expect(!store.tracksHistory)
        }
    }
}

/// Purged transactions go at once for readers, and a bounded number at a time from the file.
@Suite struct HistoryPurgeTests {
    private static func entries(_ path: String) throws -> Int {
        try RawFile(path).entries("history", .integerKey).count
    }

    private func withHistory(
        of count: Int, _ body: (String, Store) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.sample(), tracking)
            try store.commit(count)
            try body(path, store)
        }
    }

    @Test func oneCallRemovesASlice() throws {
        try withHistory(of: 3_000) { path, store in
            var purged = try store.purgeHistory(before: 2_901)
            #expect((purged.forgotten, purged.removed) == (2_900, 1_024))
            #expect(try Self.entries(path) == 1_976)
            #expect(try store.historyRange() == HistoryRange(first: 2_901, last: 3_000))
            #expect(try store.history().count == 100)
            #expect(try store.history().first == "2901: +2/p2901")
            purged = try store.purgeHistory(before: 2_901)
            #expect((purged.forgotten, purged.removed) == (0, 1_024))
            #expect(try Self.entries(path) == 952)
            purged = try store.purgeHistory(before: 1)
            #expect((purged.forgotten, purged.removed) == (0, 852))
            #expect(try Self.entries(path) == 100)
            #expect(try store.history().first == "2901: +2/p2901")
        }
    }

    @Test func commitsRemoveTheRest() throws {
        try withHistory(of: 1_100) { path, store in
            #expect(try store.purgeHistory(before: 1_101).removed == 1_024)
            #expect(try store.history() == [])
            #expect(try Self.entries(path) == 76)
            try store.commit(1)
            #expect(try Self.entries(path) == 45)
            try store.commit(1)
            #expect(try Self.entries(path) == 14)
            try store.commit(1)
            #expect(try Self.entries(path) == 3)
            #expect(try store.history() == ["1101: +2/p1101", "1102: +2/p1102", "1103: +2/p1103"])
        }
    }

    @Test func numbersGoOnAfterEverythingWasPurged() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try {
                let store = try openStore(path, FilmModel.sample(), tracking)
                try store.commit(3)
                #expect(try store.purgeHistory(before: .max).forgotten == 3)
                #expect(try store.historyRange() == HistoryRange(first: 4, last: 3))
            }()
            #expect(try Self.entries(path) == 1)
            let store = try openStore(path, FilmModel.sample(), tracking)
            #expect(try store.history() == [])
            try store.commit(1)
            #expect(try store.history() == ["4: +2/p4"])
            #expect(try Self.entries(path) == 1)
            var changes: [UInt64] = []
            try store.forEachHistoryEntry(after: 0) { _, set in
                changes.append(set.firstChange)
                return true
            }
            #expect(changes == [4])
        }
    }

    @Test func timesAreFoundAmongWhatIsLeft() throws {
        try withTemporaryDirectory { directory in
            let store = try openStore(directory + "/a.lode", FilmModel.sample(), tracking)
            // Times never run backwards: the fourth is 30 as well.
            for time in [10.0, 20, 30, 25, 40] {
                try store.write { save in
                    save.origin.timestamp = time
                    try save.insert("Person", [:])
                }
            }
            #expect(
                try [5, 10, 15, 30, 39, 40, 99].map { try store.historyNumber(at: $0) }
                    == [0, 1, 1, 4, 4, 5, 5])
            try store.purgeHistory(before: 3)
            #expect(try [5, 10, 30, 99].map { try store.historyNumber(at: $0) } == [2, 2, 4, 5])
            try store.purgeHistory(before: .max)
            #expect(try store.historyNumber(at: 99) == 5)
        }
    }
}
