// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing
import _TestSupport

/// Look-ups with the cursors that a snapshot keeps.
@Suite struct SnapshotSearchTests {
    let scratch: Scratch
    let environment: Environment
    let numbers: Database
    let lists: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment { $0.durability = .none }
        numbers = try environment.database("numbers", .integerKey)
        lists = try environment.database("lists", [.dupSort, .dupFixed, .integerDup])
    }

    private static func bytes(_ key: UInt64) -> [UInt8] {
        [7] + withUnsafeBytes(of: key.bigEndian) { Array($0) }
    }

    private func put(_ keys: some Sequence<UInt64>) throws {
        try environment.write { (txn) throws in
            for key in keys {
                try txn.put([UInt8(truncatingIfNeeded: key)], for: key, in: numbers)
                for value in 0...key % 4 {
                    _ = try Self.bytes(key).withUnsafeBytes {
                        try txn.put(value, for: $0, in: lists)
                    }
                }
            }
        }
    }

    private func number(_ key: UInt64, _ snapshot: Snapshot) throws -> UInt8? {
        try snapshot.search(numbers) { try $0.seek(exactly: key)?.value.first }
    }

    private func list(_ key: UInt64, _ snapshot: Snapshot) throws -> [UInt64] {
        try snapshot.search(lists) { cursor in
            var found: [UInt64] = []
            var entry = try Self.bytes(key).withUnsafeBytes { try cursor.seek(exactly: $0) }
            while let current = entry {
                found.append(current.value.loadUnaligned(as: UInt64.self))
                entry = try cursor.nextDuplicate()
            }
            return found
        }
    }

    /// In any order, present or not, as LMDB takes another way where it stands near a key already.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func any_key_is_found_from_any_place(seed: UInt64) throws {
        try put(stride(from: 1, to: 6_000, by: 3))
        let snapshot = try environment.makeSnapshot()
        var random = SplitMix64(state: seed)
        var key: UInt64 = 1
        for _ in 0..<4_000 {
            let isNear = Bool.random(using: &random)
            key =
                isNear
                ? (key + UInt64.random(in: 0...4, using: &random)) % 6_010
                : UInt64.random(in: 0..<6_010, using: &random)
            let isThere = key % 3 == 1 && key < 6_000
            #expect(try number(key, snapshot) == (isThere ? UInt8(truncatingIfNeeded: key) : nil))
            #expect(try list(key, snapshot) == (isThere ? Array(0...key % 4) : []))
        }
        #expect(snapshot.openCursors.pointee == 0)
    }

    @Test func a_snapshot_with_kept_cursors_moves_and_is_parked() throws {
        try put(1...100)
        let snapshot = try environment.makeSnapshot()
        #expect(try number(50, snapshot) == 50)
        #expect(try list(50, snapshot) == [0, 1, 2])
        try put([101])
        #expect(try number(101, snapshot) == nil)
        try snapshot.renew()
        #expect(try number(101, snapshot) == 101)
        #expect(try list(101, snapshot) == [0, 1])
        snapshot.reset()
        #expect(throws: LMDBError.self) { try number(50, snapshot) }
        try snapshot.renew()
        #expect(try number(50, snapshot) == 50)
    }

    @Test func a_search_that_throws_leaves_its_cursor_usable() throws {
        struct Stop: Error {}
        try put(1...100)
        let snapshot = try environment.makeSnapshot()
        #expect(throws: Stop.self) {
            try snapshot.search(numbers) { cursor in
                _ = try cursor.seek(exactly: 3)
                throw Stop()
            }
        }
        #expect(snapshot.openCursors.pointee == 0)
        #expect(try snapshot.search(numbers) { try $0.next()?.integerKey } == 4)
        snapshot.reset()
    }
}
