// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import _TestSupport

@testable import LMDB

/// Writes of several threads that end in one commit.
@Suite struct CommitGroupTests {
    struct Refused: Error {}
    /// Whose writes share transactions.
    final class Owner: Sendable {}

    /// One write of a test: what it does, and how often that ran.
    final class Write: Sendable {
        let body: @Sendable (borrowing WriteTransaction) throws -> Void
        let owner: Owner
        let runs = Atomic(0)
        /// Whether it was the first of its transaction when it ran last.
        let wasFirst = Atomic(false)
        /// How many writes were committed together; 0 where it threw.
        let memberCount = Atomic(0)
        let number = Atomic<UInt64>(0)
        /// The notes that it got after a commit; none where another one got them.
        let notes = Mutex<[UInt64]>([])

        init(
            _ owner: Owner, _ body: @escaping @Sendable (borrowing WriteTransaction) throws -> Void
        ) {
            self.owner = owner
            self.body = body
        }

        func run(_ environment: Environment) throws {
            let written = try environment.writeJoining(
                owner: owner,
                { transaction, isFirst in
                    runs.add(1, ordering: .relaxed)
                    wasFirst.store(isFirst, ordering: .relaxed)
                    number.store(transaction.transactionID, ordering: .relaxed)
                    try body(transaction)
                    return (result: (), note: transaction.transactionID)
                }, didCommit: { numbers in notes.withLock { $0 = numbers } })
            memberCount.store(written.memberCount, ordering: .relaxed)
        }
    }

