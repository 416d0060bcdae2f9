// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import LMDB

/// A file that was written to says whether it was closed.
@Suite struct ClosingTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private var hasMark: Bool {
        FileManager.default.fileExists(atPath: scratch.path("data.lode-open"))
    }

    /// Writes from another process, which ends as `end` says without letting the file go.
    private func writeElsewhere(_ end: Int32) async {
        let path = scratch.path()
        await #expect(processExitsWith: end == 0 ? .success : .signal(end)) {
            [path = path as String, end = end as Int32] in
            let environment = try Environment.open(at: path, options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            try environment.write { try $0.put([1], for: 1, in: objects) }
            withExtendedLifetime(environment) {
                if end == 0 { exit(0) }
                _ = kill(getpid(), end)
            }
        }
    }

    @Test func aMarkLastsFromTheFirstWriteToTheClosing() throws {
        do {
            let environment = try scratch.environment()
            #expect(!hasMark)
            let objects = try environment.database("objects", .integerKey)
            #expect(hasMark)
            try environment.write { try $0.put([1], for: 1, in: objects) }
            #expect(hasMark && !environment.wasLeftOpen)
        }
        #expect(!hasMark)
        let environment = try scratch.environment()
        #expect(!hasMark && !environment.wasLeftOpen)
        #expect(try environment.value(1, in: environment.database("objects", .integerKey)) == [1])
    }

    @Test func aKilledProcessLeavesItsMarkAndAWholeFile() async throws {
        await writeElsewhere(SIGKILL)
        let boot = try #require(BootID.current)
        #expect(
            try String(contentsOfFile: scratch.path("data.lode-open"), encoding: .utf8)
                == "\(boot) full\n")
        do {
            let environment = try scratch.environment()
            #expect(!environment.wasLeftOpen, "the system has all that the process wrote")
            let objects = try environment.database("objects", .integerKey)
            #expect(try environment.value(1, in: objects) == [1])
            #expect(hasMark)
            try environment.write { try $0.put([2], for: 2, in: objects) }
        }
        #expect(!hasMark)
    }

    @Test func aProcessThatExitsClosesItsFiles() async throws {
        await writeElsewhere(0)
        #expect(!hasMark)
        #expect(try !scratch.environment().wasLeftOpen)
    }

    @Test func exitHandlersOfTheProgramMayWrite() async throws {
        let path = scratch.path()
        await #expect(processExitsWith: .success) { [path = path as String] in
            setenv("LATE_PATH", path, 1)
            // Installed before the first write: it runs after the file is closed.
            atexit {
                guard let path = getenv("LATE_PATH").map({ String(cString: $0) }),
                    let environment = try? Environment.open(at: path, options: testOptions()),
                    let objects = try? environment.database("objects", .integerKey)
                else { _exit(1) }
                do {
                    try environment.write { try $0.put([2], for: 2, in: objects) }
                } catch { _exit(2) }
            }
            let environment = try Environment.open(at: path, options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            try environment.write { try $0.put([1], for: 1, in: objects) }
            withExtendedLifetime(environment) { exit(0) }
        }
        let environment = try scratch.environment()
        let objects = try environment.database("objects", .integerKey)
        #expect(try environment.value(1, in: objects) == [1])
        #expect(try environment.value(2, in: objects) == [2])
    }

    @Test func aLivingWriterIsNoCrash() async throws {
        let environment = try scratch.environment()
        let objects = try environment.database("objects", .integerKey)
        let path = scratch.path()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let other = try Environment.open(at: path, options: testOptions())
            let isMarked = { FileManager.default.fileExists(atPath: path + "-open") }
            guard !other.wasLeftOpen, isMarked() else { exit(1) }
            let objects = try other.database("objects", .integerKey)
            try other.write { try $0.put([2], for: 2, in: objects) }
        }
        #expect(hasMark, "another process that closes the file leaves the mark to this one")
        #expect(try environment.value(2, in: objects) == [2])
    }
}

/// Several who open a file that was left open at the same time.
@Suite struct AbandonedMarkTests {
    @Test func nobodyWhoLooksIsTakenForAWriter() throws {
        let scratch = try Scratch()
        let path = scratch.path()
        #expect(FileManager.default.createFile(atPath: path + "-open", contents: nil))
        let misses = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<5_000 where !WriteMark.asksForCheck(path) {
                misses.add(1, ordering: .relaxed)
            }
        }
        #expect(misses.load(ordering: .relaxed) == 0)
        let writer = try #require(WriteMark(of: path))
        #expect(!WriteMark.asksForCheck(path))
        let second = try #require(WriteMark(of: path))
        writer.end()
        #expect(!WriteMark.asksForCheck(path))
        #expect(FileManager.default.fileExists(atPath: path + "-open"))
        second.end()
        #expect(!FileManager.default.fileExists(atPath: path + "-open"))
    }
}
