// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing
import _TestSupport

@Suite struct ConcurrencyTests {
    /// Two keys always hold the same number; readers must never see them differ.
    @Test func readersSeeWholeCommitsWhileTheMapGrows() async throws {
        let scratch = try Scratch()
        let environment = try scratch.environment {
            $0.initialMapSizeBytes = 64 << 10
            $0.durability = .none
            $0.remapTimeoutMilliseconds = 20_000
        }
        let objects = try environment.database("objects", .integerKey)
        try environment.write { (txn) throws in
            for key in [1, 2] as [UInt64] { try txn.put(0 as UInt64, for: key, in: objects) }
        }
        let write: @Sendable () throws -> Void = {
            for round in 1...300 as ClosedRange<UInt64> {
                try environment.write { (txn) throws in
                    for key in [1, 2] as [UInt64] { try txn.put(round, for: key, in: objects) }
                    let value = [UInt8](repeating: 3, count: 5000)
                    try txn.put(value, for: 100 + round, in: objects)
                }
            }
        }
        let read: @Sendable () throws -> Void = {
            var last: UInt64 = 0
            while last < 300 { last = try Self.readPair(environment, objects, last) }
        }
        try await runOnThreads([write, read, read, read])
        #expect(environment.info.mapSizeBytes >= 1 << 20)
    }

    private static func readPair(
        _ environment: Environment, _ objects: Database, _ last: UInt64
    ) throws -> UInt64 {
        try environment.read { (txn) throws in
            let first = try txn.get(1, in: objects)?.loadUnaligned(as: UInt64.self)
            let second = try txn.get(2, in: objects)?.loadUnaligned(as: UInt64.self)
            #expect(first == second)
            #expect(try #require(first) >= last)
            return first ?? 0
        }
    }

    /// Snapshots that are renewed all the time, and park when asked under a lock.
    @Test func snapshotsAreParkedWhileTheirOwnersWork() async throws {
        let scratch = try Scratch()
        let environment = try scratch.environment {
            $0.initialMapSizeBytes = 64 << 10
            $0.durability = .none
            $0.remapTimeoutMilliseconds = 20_000
        }
        let objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put(0 as UInt64, for: 1, in: objects) }
        let owners = try (0..<2).map { _ in try SnapshotOwner(environment) }
        let write: @Sendable () throws -> Void = {
            for round in 1...200 as ClosedRange<UInt64> {
                try environment.write { (txn) throws in
                    try txn.put(round, for: 1, in: objects)
                    let value = [UInt8](repeating: 3, count: 5000)
                    try txn.put(value, for: 100 + round, in: objects)
                }
            }
        }
        let reads = owners.map { owner in
            { @Sendable () throws -> Void in
                var last: UInt64 = 0
                while last < 200 { last = try owner.read(1, in: objects) }
            }
        }
        try await runOnThreads([write] + reads)
        #expect(environment.info.mapSizeBytes >= 1 << 20)
    }

    @Test func writersTakeTurns() async throws {
        let scratch = try Scratch()
        let environment = try scratch.environment { $0.durability = .none }
        let objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put(0 as UInt64, for: 1, in: objects) }
        let raise: @Sendable () throws -> Void = {
            for _ in 0..<50 {
                try environment.write { (txn) throws in
                    let old = try txn.get(1, in: objects)?.loadUnaligned(as: UInt64.self)
                    try txn.put((old ?? 0) + 1, for: 1, in: objects)
                }
            }
        }
        try await runOnThreads([raise, raise, raise, raise])
        let sum = try environment.value(1, in: objects)
        #expect(sum == [200, 0, 0, 0, 0, 0, 0, 0])
    }
}
