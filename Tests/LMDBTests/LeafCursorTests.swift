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
        #expect(try walk.cursor.value(of: 7) == nil)
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
        #expect(try walk.cursor.value(of: 40) != nil)
        #expect(try walk.cursor.next() == nil)
        #expect(try walk.cursor.value(of: 39) != nil)
        #expect(try walk.cursor.next()?.integerKey == 40)
    }

    @Test func a_missing_key_is_followed_by_the_entry_behind_it() throws {
        try put([5, 6, 9])
        var walk = try Walk(environment, objects)
        for (missing, next) in [(4, 5), (7, 9), (0, 5), (8, 9), (500, nil)] as [(UInt64, UInt64?)] {
            #expect(try walk.cursor.value(of: missing) == nil)
            #expect(try walk.cursor.next()?.integerKey == next)
        }
        #expect(try walk.cursor.value(of: 5) != nil)
        #expect(try walk.cursor.next()?.integerKey == 6)
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
        for key in stride(from: 3, through: 300, by: 3) as StrideThrough<UInt64> {
            #expect(try walk.cursor.value(of: key)?.count == 3_000)
        }
    }

    /// The keys beside the ends of pages, where LMDB has to lead on.
    @Test func each_key_is_found_from_each_other_one() throws {
        try put((1...150).map { $0 * 2 })
        var walk = try Walk(environment, objects)
        for from in 1...75 as ClosedRange<UInt64> {
            for to in 0...302 as ClosedRange<UInt64> {
                #expect(try walk.cursor.value(of: from * 4) != nil)
                let expected = to.isMultiple(of: 2) && (2...300).contains(to)
                #expect(
                    try walk.cursor.value(of: to).map { Array($0) }
                        == (expected ? Self.value(to, 100) : nil))
            }
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
            try compare(model, &random)
        }
    }

    private func compare(_ model: [UInt64: Int], _ random: inout SeededGenerator) throws {
        let keys = model.keys.sorted()
        #expect(try allKeys() == keys)
        var walk = try Walk(environment, objects)
        for _ in 0..<400 {
            let key = UInt64.random(in: 0..<605, using: &random)
            let found = try walk.cursor.value(of: key)
            #expect(found.map { Array($0) } == model[key].map { Self.value(key, $0) })
            guard found != nil else { continue }
            for next in keys.drop(while: { $0 <= key }).prefix(Int(key % 5)) {
                let entry = try walk.cursor.next()
                #expect(entry?.integerKey == next)
                #expect(entry?.value.count == model[next])
            }
        }
    }

    @Test func a_walk_goes_on_where_the_last_one_stood() throws {
        try put(1...1_000)
        let snapshot = try environment.makeSnapshot()
        var keys: [UInt64] = []
        while let key = try snapshot.walk(objects, { try $0.next()?.integerKey }) {
            keys.append(key)
        }
        #expect(keys == Array(1...1_000))
    }

    @Test func a_walk_over_another_database_begins_anew() throws {
        try put(1...10)
        let others = try environment.database("others", .integerKey)
        try environment.write { (txn) throws in try txn.put([1], for: 99, in: others) }
        let snapshot = try environment.makeSnapshot()
        #expect(try snapshot.walk(objects) { try $0.next()?.integerKey } == 1)
        #expect(try snapshot.walk(others) { try $0.next()?.integerKey } == 99)
        #expect(try snapshot.walk(objects) { try $0.next()?.integerKey } == 1)
        #expect(try snapshot.walk(objects) { try $0.next()?.integerKey } == 2)
    }

    @Test func a_snapshot_with_a_kept_walk_moves_and_is_parked() throws {
        try put(1...100)
        let snapshot = try environment.makeSnapshot()
        _ = try snapshot.walk(objects) { try $0.value(of: 50) != nil }
        #expect(snapshot.openCursors.pointee == 0)
        try put([101])
        try snapshot.renew()
        #expect(try snapshot.walk(objects) { try $0.value(of: 101) != nil })
        snapshot.reset()
        #expect(throws: LMDBError.self) { try snapshot.walk(objects) { try $0.next() != nil } }
        try snapshot.renew()
        #expect(try snapshot.walk(objects) { try $0.next()?.integerKey } == 1)
    }

    @Test func a_walk_that_throws_leaves_its_cursor_usable() throws {
        struct Stop: Error {}
        try put(1...100)
        let snapshot = try environment.makeSnapshot()
        #expect(throws: Stop.self) {
            try snapshot.walk(objects) { cursor in
                _ = try cursor.value(of: 3)
                throw Stop()
            }
        }
        #expect(snapshot.openCursors.pointee == 0)
        #expect(try snapshot.walk(objects) { try $0.next()?.integerKey } == 4)
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
