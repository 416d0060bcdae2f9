// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing

/// Other processes: an exit test runs its body in one.
@Suite struct ProcessTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// Begins a read transaction and dies without ending it.
    private func leaveAStaleReader() async {
        let path = scratch.path()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let environment = try Environment.open(at: path, options: testOptions())
            let snapshot = try environment.makeSnapshot()
            withExtendedLifetime(snapshot) { _ = kill(getpid(), SIGKILL) }
        }
    }

    /// Writes two megabytes from another process.
    private func growElsewhere() async {
        let path = scratch.path()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(at: path, options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            try environment.write { (txn) throws in
                for key in 1...500 as ClosedRange<UInt64> {
                    try txn.put([UInt8](repeating: 1, count: 3000), for: key, in: objects)
                }
            }
        }
    }

    private func smallEnvironment() throws -> (Environment, Database) {
        let environment = try scratch.environment { $0.initialMapSizeBytes = 128 << 10 }
        return (environment, try environment.database("objects", .integerKey))
    }

    @Test func readsWhatAnotherProcessGrew() async throws {
        let (environment, objects) = try smallEnvironment()
        let before = environment.lastTransactionID
        await growElsewhere()
        #expect(environment.lastTransactionID > before)
        #expect(try environment.value(500, in: objects)?.count == 3000)
        #expect(environment.info.mapSizeBytes >= environment.info.usedBytes)
    }

    @Test func writesAfterAnotherProcessGrew() async throws {
        let (environment, objects) = try smallEnvironment()
        await growElsewhere()
        try environment.write { try $0.put([1], for: 501, in: objects) }
        #expect(try environment.read { try $0.entryCount(objects) } == 501)
    }

    @Test func renewsASnapshotAfterAnotherProcessGrew() async throws {
        let (environment, objects) = try smallEnvironment()
        let snapshot = try environment.makeSnapshot()
        #expect(try snapshot.entryCount(objects) == 0)
        await growElsewhere()
        try snapshot.renew()
        #expect(try snapshot.entryCount(objects) == 500)
    }

    @Test func anActiveSnapshotHoldsAGrownMapBack() async throws {
        let (environment, objects) = try smallEnvironment()
        let snapshot = try environment.makeSnapshot()
        await growElsewhere()
        #expect(errorCode { _ = try environment.value(1, in: objects) } == .snapshotInUse)
        #expect(errorCode { _ = try environment.makeSnapshot() } == .snapshotInUse)
        #expect(errorCode { try environment.write { _ in } } == .snapshotInUse)
        #expect(try snapshot.entryCount(objects) == 0)
        snapshot.reset()
        #expect(try environment.value(1, in: objects)?.count == 3000)
    }

    @Test func clearsStaleReadersWhenOpening() async throws {
        do { _ = try scratch.environment() }
        await leaveAStaleReader()
        let environment = try scratch.environment()
        #expect(try environment.clearStaleReaders() == 0)
    }

    @Test func clearsStaleReadersWhenAsked() async throws {
        let environment = try scratch.environment()
        await leaveAStaleReader()
        #expect(try environment.clearStaleReaders() == 1)
        #expect(try environment.clearStaleReaders() == 0)
    }

    /// Without clearing, the dead reader would pin every page and fill the budget.
    @Test func clearsStaleReadersBeforeReportingFull() async throws {
        let environment = try scratch.environment {
            $0.dataBudgetBytes = 1 << 20
            $0.durability = .none
        }
        let objects = try environment.database("objects", .integerKey)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path() as String] in
            let options = testOptions {
                $0.dataBudgetBytes = 1 << 20
                $0.durability = .none
            }
            let snapshot = try Environment.open(at: path, options: options).makeSnapshot()
            withExtendedLifetime(snapshot) { _ = kill(getpid(), SIGKILL) }
        }
        for round in 0..<100 as Range<UInt64> {
            try environment.write { (txn) throws in
                try txn.put([UInt8](repeating: 1, count: 50_000), for: round % 2, in: objects)
            }
        }
        #expect(environment.info.mapSizeBytes == 1 << 20)
    }

    @Test func aWriterThatDiesLosesOnlyItsOwnChanges() async throws {
        let environment = try scratch.environment()
        let objects = try environment.database("objects", .integerKey)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path() as String] in
            let environment = try Environment.open(at: path, options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            try environment.write { try $0.put([1], for: 1, in: objects) }
            try environment.write { (txn) throws in
                try txn.put([2], for: 1, in: objects)
                _ = kill(getpid(), SIGKILL)
            }
        }
        #expect(try environment.value(1, in: objects) == [1])
        try environment.write { try $0.put([3], for: 1, in: objects) }
        #expect(try environment.value(1, in: objects) == [3])
    }

    @Test func aForkedChildMayNotUseItsParentsEnvironment() async {
        await #expect(processExitsWith: .success) { try forkAndCheck() }
    }
}

/// Forks; the child checks that it is refused, and that it may open the file itself.
private func forkAndCheck() throws {
    let scratch = try Scratch()
    let environment = try scratch.environment()
    let objects = try environment.database("objects", .integerKey)
    var snapshot: Snapshot? = try environment.makeSnapshot()
    // Swift hides fork, since a child with one thread can do little; this one does little.
    typealias Fork = @convention(c) () -> Int32
    let symbol = try #require(dlsym(nil, "fork"))
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
        let codes = [
            errorCode { _ = try environment.value(1, in: objects) },
            errorCode { try environment.write { _ in } },
            errorCode { _ = try environment.makeSnapshot() },
            errorCode { try snapshot?.renew() },
            errorCode { try environment.sync() },
        ]
        snapshot = nil
        let own = try? scratch.environment()
        let opened = own != nil && own !== environment
        _exit(codes.allSatisfy { $0 == .forked } && opened ? 0 : 1)
    }
    var status: Int32 = 0
    #expect(waitpid(child, &status, 0) == child)
    #expect(status == 0)
    #expect(try environment.clearStaleReaders() >= 0)
    #expect(try snapshot?.get(1, in: objects) == nil)
    #expect(snapshot?.isActive == true)
    try environment.write { try $0.put([1], for: 1, in: objects) }
    #expect(try environment.value(1, in: objects) == [1])
    if status != 0 { exit(1) }
}
