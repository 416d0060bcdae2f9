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

/// Headers of commits that have failed, and that could not be taken back at once.
@Suite struct LeftHeaderTests {
    struct Refused: Error {}

    let scratch: Scratch
    let environment: Environment
    let objects: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment()
        objects = try environment.database("objects", .integerKey)
        for value in 1...4 as ClosedRange<UInt8> { try write(value) }
    }

    private func write(_ value: UInt8) throws {
        try environment.write { try $0.put([value], for: 1, in: objects) }
    }

    /// Leaves a header as a commit does that fails with it; returns its number.
    private func leaveHeader() throws -> UInt64 {
        var number = environment.lastTransactionID + 1
        let file = open(environment.path, O_RDWR | O_CLOEXEC)
        defer { close(file) }
        let page = environment.pageSizeBytes
        var header = [UInt8](repeating: 0, count: 152)
        try #require(pread(file, &header, 152, page * Int((number - 1) & 1)) == 152)
        withUnsafeBytes(of: &number) { header.replaceSubrange(144..<152, with: $0) }
        // All but the number of the page.
        let content = Array(header[16...])
        let place = page * Int(number & 1) + 16
        try #require(pwrite(file, content, content.count, place) == content.count)
        #expect(environment.lastTransactionID == number)
        return number
    }

    @Test func theNextWriterTakesItBackBeforeItChangesAnything() throws {
        let number = try leaveHeader()
        #expect(try environment.value(1, in: objects) == [4])
        #expect(throws: Refused.self) {
            try environment.write { transaction in
                #expect(transaction.transactionID == number)
                #expect(environment.lastTransactionID == number - 1)
                throw Refused()
            }
        }
        #expect(environment.lastTransactionID == number - 1)
        try write(5)
        #expect(environment.lastTransactionID == number)
        #expect(try environment.value(1, in: objects) == [5])
        try environment.verifyPages()
    }

    /// The other process may die in the middle of its write.
    @Test func soDoesAnotherProcess() async throws {
        let number = try leaveHeader()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = scratch.path() as String] in
            let environment = try Environment.open(at: path, options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            try environment.write { transaction in
                try transaction.put([6], for: 1, in: objects)
                _ = kill(getpid(), SIGKILL)
            }
        }
        #expect(environment.lastTransactionID == number - 1)
        #expect(try environment.value(1, in: objects) == [4])
        try write(5)
        #expect(try environment.value(1, in: objects) == [5])
    }
}
