// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing
import _TestSupport

/// Entries that are put behind all others of their database.
@Suite struct EndOfDatabaseTests {
    let scratch: Scratch
    let environment: Environment
    let index: Database
    let objects: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment { $0.durability = .none }
        index = try environment.database("index", [.dupSort, .dupFixed, .integerDup])
        objects = try environment.database("objects", .integerKey)
    }

    private func pairs() throws -> [[UInt64]] {
        try environment.read { (txn) throws in
            var pairs: [[UInt64]] = []
            let cursor = try txn.makeCursor(index)
            var entry = try cursor.first()
            while let found = entry {
                pairs.append([UInt64(found.key.first ?? 0), found.integerValue])
                entry = try cursor.next()
            }
            return pairs
        }
    }

    @Test func a_key_that_is_not_the_last_is_not_written() throws {
        let answers = try environment.write { (txn) throws in
            let cursor = try txn.makeWriteCursor(index)
            return try [(5, 1), (5, 2), (7, 9), (6, 2), (9, 1), (9, 7)].map {
                (key: UInt8, value: UInt64) throws in
                try [key].withUnsafeBytes { (bytes) throws in try cursor.putAtEnd(value, for: bytes)
                }
            }
        }
        #expect(answers == [true, false, true, false, true, false])
        #expect(try pairs() == [[5, 1], [7, 9], [9, 1]])
        try environment.verifyPages()
    }

    /// Values of earlier keys, and more of the last one, come between.
    @Test func other_entries_come_between() throws {
        var expected: Set<[UInt64]> = []
        try environment.write { (txn) throws in
            let cursor = try txn.makeWriteCursor(index)
            for key in 1...250 as ClosedRange<UInt8> {
                try [key].withUnsafeBytes { (bytes) throws in
                    #expect(try cursor.putAtEnd(1_000, for: bytes))
                    for value in 0..<UInt64(key) { try cursor.put(value, for: bytes) }
                }
                expected.insert([UInt64(key), 1_000])
                for value in 0..<UInt64(key) { expected.insert([UInt64(key), value]) }
                try [key / 2 + 1].withUnsafeBytes { (bytes) throws in
                    _ = try cursor.put(2_000 + UInt64(key), for: bytes)
                }
                expected.insert([UInt64(key / 2 + 1), 2_000 + UInt64(key)])
            }
        }
        let found = try pairs()
        #expect(found.count == expected.count && Set(found) == expected)
        try environment.verifyPages()
    }

    /// Two transactions write the entries of ascending integer keys.
    @Test func pages_are_filled() throws {
        let value = [UInt8](repeating: 7, count: 16)
        for half in 0..<2 as Range<UInt64> {
            try environment.write { (txn) throws in
                let cursor = try txn.makeWriteCursor(objects)
                try value.withUnsafeBytes { (bytes) throws in
                    for key in half * 20_000..<(half + 1) * 20_000 {
                        #expect(try cursor.putAtEnd(bytes, for: key))
                    }
                    #expect(try !cursor.putAtEnd(bytes, for: half * 20_000))
                }
            }
        }
        try environment.verifyPages()
        #expect(try environment.value(39_999, in: objects) == value)
        // 40,000 entries of 34 bytes have 334 full pages.
        #expect(environment.info.usedBytes < 350 * 4_096)
    }
}
