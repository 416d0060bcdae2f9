// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing
import _TestSupport

/// What a leaf cursor reads in the pages themselves, compared with what LMDB's own cursors read.
@Suite struct LeafCursorTests {
    let scratch: Scratch
    let environment: Environment
    let objects: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment { $0.durability = .none }
        objects = try environment.database("objects", .integerKey)
    }

    private func put(_ keys: some Sequence<UInt64>, byteCount: Int = 100) throws {
        try environment.write { (txn) throws in
            for key in keys {
                try txn.put(Self.value(key, byteCount), for: key, in: objects)
            }
        }
    }

    private static func value(_ key: UInt64, _ byteCount: Int) -> [UInt8] {
        Array(repeating: UInt8(truncatingIfNeeded: key &* 31), count: byteCount)
    }

    private func allKeys() throws -> [UInt64] {
        var walk = try Walk(environment, objects)
        var keys: [UInt64] = []
        while let entry = try walk.cursor.next() { keys.append(entry.integerKey) }
        return keys
    }

    @Test func nothing_is_found_in_an_empty_database() throws {
        var walk = try Walk(environment, objects)
        #expect(try walk.cursor.next() == nil)
        #expect(try walk.cursor.next() == nil)
    }

    @Test func it_goes_over_many_pages_in_order() throws {
        try put(1...5_000)
        #expect(try allKeys() == Array(1...5_000))
    }

    @Test func it_stays_at_the_end() throws {
        try put(1...40)
        var walk = try Walk(environment, objects)
        while try walk.cursor.next() != nil {}
        #expect(try walk.cursor.next() == nil)
        #expect(try walk.cursor.next() == nil)
    }

    @Test func values_in_pages_of_their_own_are_found_among_others() throws {
        for key in 1...300 as ClosedRange<UInt64> {
            try put([key], byteCount: key % 3 == 0 ? 3_000 : 50)
        }
        var walk = try Walk(environment, objects)
        for key in 1...300 as ClosedRange<UInt64> {
            let entry = try walk.cursor.next()
            #expect(entry?.integerKey == key)
            #expect(
                entry.map { Array($0.value) } == Self.value(key, key % 3 == 0 ? 3_000 : 50))
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func random_moves_match_a_dictionary(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model: [UInt64: Int] = [:]
        for _ in 0..<6 {
            try environment.write { (txn) throws in
                for _ in 0..<300 {
                    let key = UInt64.random(in: 0..<600, using: &random)
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        try txn.delete(key, in: objects)
                        model[key] = nil
                    } else {
                        let sizes = [0, 1, 40, 120, 120, 900, 2_022, 2_023, 5_000]
                        let size = sizes.randomElement(using: &random) ?? 0
                        try txn.put(Self.value(key, size), for: key, in: objects)
                        model[key] = size
                    }
                }
            }
            try compare(model)
        }
    }

    private func compare(_ model: [UInt64: Int]) throws {
        let keys = model.keys.sorted()
        var walk = try Walk(environment, objects)
        var found: [UInt64] = []
        while let entry = try walk.cursor.next() {
            found.append(entry.integerKey)
            #expect(
                Array(entry.value)
                    == Self.value(entry.integerKey, model[entry.integerKey] ?? -1))
        }
        #expect(found == keys)
    }
}

/// A cursor with the snapshot that it walks over, which has to go last.
private struct Walk: ~Copyable {
    var cursor: LeafCursor
    private let snapshot: Snapshot

    init(_ environment: Environment, _ database: Database) throws {
        let snapshot = try environment.makeSnapshot()
        cursor = try snapshot.makeLeafCursor(database)
        self.snapshot = snapshot
    }
}
