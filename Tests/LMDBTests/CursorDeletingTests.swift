// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing
import _TestSupport

/// Deleting many entries by one cursor, beside a set of them: pages become empty, are merged and
/// come anew while the cursor stays.
@Suite struct CursorDeletingTests {
    let scratch: Scratch
    let environment: Environment
    let links: Database
    let index: Database
    let objects: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment { $0.durability = .none }
        let found = try environment.databases([
            DatabaseSpec(name: "links", flags: [.integerKey, .dupSort, .dupFixed, .integerDup]),
            DatabaseSpec(name: "index", flags: [.dupSort, .dupFixed, .integerDup]),
            DatabaseSpec(name: "objects", flags: .integerKey),
        ])
        (links, index, objects) = try (
            #require(found[0]), #require(found[1]), #require(found[2])
        )
    }

    struct Pair: Hashable, Comparable {
        var key, value: UInt64

        /// Keys of several lengths, in the order of the numbers.
        var bytes: [UInt8] {
            let length = key % 3 == 0 ? 8 : 40
            return withUnsafeBytes(of: key.bigEndian, Array.init)
                + [UInt8](repeating: 7, count: length)
        }

        static func < (left: Pair, right: Pair) -> Bool {
            (left.key, left.value) < (right.key, right.value)
        }
    }

    /// How many keys there are, and how many values one can have.
    private static let shapes: [(keys: UInt64, values: UInt64)] = [
        (20_000, 1), (40, 2_000), (3_000, 8), (1, 9_000), (300, 300),
    ]

    @Test(arguments: 0..<5, 0..<3) func pairs_go_and_the_others_stay(_ shape: Int, _ seed: UInt64)
        throws
    {
        let (keys, values) = CursorDeletingTests.shapes[shape]
        var random = SeededGenerator(seed: seed * 10 + UInt64(shape))
        var model: Set<Pair> = []
        for round in 0..<10 {
            let added = (0..<Int.random(in: 1..<6_000, using: &random)).map { _ in
                Pair(
                    key: .random(in: 0..<keys, using: &random),
                    value: .random(in: 0..<values, using: &random))
            }
            let gone = chosen(model, round, keys, &random)
            try environment.write { (txn) throws in
                let linked = try txn.makeWriteCursor(links)
                let indexed = try txn.makeWriteCursor(index)
                for pair in gone {
                    let isThere = model.contains(pair)
                    #expect(try linked.delete(pair.key, pair.value) == isThere)
                    let wasIndexed = try pair.bytes.withUnsafeBytes { (bytes) throws in
                        try indexed.delete(bytes, pair.value)
                    }
                    #expect(wasIndexed == isThere)
                    model.remove(pair)
                }
                for pair in added.sorted() {
                    try linked.put(pair.value, for: pair.key)
                    try pair.bytes.withUnsafeBytes { (bytes) throws in
                        if round % 3 == 0, try indexed.putLast(pair.value, for: bytes) { return }
                        try indexed.put(pair.value, for: bytes)
                    }
                    model.insert(pair)
                }
            }
            try check(model)
        }
    }

    /// Pairs to delete, ascending: some of those that there are, a run of them, or all; and some
    /// that there are not.
    private func chosen(
        _ model: Set<Pair>, _ round: Int, _ keys: UInt64, _ random: inout SeededGenerator
    ) -> [Pair] {
        let all = model.sorted()
        let start = Int.random(in: 0...all.count, using: &random)
        let end = Int.random(in: start...all.count, using: &random)
        let gone: [Pair]
        switch round % 4 {
        case 0: gone = all.filter { _ in Int.random(in: 0..<10, using: &random) == 0 }
        case 1: gone = Array(all[start..<end])
        case 2: gone = all.filter { _ in Int.random(in: 0..<10, using: &random) > 0 }
        default: gone = round == 7 ? all : all.filter { $0.key % 3 == 1 }
        }
        let missing = (0..<20).map { _ in
            Pair(key: .random(in: 0..<keys + 5, using: &random), value: 1 << 40)
        }
        return (gone + missing).sorted()
    }

    private func check(_ model: Set<Pair>) throws {
        try environment.read { (txn) throws in
            let linked = try txn.makeCursor(links)
            let indexed = try txn.makeCursor(index)
            var isSame = true
            for pair in model.sorted() {
                let link = try linked.next()
                if link?.integerKey != pair.key || link?.integerValue != pair.value {
                    isSame = false
                }
                let entry = try indexed.next()
                if entry?.integerValue != pair.value { isSame = false }
                if entry.map({ $0.key.elementsEqual(pair.bytes) }) != true { isSame = false }
            }
            #expect(isSame)
            #expect(try linked.next() == nil)
            #expect(try indexed.next() == nil)
        }
        try environment.verifyPages()
    }

    @Test(arguments: 0..<6) func records_go_and_the_others_stay(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model: [UInt64: Int] = [:]
        for round in 0..<12 {
            let before = model.keys.sorted()
            let gone = before.filter { _ in Int.random(in: 0..<(round % 3 + 1), using: &random) == 0
            }
            try environment.write { (txn) throws in
                let cursor = try txn.makeWriteCursor(objects)
                for key in gone {
                    #expect(try cursor.seek(exactly: key)?.value.count == model[key])
                    try cursor.deleteCurrent()
                    model[key] = nil
                    #expect(try cursor.seek(exactly: key) == nil)
                }
                for _ in 0..<2_000 {
                    let key = UInt64.random(in: 0..<4_000, using: &random)
                    let count = [4, 60, 400, 2_100, 9_000].randomElement(using: &random) ?? 0
                    try txn.put([UInt8](repeating: 1, count: count), for: key, in: objects)
                    model[key] = count
                }
            }
            try environment.read { (txn) throws in
                let cursor = try txn.makeCursor(objects)
                var found: [UInt64: Int] = [:]
                while let entry = try cursor.next() { found[entry.integerKey] = entry.value.count }
                #expect(found == model)
            }
            try environment.verifyPages()
        }
    }
}
