// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing
import _TestSupport

/// Values that are put behind all others of their keys.
@Suite struct LastValueTests {
    let scratch: Scratch
    let environment: Environment
    let index: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment { $0.durability = .none }
        index = try environment.database("index", [.dupSort, .dupFixed, .integerDup])
    }

    private func values(_ key: [UInt8]) throws -> [UInt64] {
        try environment.read { (txn) throws in
            var values: [UInt64] = []
            let cursor = try txn.makeCursor(index)
            try key.withUnsafeBytes { (bytes) throws in
                var entry = try cursor.seek(exactly: bytes)
                while let found = entry {
                    values.append(found.integerValue)
                    entry = try cursor.nextDuplicate()
                }
            }
            return values
        }
    }

    @Test func a_value_that_is_not_the_last_is_not_written() throws {
        let answers = try environment.write { (txn) throws in
            let cursor = try txn.makeWriteCursor(index)
            return try [(5, 1), (5, 2), (3, 9), (5, 2), (5, 1), (5, 7), (3, 8), (9, 1)].map {
                (key: UInt8, value: UInt64) throws in
                try [key].withUnsafeBytes { (bytes) throws in try cursor.putLast(value, for: bytes)
                }
            }
        }
        #expect(answers == [true, true, true, false, false, true, false, true])
        #expect(try values([3]) == [9])
        #expect(try values([5]) == [1, 2, 7])
        #expect(try values([9]) == [1])
        try environment.verifyPages()
    }

    /// Two transactions bring each key its values by turns.
    @Test(arguments: [1, 40, 600, 9_000]) func pages_are_filled(_ count: Int) throws {
        let other = try scratch.environment("other.lode") { $0.durability = .none }
        let otherIndex = try other.database("index", [.dupSort, .dupFixed, .integerDup])
        for half in 0..<2 {
            let values = UInt64(half * count)..<UInt64((half + 1) * count)
            for (environment, index, isLast) in [
                (environment, index, true), (other, otherIndex, false),
            ] {
                try environment.write { (txn) throws in
                    let cursor = try txn.makeWriteCursor(index)
                    for key in 0..<7 as Range<UInt8> {
                        try [key, 1].withUnsafeBytes { (bytes) throws in
                            for value in values {
                                if isLast {
                                    #expect(try cursor.putLast(value, for: bytes))
                                } else {
                                    try cursor.put(value, for: bytes)
                                }
                            }
                        }
                    }
                }
            }
        }
        for key in 0..<7 as Range<UInt8> {
            #expect(try values([key, 1]) == Array(0..<UInt64(2 * count)))
        }
        try environment.verifyPages()
        // 7 keys of 18,000 values have 252 pages of 500 where these are filled.
        if count == 9_000 {
            #expect(environment.info.usedBytes < 300 * 4_096)
            #expect(other.info.usedBytes > 450 * 4_096)
        }
    }
}
