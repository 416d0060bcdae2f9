// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing

/// Files of no bytes, as a creation that was killed leaves them.
@Suite struct EmptyFileTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        #expect(FileManager.default.createFile(atPath: scratch.path(), contents: nil))
    }

    @Test func anEmptyFileIsANewOne() throws {
        do {
            let environment = try scratch.environment()
            let objects = try environment.database("objects", .integerKey)
            try environment.write { try $0.put([1], for: 1, in: objects) }
        }
        let environment = try scratch.environment()
        let objects = try environment.database("objects", .integerKey)
        #expect(try environment.value(1, in: objects) == [1])
    }

    @Test func anEmptyFileIsRefusedWhereNoneWouldBeCreated() throws {
        for change in [{ $0.createsIfMissing = false }, { $0.isReadOnly = true }]
            as [(inout EnvironmentOptions) -> Void]
        {
            let error = error { _ = try scratch.environment("data.lode", change) }
            #expect(error?.code == .truncated)
            #expect(error?.path?.hasSuffix("data.lode") == true)
            #expect(error?.message.contains("it is empty") == true)
            #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path())).isEmpty)
        }
    }

    @Test func manyProcessesMayFindTheSameEmptyFile() async throws {
        let path = scratch.path()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 as Range<UInt64> {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = path as String, number = number as UInt64] in
                        let environment = try Environment.open(at: path, options: testOptions())
                        let objects = try environment.database("objects", .integerKey)
                        try environment.write { try $0.put([1], for: number, in: objects) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let environment = try scratch.environment()
        let objects = try environment.database("objects", .integerKey)
        #expect(try environment.read { try $0.entryCount(objects) } == 4)
    }
}
