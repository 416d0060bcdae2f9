// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import _TestSupport

@testable import LMDB

/// Readers wait for a slot of LMDB's table in the kernel, which wakes the next one however a
/// process ends.
@Suite struct ReaderQueueTests {
    let scratch: Scratch
    let environment: Environment
    let objects: Database
    /// The lock file, opened once more: its locks are those of a stranger.
    ///
    /// It stays open, as closing it would give LMDB's own locks back.
    let other: Int32

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment()
        objects = try environment.database("objects", .integerKey)
        other = open(scratch.path() + "-lock", O_RDWR | O_CLOEXEC)
        try #require(other >= 0)
        try environment.write { try $0.put([1], for: 1, in: objects) }
    }

    @Test func theLockFileOfAnEnvironmentIsKnown() throws {
        environment.inReaderQueue { #expect(ReaderQueue.isTaken(other)) }
        #expect(!ReaderQueue.isTaken(other))
    }

    @Test func whoeverNeedsASlotWaits() async throws {
        for begin in [
            { (environment: Environment) in _ = try environment.makeSnapshot() },
            { _ = try $0.clearStaleReaders() },
            { _ = try $0.databaseNames() },
        ] as [@Sendable (Environment) throws -> Void] {
            let isDone = Atomic(false)
            try #require(ReaderQueue.enter(other))
            try await runOnThreads([
                { [environment] in
                    try begin(environment)
                    let isItsTurn = isDone.load(ordering: .acquiring)
                    #expect(isItsTurn)
                },
                { [other] in
                    // Time for one that would not wait.
                    usleep(50_000)
                    isDone.store(true, ordering: .releasing)
                    ReaderQueue.leave(other)
                },
            ])
            #expect(!ReaderQueue.isTaken(other))
        }
    }

    @Test func whoeverHasASlotDoesNotWait() throws {
        let snapshot = try environment.makeSnapshot()
        #expect(try environment.value(1, in: objects) == [1])
        try #require(ReaderQueue.enter(other))
        defer { ReaderQueue.leave(other) }
        #expect(try environment.value(1, in: objects) == [1])
        try snapshot.renew()
        try environment.write { try $0.put([2], for: 1, in: objects) }
        #expect(try environment.value(1, in: objects) == [2])
    }

    @Test func aProcessThatIsKilledInItLeavesTheQueue() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path() as String] in
            let environment = try Environment.open(at: path, options: testOptions())
            environment.inReaderQueue { _ = kill(getpid(), SIGKILL) }
        }
        #expect(!ReaderQueue.isTaken(other))
        _ = try environment.makeSnapshot()
    }
}
