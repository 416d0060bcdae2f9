// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing
import _TestSupport

/// Commits whose header cannot be written, after which LMDB by itself refuses everything.
@Suite struct FailedHeaderTests {
    let scratch: Scratch
    let environment: Environment
    let objects: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment()
        objects = try environment.database("objects", .integerKey)
        try write(1)
    }

    private func write(_ value: UInt8) throws {
        try environment.write { try $0.put([value], for: 1, in: objects) }
    }

    @Test func writingGoesOnOnceThereIsRoom() throws {
        let number = environment.lastTransactionID
        let snapshot = try environment.makeSnapshot()
        let fault = try #require(HeaderFault(environment.path))
        for value in 2...4 as ClosedRange<UInt8> {
            let error = error { try write(value) }
            #expect(error?.code == .init(rawValue: ENOSPC))
            #expect(environment.lastTransactionID == number)
            #expect(try environment.value(1, in: objects) == [1])
            try snapshot.renew()
            #expect(try snapshot.get(1, in: objects).map { Array($0) } == [1])
        }
        fault.end()
        try write(5)
        #expect(environment.lastTransactionID == number + 1)
        #expect(try environment.value(1, in: objects) == [5])
        #expect(try snapshot.get(1, in: objects).map { Array($0) } == [1])
        try environment.verifyPages()
    }

    @Test func anotherProcessFindsTheFormerState() async throws {
        let fault = try #require(HeaderFault(environment.path))
        #expect(errorCode { try write(2) } == .init(rawValue: ENOSPC))
        fault.end()
        await #expect(processExitsWith: .success) { [path = scratch.path() as String] in
            let environment = try Environment.open(at: path, options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            #expect(try environment.value(1, in: objects) == [1])
            try environment.write { try $0.put([3], for: 1, in: objects) }
        }
        #expect(try environment.value(1, in: objects) == [3])
        try write(4)
        #expect(try environment.value(1, in: objects) == [4])
    }

    /// Who reads at the moment of the failure waits for its end.
    @Test func readersOfOtherThreadsNoticeNothing() async throws {
        let fault = try #require(HeaderFault(environment.path))
        let (environment, objects) = (environment, objects)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<20_000 {
                    let value = try environment.value(1, in: objects)
                    #expect(value == [1])
                }
            }
            for _ in 0..<500 { #expect(errorCode { try write(2) } != nil) }
            try await group.waitForAll()
        }
        fault.end()
    }
}
