// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

/// Change sets of a few bytes that stand for more changes than there can have been.
@Suite struct HostileHistoryTests {
    /// A store with one transaction, whose change set is replaced: it names new persons from row 1
    /// to another.
    private static func withHistory(
        to last: UInt64, _ body: (Store, RawFile) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            // Without seals, which would tell of it before.
            let store = try openStore(path, FilmModel.sample(), .tracking.unsealed)
            try store.commit(3)
            var writer = ByteWriter()
            writer.write(HistoryGroup.inserts.rawValue)
            writer.writeVarint(2)
            writer.writeVarint(3)
            writer.writeVarint(last - 1)
            writer.writeVarint(0)
            writer.write(HistoryGroup.end.rawValue)
            let raw = try RawFile(path)
            let entry = try #require(try raw.entries("history", .integerKey).last)
            var set = try HistoryChangeSet(entry.value)
            set.changeCount = Int(last)
            set.changes = writer.bytes
            try raw.put(set.encoded(), for: entry.key, in: "history", .integerKey)
            try body(store, raw)
        }
    }

    @Test(arguments: [4, 5, 1 << 46, (1 << 47) - 1] as [UInt64])
    func rowsThatNobodyTookAreRefused(last: UInt64) async {
        await #expect(processExitsWith: .success) { [last = last as UInt64] in
            try HostileHistoryTests.withHistory(to: last) { store, raw in
                alarm(20)
                try HostileHistoryTests.expectRefusal(store, after: [1, 2], row: last)
                // A missing counter stands for 1.
                try raw.delete(Array("row/2".utf8), in: "meta")
                try HostileHistoryTests.expectRefusal(store, after: [], row: 1)
            }
        }
    }

    /// Reading and checking the history end with the first row that cannot be.
    private static func expectRefusal(
        _ store: Store, after readable: [UInt64], row: UInt64
    ) throws {
        var numbers: [UInt64] = []
        let reading = storeError {
            try store.forEachHistoryEntry(after: 0) { number, _ in
                numbers.append(number)
                return true
            }
        }
        #expect(numbers == readable)
        for error in [reading, storeError { try store.verifyContents() }] {
            #expect(error?.code == .damaged)
            let words = "a change set names row \(row) of entity 2, which was never taken"
            #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
        }
    }

    /// Rows may have been deleted since, so that only their counter knows of them.
    @Test func rowsThatSomebodyTookAreChecked() async {
        await #expect(processExitsWith: .success) {
            try HostileHistoryTests.withHistory(to: 1 << 46) { store, raw in
                try raw.setMeta("row/2", [1, 0, 0, 0, 0, 0x40, 0, 0])
                alarm(20)
                try store.verifyContents()
            }
            try HostileHistoryTests.withHistory(to: 3) { store, _ in
                try store.verifyContents()
                #expect(try store.history(after: 2) == ["3: +2/p1 +2/p2 +2/p3"])
            }
        }
    }
}
