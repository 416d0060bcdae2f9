// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import LMDB

/// Two lock files for one data file, which another process has open.
@Suite struct LockFileUseTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// Opens a file in another process, which ends by itself.
    private func open(_ path: String, reads: Bool = false, _ expected: LMDBError.Code?) async {
        let code = expected.map { Int($0.rawValue) } ?? 0
        await #expect(processExitsWith: .success) {
            [path = path as String, reads = reads as Bool, code = code as Int] in
            let thrown = errorCode {
                _ = try Environment.open(at: path, options: testOptions { $0.isReadOnly = reads })
            }
            #expect(thrown.map { Int($0.rawValue) } ?? 0 == code)
        }
    }

    @Test func anotherNameIsRefusedWhileTheFileIsOpen() async throws {
        let environment = try scratch.environment()
        _ = try environment.database("objects", .integerKey)
        #expect(link(scratch.path(), scratch.path("other.lode")) == 0)
        await open(scratch.path("other.lode"), .otherLockFile)
        await open(scratch.path("other.lode"), reads: true, .otherLockFile)
        await open(scratch.path(), nil)
        // One process has one environment for the file.
        #expect(
            try Environment.open(at: scratch.path("other.lode"), options: testOptions())
                === environment)
    }

    @Test func anotherNameOpensAFileThatNobodyHas() async throws {
        do { _ = try scratch.environment().database("objects", .integerKey) }
        #expect(link(scratch.path(), scratch.path("other.lode")) == 0)
        await open(scratch.path("other.lode"), nil)
        await open(scratch.path(), nil)
    }

    /// As where two processes begin with a file that took the path of another one: one of them has
    /// the lock file that the other deletes, signs the data file with it, and sees then that it is
    /// not the one that is there.
    @Test func oneThatTriesAndGivesUpIsNotInTheWay() async throws {
        do { _ = try scratch.environment().database("objects", .integerKey) }
        let file = try PlainFile.open(scratch.path(), O_RDWR, allowsLink: false)
        defer { close(file) }
        let first: off_t = 1 << 61
        let sign = OpenFileLock(descriptor: file, byte: first)
        try #require(sign.set(F_RDLCK))
        let others = OpenFileLock(descriptor: file, byte: first + 1, length: first - 1)
        try await runOnThreads([
            { [path = scratch.path()] in
                let environment = try Environment.open(at: path, options: testOptions())
                _ = try environment.database("objects", .integerKey)
            },
            {
                // Until the other one has signed the file as well.
                while others.isFree == true { usleep(50) }
                #expect(sign.set(F_UNLCK))
            },
        ])
    }

    /// Each of some processes makes a file, deletes the lock file of the one that has the path,
    /// takes its place and opens the path, which may have got the file of another one by then.
    @Test func processesThatReplaceOneFileAreNotInTheWayOfEachOther() async throws {
        do { _ = try scratch.environment().database("objects", .integerKey) }
        await withTaskGroup { group in
            for number in 0..<4 {
                group.addTask { [path = scratch.path()] in
                    await #expect(processExitsWith: .success) {
                        [path = path as String, number = number as Int] in
                        for round in 0..<100 {
                            try LockFileUseTests.replace(path, "\(number)-\(round)")
                            let environment = try Environment.open(
                                at: path, options: testOptions())
                            let objects = try environment.database("objects", .integerKey)
                            #expect(try environment.value(1, in: objects) == [1])
                        }
                    }
                }
            }
        }
    }

    /// As a store is replaced.
    private static func replace(_ path: String, _ name: String) throws {
        let fresh = "\(path).\(name)"
        do {
            let environment = try Environment.open(at: fresh, options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            try environment.write { _ = try $0.put([1], for: 1, in: objects) }
        }
        for suffix in ["-lock", "-open"] { unlink(path + suffix) }
        #expect(rename(fresh, path) == 0)
    }

    @Test func oneThatStaysIsInTheWay() throws {
        do { _ = try scratch.environment().database("objects", .integerKey) }
        let file = try PlainFile.open(scratch.path(), O_RDWR, allowsLink: false)
        defer { close(file) }
        try #require(OpenFileLock(descriptor: file, byte: 1 << 61).set(F_RDLCK))
        let code = errorCode {
            _ = try Environment.open(at: scratch.path(), options: testOptions())
        }
        #expect(code == .otherLockFile)
    }

    @Test func aLockFileThatWasDeletedIsMissed() async throws {
        let environment = try scratch.environment()
        _ = try environment.database("objects", .integerKey)
        unlink(scratch.path("data.lode-lock"))
        await open(scratch.path(), .otherLockFile)
        withExtendedLifetime(environment) {}
    }

    /// As where a backup is put back while a server has the file open: the lock file has the number
    /// of the server's commit.
    @Test(arguments: [1, 2, 3]) func aFileThatTookAPathGetsALockFileOfItsOwn(_ more: Int)
        async throws
    {
        let environment = try scratch.environment()
        let objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put([1], for: 1, in: objects) }
        do {
            let other = try Environment.open(
                at: scratch.path("backup.lode"), options: testOptions())
            let objects = try other.database("objects", .integerKey)
            for round in 0..<UInt8(20 + more) {
                try other.write { (txn) throws in
                    for key in 0..<40 as Range<UInt64> {
                        try txn.put([UInt8](repeating: round, count: 500), for: key, in: objects)
                    }
                }
            }
        }
        try #require(rename(scratch.path("backup.lode"), scratch.path()) == 0)
        await #expect(processExitsWith: .success) {
            [path = scratch.path() as String, last = UInt8(19 + more) as UInt8] in
            let environment = try Environment.open(at: path, options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            #expect(try environment.value(39, in: objects)?.first == last)
            for round in 100..<103 as Range<UInt8> {
                try environment.write { _ = try $0.put([round], for: 39, in: objects) }
            }
        }
        await #expect(processExitsWith: .success) { [path = scratch.path() as String] in
            let environment = try Environment.open(at: path, options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            #expect(try environment.value(39, in: objects) == [102])
            try environment.verifyPages()
        }
        // Who has the former file reads it on, and writes nothing.
        #expect(try environment.value(1, in: objects) == [1])
        let code = errorCode { try environment.write { _ = try $0.put([2], for: 1, in: objects) } }
        #expect(code == .fileIsGone)
    }

    /// As where the process that had the former file ends while another one opens the backup: LMDB
    /// has taken the number over, and nobody is left who says of what file it is.
    @Test(arguments: [1, 2, 3]) func aNumberOfAnotherFileIsNotTaken(_ more: Int) async throws {
        for (name, rounds) in [("data.lode", 1), ("backup.lode", 20 + more)] {
            let environment = try scratch.environment(name)
            let objects = try environment.database("objects", .integerKey)
            for round in 0..<UInt8(rounds) {
                try environment.write { _ = try $0.put([round], for: 39, in: objects) }
            }
        }
        let lockFile = scratch.path("data.lode-lock")
        try #require(chmod(lockFile, 0o664) == 0)
        let former = FileIdentity(path: lockFile)
        let other = try PlainFile.open(lockFile, O_RDWR, allowsLink: false)
        defer { close(other) }
        // With LMDB's own lock the others do not begin the lock file anew.
        try #require(OpenFileLock(descriptor: other, byte: 0).set(F_RDLCK))
        try #require(rename(scratch.path("backup.lode"), scratch.path()) == 0)
        await #expect(processExitsWith: .success) {
            [path = scratch.path() as String, last = UInt8(19 + more) as UInt8] in
            let environment = try Environment.open(at: path, options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            #expect(try environment.value(39, in: objects) == [last])
            try environment.write { _ = try $0.put([100], for: 39, in: objects) }
            try environment.verifyPages()
        }
        #expect(FileIdentity(path: lockFile) != former)
        var status = stat()
        #expect(stat(lockFile, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o664)
    }

    @Test func theMarkOfAFileThatTookThePathStays() throws {
        let mark = scratch.path("data.lode-open")
        do {
            let environment = try scratch.environment()
            _ = try environment.database("objects", .integerKey)
            try #require(unlink(mark) == 0)
            #expect(FileManager.default.createFile(atPath: mark, contents: Data("other".utf8)))
        }
        #expect(FileManager.default.contents(atPath: mark) == Data("other".utf8))
    }

    /// As a program has it that another thread is starting when the file is closed.
    @Test func anOpenFileThatLivesOnHoldsNothing() throws {
        var copy: Int32 = -1
        do {
            let environment = try scratch.environment()
            _ = try environment.database("objects", .integerKey)
            copy = dup(environment.descriptor)
        }
        defer { close(copy) }
        #expect(copy >= 0)
        unlink(scratch.path("data.lode-lock"))
        // A file in the way gives the next lock file another number.
        #expect(FileManager.default.createFile(atPath: scratch.path("other"), contents: nil))
        _ = try Environment.open(at: scratch.path(), options: testOptions())
    }

    /// As where a process is killed while it makes the lock file and others wait for it.
    @Test func whoWaitedForOneThatDiedMakesTheLockFile() async throws {
        let other = try PlainFile.open(
            scratch.path("data.lode-lock"), O_RDWR | O_CREAT, allowsLink: false)
        defer { close(other) }
        let first = OpenFileLock(descriptor: other, byte: 0)
        try #require(first.set(F_WRLCK))
        try await runOnThreads([
            { [path = scratch.path()] in
                let environment = try Environment.open(at: path, options: testOptions())
                _ = try environment.database("objects", .integerKey)
            },
            {
                // Time for the other one to begin to wait.
                usleep(50_000)
                #expect(first.set(F_UNLCK))
            },
        ])
    }
}