    let scratch: Scratch
    let environment: Environment
    let objects: Database
    let owner = Owner()

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment { $0.initialMapSizeBytes = 128 << 10 }
        objects = try environment.database("objects", .integerKey)
    }

    private func put(_ key: UInt64, byteCount: Int = 1, owner: Owner? = nil) -> Write {
        Write(owner ?? self.owner) { [objects] transaction in
            try transaction.put(
                [UInt8](repeating: UInt8(key), count: byteCount), for: key, in: objects)
        }
    }

    /// Runs writes that come in this order while another write is under way: the first one is to
    /// lead.
    private func run(_ writes: [Write], in environment: Environment? = nil) async throws {
        let environment = environment ?? self.environment
        let group = environment.commitGroup
        let isBegun = Atomic(false)
        let earlier: @Sendable () throws -> Void = {
            try environment.write { _ in
                isBegun.store(true, ordering: .releasing)
                while !group.isLed || group.waitingCount < writes.count - 1 { usleep(100) }
            }
        }
        let others = writes.enumerated().map { position, write in
            { @Sendable () throws -> Void in
                while !isBegun.load(ordering: .acquiring) { usleep(100) }
                if position > 0 {
                    while !group.isLed || group.waitingCount < position - 1 { usleep(100) }
                }
                do { try write.run(environment) } catch is Refused {}
            }
        }
        try await runOnThreads([earlier] + others)
    }

    private func counts(_ writes: [Write]) -> [Int] {
        writes.map { $0.memberCount.load(ordering: .relaxed) }
    }

    private func runs(_ writes: [Write]) -> [Int] {
        writes.map { $0.runs.load(ordering: .relaxed) }
    }

    private var keys: [UInt64] {
        get throws {
            try environment.read { transaction in
                try (1...20 as ClosedRange<UInt64>).filter {
                    try transaction.get($0, in: objects) != nil
                }
            }
        }
    }

    @Test func writesThatComeTogetherAreCommittedTogether() async throws {
        let writes = (1...5 as ClosedRange<UInt64>).map { put($0) }
        let before = environment.lastTransactionID
        try await run(writes)
        #expect(counts(writes) == [5, 5, 5, 5, 5])
        #expect(runs(writes) == [1, 1, 1, 1, 1])
        let firsts = writes.map { $0.wasFirst.load(ordering: .relaxed) }
        #expect(firsts.filter { $0 } == [true])
        let numbers = Set(writes.map { $0.number.load(ordering: .relaxed) })
        #expect(numbers == [before + 1])
        #expect(environment.lastTransactionID == before + 1)
        #expect(try keys == [1, 2, 3, 4, 5])
        let notes = writes.map { write in write.notes.withLock { $0 } }
        #expect(notes.filter { !$0.isEmpty } == [Array(repeating: before + 1, count: 5)])
    }

    @Test func oneThatThrowsLeavesNoTraceAndHarmsNoOther() async throws {
        let refused = Write(owner) { [objects] transaction in
            try transaction.put([9], for: 9, in: objects)
            throw Refused()
        }
        let writes = [put(1), put(2), refused, put(4)]
        try await run(writes)
        #expect(counts(writes) == [1, 1, 0, 1])
        // The last one had no turn before the group ended.
        #expect(runs(Array(writes.prefix(3))) == [2, 2, 2])
        #expect(try keys == [1, 2, 4])
    }

    @Test func aLeaderThatThrowsHasNoMembers() async throws {
        let refused = Write(owner) { [objects] transaction in
            try transaction.put([1], for: 1, in: objects)
            throw Refused()
        }
        let writes = [refused, put(2), put(3)]
        try await run(writes)
        #expect(counts(writes) == [0, 2, 2])
        #expect(runs(writes) == [1, 1, 1])
        #expect(try keys == [2, 3])
    }

    @Test func writesOfAnotherOwnerHaveATransactionOfTheirOwn() async throws {
        let other = Owner()
        let writes = [put(1), put(2), put(3, owner: other), put(4, owner: other), put(5)]
        try await run(writes)
        #expect(counts(writes) == [2, 2, 2, 2, 1])
        #expect(try keys == [1, 2, 3, 4, 5])
    }

    @Test func aMapThatIsFullGrows() async throws {
        let writes = [put(1), put(2, byteCount: 1 << 20), put(3)]
        try await run(writes)
        #expect(try keys == [1, 2, 3])
        let second = try #require(try environment.value(2, in: objects))
        #expect(second == [UInt8](repeating: 2, count: 1 << 20))
        #expect(!counts(writes).contains(0))
    }

    /// The one that needs the room asks for it alone, and parks its own snapshot.
    @Test func aMapThatIsFullGrowsWithASnapshotOfTheOneThatNeedsRoom() async throws {
        let snapshot = try environment.makeSnapshot()
        let large = Write(owner) { [objects] transaction in
            // As a context: its own thread may park it.
            snapshot.reset()
            try transaction.put([UInt8](repeating: 2, count: 1 << 20), for: 2, in: objects)
        }
        let writes = [put(1), large, put(3)]
        try await run(writes)
        #expect(try keys == [1, 2, 3])
    }

    @Test func aWriteThatFindsNoRoomHarmsNoOther() async throws {
        let small = try scratch.environment("small.lode") {
            $0.initialMapSizeBytes = 128 << 10
            $0.dataBudgetBytes = 128 << 10
        }
        let database = try small.database("objects", .integerKey)
        let writes = [(1, 1), (2, 1 << 20), (3, 1)].map { key, byteCount in
            Write(owner) { transaction in
                let bytes = [UInt8](repeating: 1, count: byteCount)
                try transaction.put(bytes, for: UInt64(key), in: database)
            }
        }
        let failure = await #expect(throws: LMDBError.self) { try await run(writes, in: small) }
        #expect(failure?.code == .mapFull)
        #expect(counts(writes).map { $0 > 0 } == [true, false, true])
        #expect(try small.value(1, in: database) == [1])
        #expect(try small.value(3, in: database) == [1])
    }

    @Test func aCommitThatFailsIsTriedByEachOnItsOwn() async throws {
        let fault = try #require(HeaderFault(scratch.path()))
        let writes = [put(1), put(2), put(3)]
        await #expect(throws: LMDBError.self) { try await run(writes) }
        #expect(counts(writes) == [0, 0, 0])
        fault.end()
        #expect(try keys == [])
        try put(7).run(environment)
        #expect(try keys == [7])
    }

    @Test func withoutWaitingForTheDiskEachCommitsAlone() throws {
        let quick = try scratch.environment("quick.lode") { $0.durability = .none }
        let database = try quick.database("objects", .integerKey)
        let write = Write(owner) { try $0.put([1], for: 1, in: database) }
        try write.run(quick)
        #expect(counts([write]) == [1])
        #expect(try quick.value(1, in: database) == [1])
    }

    @Test func manyThreadsCountWithoutLosingAny() async throws {
        let (environment, objects, owner) = (self.environment, self.objects, self.owner)
        try await runOnThreads(
            (0..<8).map { thread in
                {
                    for round in 0..<50 {
                        do {
                            let count = Write(owner) { transaction in
                                let old = try transaction.number(1, in: objects)
                                try transaction.put(old + 1, for: 1, in: objects)
                                // Every seventh write of a thread takes back what it counted.
                                if round % 7 == thread % 7 { throw Refused() }
                            }
                            try count.run(environment)
                        } catch is Refused {}
                    }
                }
            })
        let thrown = (0..<8).map { thread in (0..<50).filter { $0 % 7 == thread % 7 }.count }
        let expected = 400 - thrown.reduce(0, +)
        #expect(expected == 342)
        #expect(try environment.read { try $0.number(1, in: objects) } == 342)
    }
}

extension Transaction where Self: ~Copyable {
    /// The number under a key; 0 where there is none.
    fileprivate func number(_ key: UInt64, in database: Database) throws -> UInt64 {
        try get(key, in: database)?.loadUnaligned(as: UInt64.self) ?? 0
    }
}
