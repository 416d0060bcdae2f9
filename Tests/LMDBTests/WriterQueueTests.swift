// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import _TestSupport

@testable import LMDB

/// Writers wait in the kernel, which wakes the next one however a process ends.
@Suite struct WriterQueueTests {
    struct Refused: Error {}

    let scratch: Scratch
    let environment: Environment
    let objects: Database
    /// The file, opened once more: its locks are those of a stranger.
    let other: Int32

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment()
        objects = try environment.database("objects", .integerKey)
        other = open(scratch.path(), O_RDWR | O_CLOEXEC)
        try #require(other >= 0)
    }

    @Test func aWriteIsInTheQueueUntilItEnds() throws {
        defer { close(other) }
        #expect(!WriterQueue.isTaken(other))
        try environment.write { transaction in
            #expect(WriterQueue.isTaken(other))
            try transaction.put([1], for: 1, in: objects)
        }
        #expect(!WriterQueue.isTaken(other))
        #expect(throws: Refused.self) { try environment.write { _ in throw Refused() } }
        #expect(!WriterQueue.isTaken(other))
    }

    @Test func aWriteWaitsForItsTurn() async throws {
        defer { close(other) }
        let isDone = Atomic(false)
        try WriterQueue.enter(other, scratch.path())
        try await runOnThreads([
            { [environment, objects] in
                try environment.write { transaction in
                    let isItsTurn = isDone.load(ordering: .acquiring)
                    #expect(isItsTurn)
                    try transaction.put([1], for: 1, in: objects)
                }
            },
            { [other] in
                // Time for a write that would not wait.
                usleep(50_000)
                isDone.store(true, ordering: .releasing)
                WriterQueue.leave(other)
            },
        ])
        #expect(try environment.value(1, in: objects) == [1])
    }

    @Test func aProcessThatIsKilledInAWriteLeavesTheQueue() async throws {
        defer { close(other) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path() as String] in
            let environment = try Environment.open(at: path, options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            try environment.write { transaction in
                try transaction.put([2], for: 2, in: objects)
                _ = kill(getpid(), SIGKILL)
            }
        }
        #expect(!WriterQueue.isTaken(other))
        try environment.write { try $0.put([1], for: 1, in: objects) }
        #expect(try environment.value(1, in: objects) == [1])
        #expect(try environment.value(2, in: objects) == nil)
    }
}
