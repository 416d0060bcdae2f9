// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing

@Suite struct SnapshotTests {
    let scratch: Scratch
    let environment: Environment
    let objects: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment { $0.maxReaders = 8 }
        objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put([1], for: 1, in: objects) }
    }

    @Test func keepsItsCommitUntilRenewed() throws {
        let snapshot = try environment.makeSnapshot()
        let first = environment.lastTransactionID
        #expect(snapshot.transactionID == first)
        try environment.write { try $0.put([2], for: 1, in: objects) }
        #expect(environment.lastTransactionID == first + 1)
        #expect(try snapshot.get(1, in: objects).map { Array($0) } == [1])
        try snapshot.renew()
        #expect(snapshot.transactionID == first + 1)
        #expect(try snapshot.get(1, in: objects).map { Array($0) } == [2])
    }

    @Test func answersWithAnErrorWhileParked() throws {
        let snapshot = try environment.makeSnapshot()
        snapshot.reset()
        snapshot.reset()
        #expect(!snapshot.isActive)
        let error = error { _ = try snapshot.get(1, in: objects) }
        #expect(error?.code == .badTransaction)
        #expect(error?.message.contains("Renew the snapshot") == true)
        #expect(errorCode { _ = try snapshot.makeCursor(objects) } == .badTransaction)
        try snapshot.renew()
        #expect(snapshot.isActive)
    }

    @Test func severalLiveOnOneThread() throws {
        let snapshots = try (0..<3).map { _ in try environment.makeSnapshot() }
        for snapshot in snapshots {
            #expect(try snapshot.makeCursor(objects).first()?.integerKey == 1)
        }
    }

    @Test func refusesMoreReadersThanAllowedAndRecovers() throws {
        var snapshots: [Snapshot] = []
        let code = errorCode {
            while true { snapshots.append(try environment.makeSnapshot()) }
        }
        #expect(code == .readersFull)
        #expect(snapshots.count == 8)
        #expect(errorCode { _ = try environment.value(1, in: objects) } == .readersFull)
        snapshots.removeLast()
        #expect(try environment.value(1, in: objects) == [1])
        // The pooled reader that the read left behind makes room.
        snapshots.append(try environment.makeSnapshot())
        #expect(snapshots.count == 8)
    }

    @Test func movesBetweenThreads() async throws {
        let snapshot = try environment.makeSnapshot()
        let objects = objects
        for _ in 0..<5 {
            let value = try await Task.detached {
                try snapshot.renew()
                return try snapshot.get(1, in: objects).map { Array($0) }
            }.value
            #expect(value == [1])
        }
    }

    @Test func letsPagesBeReusedOnceParked() throws {
        let snapshot = try environment.makeSnapshot()
        func churn() throws -> Int {
            for round in 0..<60 {
                try environment.write(durability: Durability.none) { (txn) throws in
                    let value = [UInt8](repeating: UInt8(round), count: 20_000)
                    try txn.put(value, for: 2, in: objects)
                }
            }
            return environment.info.usedBytes
        }
        let pinned = try churn()
        snapshot.reset()
        #expect(try churn() < pinned + 100_000)
        #expect(pinned > 60 * 20_000)
    }
}
