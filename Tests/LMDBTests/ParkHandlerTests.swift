// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Testing

@testable import LMDB

/// What snapshots with and without a handler do to a write that has to move the map.
@Suite struct ParkHandlerTests {
    let scratch: Scratch
    let environment: Environment
    let objects: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment {
            $0.initialMapSizeBytes = 128 << 10
            $0.remapTimeoutMilliseconds = 60_000
        }
        objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put([7], for: 0, in: objects) }
    }

    private func grow() throws {
        try environment.write { (txn) throws in
            for key in 1...500 as ClosedRange<UInt64> {
                try txn.put([UInt8](repeating: 1, count: 3000), for: key, in: objects)
            }
        }
    }

    @Test(arguments: [true, false])
    func a_write_waits_for_a_snapshot_without_a_handler(_ isReleased: Bool) throws {
        // Entered first, so that the write asks it first.
        let asked = DispatchSemaphore(value: 0)
        let first = try environment.makeSnapshot()
        let weakly = WeakReference(first)
        first.parkHandler = {
            weakly.value?.reset()
            asked.signal()
            return true
        }
        // nonisolated(unsafe): this thread leaves it to the other.
        nonisolated(unsafe) var second: Snapshot? = try environment.makeSnapshot()
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            asked.wait()
            if isReleased { second = nil } else { second?.reset() }
            done.signal()
        }
        try grow()
        done.wait()
        #expect(!first.isActive)
        #expect(second?.isActive ?? false == false)
        #expect(try environment.read { try $0.entryCount(objects) } == 501)
    }

    @Test func the_error_says_which_kind_of_snapshot_was_in_the_way() throws {
        let scratch = try Scratch()
        let environment = try scratch.environment { $0.initialMapSizeBytes = 128 << 10 }
        let objects = try environment.database("objects", .integerKey)
        let snapshot = try environment.makeSnapshot()
        func failure() -> LMDBError? {
            error {
                try environment.write { (txn) throws in
                    _ = try txn.put([UInt8](repeating: 1, count: 1 << 20), for: 1, in: objects)
                }
            }
        }
        #expect(
            failure()?.message
                == "Growing the map failed: a snapshot is in use; it has no handler that could be "
                + "asked to park it, and was neither parked nor released within 50 ms. End or "
                + "park long reads, then repeat the write; nothing was lost.")
        snapshot.parkHandler = { false }
        #expect(
            failure()?.message
                == "Growing the map failed: a snapshot is in use; its owner was asked to park it "
                + "and has not done so within 50 ms. End or park long reads, then repeat the "
                + "write; nothing was lost.")
        snapshot.parkHandler = nil
        snapshot.reset()
        #expect(failure() == nil)
    }

    /// A chain of as many closures would overflow the stack when it is released.
    @Test func a_handler_that_is_handed_on_does_not_grow() throws {
        var current = try environment.makeSnapshot()
        var spare = try environment.makeSnapshot()
        let counter = Counter()
        current.parkHandler = {
            counter.increment()
            return true
        }
        for _ in 0..<50_000 {
            spare.inheritParkHandler(of: current)
            current.parkHandler = nil
            swap(&current, &spare)
        }
        #expect(current.parkHandler?() == true)
        #expect(counter.value == 1)
        current.parkHandler = nil
    }
}
