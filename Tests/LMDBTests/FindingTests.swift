// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing
import _TestSupport

/// What a snapshot finds in the pages themselves, compared with a dictionary.
///
/// The first look-up of a snapshot is LMDB's: all are made twice.
@Suite struct FindingTests {
    let scratch: Scratch
    let environment: Environment
    let objects: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment { $0.durability = .none }
        objects = try environment.database("objects", .integerKey)
    }

    private static func value(_ key: UInt64, _ byteCount: Int) -> [UInt8] {
        Array(repeating: UInt8(truncatingIfNeeded: key &* 31), count: byteCount)
    }

    private func put(_ keys: some Sequence<UInt64>, byteCount: Int = 100) throws {
        try environment.write { (txn) throws in
            for key in keys {
                try txn.put(Self.value(key, byteCount), for: key, in: objects)
            }
        }
    }

    /// The values of keys, found one by one and, which has to be the same, together.
    private func values(
        _ keys: [UInt64], _ snapshot: Snapshot
    ) throws -> [[UInt8]?] {
        var together: [[UInt8]?] = []
        var batch = KeyBatch()
        for start in stride(from: 0, to: keys.count, by: KeyBatch.capacity) {
            let part = keys[start..<min(start + KeyBatch.capacity, keys.count)]
            batch.removeAll()
            for key in part { batch.append(key) }
            try snapshot.find(&batch, in: objects)
            for index in 0..<part.count { together.append(batch.value(index).map { Array($0) }) }
        }
        let single = try keys.map { key in try snapshot.get(key, in: objects).map { Array($0) } }
        #expect(single == together)
        return single
    }

    @Test func nothing_is_found_in_an_empty_database() throws {
        let snapshot = try environment.makeSnapshot()
        #expect(try values([0, 7, .max], snapshot) == [nil, nil, nil])
        #expect(try values([0, 7, .max], snapshot) == [nil, nil, nil])
    }

    @Test func keys_beside_those_that_are_there_are_missing() throws {
        try put((1...3_000).map { $0 * 2 })
        let snapshot = try environment.makeSnapshot()
        let keys = Array(0...6_010 as ClosedRange<UInt64>)
        let found = try values(keys, snapshot)
        for (key, value) in zip(keys, found) {
            let isThere = key.isMultiple(of: 2) && (2...6_000).contains(key)
            #expect(value == (isThere ? Self.value(key, 100) : nil))
        }
        #expect(try values(keys.reversed(), snapshot) == found.reversed())
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func random_rows_match_a_dictionary(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // Rows without gaps, with gaps, and numbers of any size.
        let bound: UInt64 = [600, 20_000, .max][Int(seed % 3)]
        var model: [UInt64: Int] = [:]
        for _ in 0..<5 {
            try environment.write { (txn) throws in
                for _ in 0..<300 {
                    let key = UInt64.random(in: 0...bound, using: &random)
                    if let known = model.keys.randomElement(using: &random),
                        Int.random(in: 0..<4, using: &random) == 0
                    {
                        try txn.delete(known, in: objects)
                        model[known] = nil
                    } else {
                        let sizes = [0, 1, 40, 120, 120, 900, 2_022, 2_023, 5_000]
                        let size = sizes.randomElement(using: &random) ?? 0
                        try txn.put(Self.value(key, size), for: key, in: objects)
                        model[key] = size
                    }
                }
            }
            let snapshot = try environment.makeSnapshot()
            let others = (0..<300).map { _ in UInt64.random(in: 0...bound, using: &random) }
            for keys in [model.keys + others, model.keys.sorted()] {
                let found = try values(Array(keys), snapshot)
                #expect(found == keys.map { key in model[key].map { Self.value(key, $0) } })
            }
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func texts_with_one_or_several_values_match_a_dictionary(seed: UInt64) throws {
        let names = try environment.database("names", [.dupSort, .dupFixed, .integerDup])
        var random = SeededGenerator(seed: seed)
        func name() -> [UInt8] {
            let count = Int.random(in: 1...40, using: &random)
            return (0..<count).map { _ in UInt8.random(in: 0...3, using: &random) }
        }
        var least: [[UInt8]: UInt64] = [:]
        for _ in 0..<4 {
            try environment.write { (txn) throws in
                for _ in 0..<400 {
                    let name = name()
                    for _ in 0..<[1, 1, 1, 2, 40][Int.random(in: 0..<5, using: &random)] {
                        let value = UInt64.random(in: 0...9_999, using: &random)
                        try txn.put(value, for: name, in: names)
                        least[name] = min(least[name] ?? .max, value)
                    }
                }
            }
            let snapshot = try environment.makeSnapshot()
            for name in Array(least.keys) + (0..<300).map({ _ in name() }) {
                let found = try name.withUnsafeBytes { try snapshot.get($0, in: names) }
                #expect(found.map { $0.loadUnaligned(as: UInt64.self) } == least[name])
            }
        }
    }

    @Test func a_snapshot_that_moves_sees_the_new_tree() throws {
        try put(1...2_000)
        let snapshot = try environment.makeSnapshot()
        for _ in 0..<3 { #expect(try snapshot.get(1_500, in: objects)?.count == 100) }
        try put([1_500], byteCount: 70)
        try put(2_001...9_000)
        for _ in 0..<3 {
            #expect(try snapshot.get(1_500, in: objects)?.count == 100)
            #expect(try snapshot.get(8_000, in: objects) == nil)
        }
        try snapshot.renew()
        for _ in 0..<3 {
            #expect(try snapshot.get(1_500, in: objects)?.count == 70)
            #expect(try snapshot.get(8_000, in: objects)?.count == 100)
        }
    }

    @Test func a_parked_snapshot_finds_nothing_in_pages_that_it_knew() throws {
        try put(1...2_000)
        let snapshot = try environment.makeSnapshot()
        for _ in 0..<3 { #expect(try snapshot.get(1_500, in: objects)?.count == 100) }
        snapshot.reset()
        for _ in 0..<3 {
            #expect(errorCode { _ = try snapshot.get(1_500, in: objects) } == .badTransaction)
        }
        #expect(errorCode { _ = try values([1, 2], snapshot) } == .badTransaction)
        try snapshot.renew()
        for _ in 0..<3 { #expect(try snapshot.get(1_500, in: objects)?.count == 100) }
    }

    @Test func a_database_that_is_younger_than_the_snapshot_is_LMDBs_affair() throws {
        let snapshot = try environment.makeSnapshot()
        let younger = try environment.database("younger", .integerKey)
        for _ in 0..<3 {
            #expect(errorCode { _ = try snapshot.get(1, in: younger) } == .badTransaction)
        }
        try snapshot.renew()
        for _ in 0..<3 { #expect(try snapshot.get(1, in: younger) == nil) }
    }

    @Test func an_empty_text_is_an_error() throws {
        let names = try environment.database("names")
        try environment.write { try $0.put([1], for: "a", in: names) }
        let snapshot = try environment.makeSnapshot()
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        for _ in 0..<3 {
            #expect(errorCode { _ = try snapshot.get(empty, in: names) } == .badValueSize)
        }
    }

    /// LMDB says what is wrong with a page.
    @Test func a_damaged_page_is_an_error() throws {
        try put([7], byteCount: 100)
        let snapshot = try environment.makeSnapshot()
        for _ in 0..<3 { #expect(try snapshot.get(7, in: objects)?.count == 100) }
        let path = URL(fileURLWithPath: scratch.path())
        let value = Data(Self.value(7, 100))
        let found = try Data(contentsOf: path).range(of: value, options: .backwards)
        let place = try #require(found).lowerBound
        let file = try FileHandle(forWritingTo: path)
        try file.seek(toOffset: UInt64(place / 4_096 * 4_096 + 10))
        // The flags say now that the page is one of a large value.
        try file.write(contentsOf: [4, 0])
        try file.close()
        #expect(errorCode { _ = try snapshot.get(7, in: objects) } == .corrupted)
        // LMDB leads no further through a transaction that has met damage.
        #expect(errorCode { _ = try values([6, 7], snapshot) } == .badTransaction)
        try snapshot.renew()
        #expect(errorCode { _ = try values([6, 7], snapshot) } == .corrupted)
    }
}
