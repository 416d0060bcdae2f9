// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LMDB

/// Files that are deleted or replaced while they are open, and readers that die.
@Suite struct LostFileTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func expectLost(_ environment: Environment, _ objects: Database) {
        let error = error {
            try environment.write { _ = try $0.put([2], for: 1, in: objects) }
        }
        #expect(error?.code == .fileIsGone)
        #expect(
            error?.message
                == "Beginning a write failed: the file was deleted or replaced while it was open. "
                + "Nothing was written. Close every use of the file and open it again.")
    }

    @Test func a_write_to_a_deleted_file_throws() throws {
        let environment = try scratch.environment()
        let objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put([1], for: 1, in: objects) }
        let aside = scratch.path("aside.lode")
        try FileManager.default.moveItem(atPath: scratch.path(), toPath: aside)
        expectLost(environment, objects)
        // What was there stays readable, and writable once it is back.
        #expect(try environment.value(1, in: objects) == [1])
        try FileManager.default.moveItem(atPath: aside, toPath: scratch.path())
        try environment.write { try $0.put([3], for: 1, in: objects) }
        #expect(try environment.value(1, in: objects) == [3])
    }

    @Test func a_write_to_a_replaced_file_throws() throws {
        let environment = try scratch.environment()
        let objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put([1], for: 1, in: objects) }
        try environment.copy(to: scratch.path("copy.lode"))
        try FileManager.default.removeItem(atPath: scratch.path())
        try FileManager.default.moveItem(
            atPath: scratch.path("copy.lode"), toPath: scratch.path())
        expectLost(environment, objects)
    }

    /// Nobody can tell then whether the file is there.
    @Test func a_folder_that_may_not_be_looked_into_is_an_error_of_its_own() async throws {
        #expect(chmod(scratch.folder, 0o777) == 0)
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            becomeNobody()
            let inner = folder + "/inner"
            #expect(mkdir(inner, 0o755) == 0)
            let environment = try Environment.open(
                at: inner + "/data.lode", options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            #expect(chmod(inner, 0) == 0)
            let error = error {
                try environment.write { _ = try $0.put([1], for: 1, in: objects) }
            }
            #expect(
                error?.message
                    == "Beginning a write failed: Permission denied. "
                    + "Check the permissions of the file, its lock file and its folder. To read a "
                    + "file that cannot be written, open it with isReadOnly.")
            #expect(chmod(inner, 0o755) == 0)
            try environment.write { _ = try $0.put([2], for: 1, in: objects) }
            #expect(try environment.value(1, in: objects) == [2])
        }
    }

    @Test func a_temporary_file_may_lose_its_name() throws {
        let environment = try scratch.environment { $0.isTemporary = true }
        let objects = try environment.database("objects", .integerKey)
        try FileManager.default.removeItem(atPath: scratch.path())
        try environment.write { try $0.put([1], for: 1, in: objects) }
        #expect(try environment.value(1, in: objects) == [1])
    }

    @Test func readers_are_looked_for_now_and_then() {
        var check = ReaderCheck()
        // Not with the first write: opening the file has looked.
        var due = (0..<601).filter { _ in check.isDue(100) }
        #expect(due == [256, 512])
        // Nor may the file grow by more than an eighth and 1,024 pages.
        due = (0..<3_000).filter { check.isDue(100 + $0 * 100) }
        #expect(due.first == 11)
        #expect(due.count > 12)
    }

    /// Without a look at the readers each commit would take new pages: 2,000 of them 50 MiB.
    @Test func a_killed_reader_does_not_let_the_file_grow() async throws {
        let environment = try scratch.environment { $0.durability = .none }
        let objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put([1], for: 1, in: objects) }
        let path = scratch.path()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let options = testOptions { $0.durability = .none }
            let snapshot = try Environment.open(at: path, options: options).makeSnapshot()
            withExtendedLifetime(snapshot) { _ = kill(getpid(), SIGKILL) }
        }
        for round in 0..<2_000 as Range<UInt64> {
            try environment.write { (txn) throws in
                try txn.put([UInt8](repeating: 1, count: 20_000), for: round % 2, in: objects)
            }
        }
        #expect(environment.info.usedBytes < 12 << 20)
    }
}
