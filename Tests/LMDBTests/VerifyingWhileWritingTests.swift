// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import _TestSupport

@testable import LMDB

/// Checks of a file that others write to all the time.
@Suite struct VerifyingWhileWritingTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func fill(_ environment: Environment) throws -> Database {
        let objects = try environment.database("objects", .integerKey)
        try environment.write { (txn) throws in
            for key in 1...200 as ClosedRange<UInt64> {
                try txn.put([UInt8](repeating: 1, count: 100), for: key, in: objects)
            }
        }
        return objects
    }

    private static func overwrite(
        _ objects: Database, _ environment: Environment, until isDone: borrowing Atomic<Bool>
    ) throws {
        var number: UInt64 = 0
        while !isDone.load(ordering: .relaxed) {
            // Or the file grows faster than a slow machine checks it.
            usleep(300)
            number += 1
            try environment.write {
                try $0.put([UInt8](repeating: 2, count: 90), for: number % 200, in: objects)
            }
        }
    }

    @Test func commits_of_another_thread_are_no_damage() async throws {
        let environment = try scratch.environment {
            $0.durability = .none
            // A check holds the map for as long as it takes, which a slow machine makes long.
            $0.remapTimeoutMilliseconds = 120_000
        }
        let objects = try fill(environment)
        let isDone = Atomic<Bool>(false)
        let path = scratch.path()
        try await runOnThreads([
            { try Self.overwrite(objects, environment, until: isDone) },
            {
                defer { isDone.store(true, ordering: .relaxed) }
                var count = 0
                while count < 150 || environment.lastTransactionID < 120 {
                    count += 1
                    try environment.verifyPages()
                    try DataFile(path: path).check()
                }
            },
        ])
        #expect(environment.lastTransactionID > 100)
    }

    @Test func commits_of_another_process_are_no_damage() async throws {
        let environment = try scratch.environment {
            $0.durability = .none
            // A check holds the map for as long as it takes, which a slow machine makes long.
            $0.remapTimeoutMilliseconds = 120_000
        }
        _ = try fill(environment)
        let start = environment.lastTransactionID
        let path = scratch.path()
        async let writer: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                let other = try Environment.open(
                    at: path, options: testOptions { $0.durability = .none })
                let objects = try other.database("objects", .integerKey)
                for number in 0..<200_000 as Range<UInt64> {
                    usleep(300)
                    try other.write {
                        try $0.put([UInt8](repeating: 3, count: 95), for: number % 200, in: objects)
                    }
                    // The one who checks says that it has seen enough.
                    if number % 100 == 0,
                        FileManager.default.fileExists(atPath: path + "-enough")
                    {
                        break
                    }
                }
            }
        }()
        // The other process may need this thread to be started.
        while environment.lastTransactionID < start + 10 {
            try environment.verifyPages()
            await Task.yield()
        }
        for _ in 0..<50 { try environment.verifyPages() }
        #expect(FileManager.default.createFile(atPath: path + "-enough", contents: nil))
        await writer
        try environment.verifyPages()
    }

    @Test func damage_is_found_while_others_write() async throws {
        let environment = try scratch.environment {
            $0.durability = .none
            // A check holds the map for as long as it takes, which a slow machine makes long.
            $0.remapTimeoutMilliseconds = 120_000
        }
        let objects = try fill(environment)
        let other = try environment.database("other", .integerKey)
        // The pages of `other` stay as they are; only the check reads them.
        try environment.write { (txn) throws in
            for key in 1...200 as ClosedRange<UInt64> {
                try txn.put([UInt8](repeating: 9, count: 100), for: key, in: other)
            }
        }
        let file = URL(fileURLWithPath: scratch.path())
        let whole = try Data(contentsOf: file)
        let page = environment.pageSizeBytes
        let value = Data(repeating: 9, count: 100)
        let place = try #require(whole.range(of: value)).lowerBound / page * page
        // The page's kind.
        let handle = try FileHandle(forWritingTo: file)
        try handle.seek(toOffset: UInt64(place + 10))
        try handle.write(contentsOf: Data([whole[place + 10] ^ 0x40]))
        try handle.close()
        let isDone = Atomic<Bool>(false)
        let found = Atomic<Int>(0)
        try await runOnThreads([
            { try Self.overwrite(objects, environment, until: isDone) },
            {
                defer { isDone.store(true, ordering: .relaxed) }
                for _ in 0..<20
                where errorCode({ try environment.verifyPages() }) == .corrupted {
                    found.add(1, ordering: .relaxed)
                }
            },
        ])
        #expect(found.load(ordering: .relaxed) == 20)
    }
}
