// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing

@Suite struct RegistryTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test func theSamePathSharesOneEnvironment() throws {
        let first = try scratch.environment()
        let second = try scratch.environment()
        #expect(first === second)
    }

    @Test func hardAndSymbolicLinksShareOneEnvironment() throws {
        let first = try scratch.environment()
        let manager = FileManager.default
        try manager.linkItem(atPath: scratch.path(), toPath: scratch.path("hard"))
        try manager.createSymbolicLink(
            atPath: scratch.path("soft"), withDestinationPath: scratch.path())
        try manager.createSymbolicLink(
            atPath: scratch.path("folder"), withDestinationPath: scratch.folder)
        #expect(try scratch.environment("hard") === first)
        #expect(try scratch.environment("soft") === first)
        #expect(try scratch.environment("folder/data.lode") === first)
    }

    @Test func aSymbolicLinkUsesTheLockFileOfItsTarget() throws {
        do { _ = try scratch.environment() }
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("soft"), withDestinationPath: scratch.path())
        let environment = try scratch.environment("soft")
        #expect(environment.path.hasSuffix("/data.lode"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("soft-lock")))
    }

    @Test func otherOptionsAreRefused() throws {
        let first = try scratch.environment()
        let changes: [(inout EnvironmentOptions) -> Void] = [
            { $0.isReadOnly = true }, { $0.isImmutable = true }, { $0.durability = .none },
            { $0.maxReaders = 2000 }, { $0.dataBudgetBytes = 1 << 20 },
        ]
        for change in changes {
            let code = errorCode { _ = try scratch.environment("data.lode", change) }
            #expect(code == .incompatibleOptions)
        }
        for count in [10, 1_000] {
            #expect(try scratch.environment { $0.maxDatabases = count } === first)
        }
    }

    @Test func aReaderMayAcceptAWritableEnvironment() throws {
        let reading: (inout EnvironmentOptions) -> Void = {
            ($0.isReadOnly, $0.acceptsWritable, $0.durability) = (true, true, .none)
        }
        do {
            let first = try scratch.environment()
            #expect(try scratch.environment("data.lode", reading) === first)
        }
        // Not the other way round: who writes needs an environment that can.
        let second = try scratch.environment("data.lode", reading)
        #expect(second.isReadOnly)
        let code = errorCode { _ = try scratch.environment() }
        #expect(code == .incompatibleOptions)
    }

    @Test func theLastReferenceCloses() throws {
        do {
            let first = try scratch.environment()
            let objects = try first.database("objects", .integerKey)
            try first.write { try $0.put([1], for: 1, in: objects) }
        }
        let second = try scratch.environment { $0.maxDatabases = 1000 }
        let objects = try second.database("objects", .integerKey)
        #expect(try second.value(1, in: objects) == [1])
    }

    @Test func aSnapshotKeepsItsEnvironmentOpen() throws {
        var snapshot: Snapshot?
        let objects: Database
        do {
            let environment = try scratch.environment()
            objects = try environment.database("objects", .integerKey)
            try environment.write { try $0.put([1], for: 1, in: objects) }
            snapshot = try environment.makeSnapshot()
        }
        #expect(try snapshot?.get(1, in: objects).map { Array($0) } == [1])
        #expect(errorCode { _ = try scratch.environment { $0.isReadOnly = true } } != nil)
        snapshot = nil
        _ = try scratch.environment { $0.isReadOnly = true }
    }

    @Test func aReplacedFileIsRefusedWhileTheOldOneIsOpen() throws {
        do { _ = try scratch.environment("new") }
        var old: Environment? = try scratch.environment()
        try FileManager.default.removeItem(atPath: scratch.path())
        try FileManager.default.moveItem(atPath: scratch.path("new"), toPath: scratch.path())
        let code = errorCode { _ = try scratch.environment() }
        #expect(code == .replacedWhileOpen)
        #expect(old != nil)
        old = nil
        _ = try scratch.environment()
    }

    @Test func openingFromManyThreadsSharesOneEnvironment() async throws {
        let path = scratch.path()
        for _ in 0..<10 {
            await withTaskGroup(of: Environment?.self) { group in
                for _ in 0..<8 {
                    group.addTask { try? Environment.open(at: path, options: testOptions()) }
                }
                var all: [Environment] = []
                for await environment in group { environment.map { all.append($0) } }
                #expect(all.count == 8)
                #expect(all.allSatisfy { $0 === all[0] })
            }
        }
    }
}
