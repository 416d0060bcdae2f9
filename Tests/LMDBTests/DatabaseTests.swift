// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing

@Suite struct DatabaseTests {
    let scratch: Scratch
    let environment: Environment

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment { $0.maxDatabases = 4 }
    }

    @Test func opensExistingDatabasesAndCreatesMissingOnes() throws {
        let specs = [DatabaseSpec(name: "a", flags: .integerKey), DatabaseSpec(name: "b")]
        #expect(try environment.databases(specs, createMissing: false) == [nil, nil])
        let made = try environment.databases(specs)
        let commit = environment.lastTransactionID
        #expect(made.count == 2)
        #expect(made[0] != nil)
        #expect(made[0] != made[1])
        #expect(try environment.databases(specs) == made)
        #expect(environment.lastTransactionID == commit)
        #expect(try environment.databaseNames() == ["a", "b"])
    }

    @Test func opensWithoutAWriteAfterReopening() throws {
        let specs = [DatabaseSpec(name: "a", flags: .integerDup), DatabaseSpec(name: "b")]
        let other = try Scratch()
        do { _ = try other.environment().databases(specs) }
        let environment = try other.environment()
        let commit = environment.lastTransactionID
        let found = try environment.databases(specs)
        #expect(found[0]?.flags == [.dupSort, .dupFixed, .integerDup])
        #expect(environment.lastTransactionID == commit)
    }

    @Test func refusesOtherFlags() throws {
        _ = try environment.database("a", .integerKey)
        let open = error { _ = try environment.database("a", .dupSort) }
        #expect(open?.code == .incompatible)
        #expect(open?.message.contains("\"a\"") == true)
        let other = try Scratch()
        do { _ = try other.environment().database("a", .integerKey) }
        let closed = try other.environment()
        #expect(errorCode { _ = try closed.database("a") } == .incompatible)
        #expect(try closed.database("a", .integerKey).flags == .integerKey)
    }

    @Test func refusesMoreDatabasesThanAllowed() throws {
        let specs = (0..<5).map { DatabaseSpec(name: "db\($0)") }
        #expect(errorCode { _ = try environment.databases(specs) } == .databasesFull)
        #expect(try environment.databases(Array(specs.prefix(4))).count == 4)
    }

    @Test func aRunningSnapshotLearnsOfNewDatabasesWhenRenewed() throws {
        let snapshot = try environment.makeSnapshot()
        let objects = try environment.database("objects", .integerKey)
        #expect(errorCode { _ = try snapshot.get(1, in: objects) } != nil)
        try snapshot.renew()
        #expect(try snapshot.get(1, in: objects) == nil)
    }

    @Test func opensFromManyThreads() async throws {
        let scratch = try Scratch()
        let environment = try scratch.environment()
        let specs = (0..<20).map { DatabaseSpec(name: "db\($0)", flags: .integerKey) }
        let all = await withTaskGroup(of: [Database?].self) { group in
            for _ in 0..<8 { group.addTask { (try? environment.databases(specs)) ?? [] } }
            var all: [[Database?]] = []
            for await found in group { all.append(found) }
            return all
        }
        #expect(all.allSatisfy { $0 == all[0] })
        #expect(all[0].count == 20)
        #expect(Set(all[0].compactMap { $0 }).count == 20)
    }
}
