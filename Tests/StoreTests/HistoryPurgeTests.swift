// SPDX-License-Identifier: Apache-2.0

import Testing
import _TestSupport

@testable import Store

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
            let store = try openStore(path, FilmModel.sample(), .tracking)
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
                let store = try openStore(path, FilmModel.sample(), .tracking)
                try store.commit(3)
                #expect(try store.purgeHistory(before: .max).forgotten == 3)
                #expect(try store.historyRange() == HistoryRange(first: 4, last: 3))
            }()
            #expect(try Self.entries(path) == 1)
            let store = try openStore(path, FilmModel.sample(), .tracking)
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
            let store = try openStore(directory + "/a.lode", FilmModel.sample(), .tracking)
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
