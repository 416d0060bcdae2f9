// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing

@Suite struct CopyTests {
    let scratch: Scratch
    let environment: Environment
    let objects: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment()
        objects = try environment.database("objects", .integerKey)
        try environment.write { (txn) throws in
            for key in 0..<500 as Range<UInt64> {
                try txn.put([UInt8](repeating: 1, count: 3000), for: key, in: objects)
            }
        }
        try environment.write { (txn) throws in
            for key in 1..<500 as Range<UInt64> { try txn.delete(key, in: objects) }
        }
    }

    @Test func copiesEverythingButFreePages() throws {
        try environment.copy(to: scratch.path("copy"))
        let copy = try scratch.environment("copy")
        let copied = try copy.database("objects", .integerKey)
        #expect(try copy.value(0, in: copied)?.count == 3000)
        #expect(try copy.read { try $0.entryCount(copied) } == 1)
        #expect(copy.info.fileSizeBytes < 40_000)
    }

    @Test func doesNotOverwrite() throws {
        let target = scratch.path("copy")
        try Data([1]).write(to: URL(fileURLWithPath: target))
        let error = error { try environment.copy(to: target) }
        #expect(error?.code == .init(rawValue: 17))
        #expect(error?.path == target)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data([1]))
        #expect(errorCode { try environment.copy(to: scratch.path("no/copy")) } != nil)
    }

    @Test(arguments: [0o600, 0o440] as [Int16])
    func aCopyIsForThoseWhoMayReadTheFile(mode: Int16) throws {
        let manager = FileManager.default
        try manager.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: scratch.path())
        try environment.copy(to: scratch.path("copy"))
        let found = try manager.attributesOfItem(atPath: scratch.path("copy"))[.posixPermissions]
        #expect((found as? NSNumber)?.int16Value == mode | 0o600)
    }

    @Test(arguments: [Durability.full, .relaxed, .none])
    func everyDurabilityCommits(durability: Durability) throws {
        try environment.write(durability: durability) { try $0.put([9], for: 9, in: objects) }
        #expect(try environment.value(9, in: objects) == [9])
        try environment.write { try $0.put([8], for: 9, in: objects) }
        #expect(try environment.value(9, in: objects) == [8])
    }

    @Test func aFileBuiltAsideIsSyncedAndRenamed() throws {
        do {
            let aside = try scratch.environment("aside") { $0.durability = .none }
            let objects = try aside.database("objects", .integerKey)
            try aside.write { try $0.put([5], for: 5, in: objects) }
            try aside.sync()
        }
        try FileManager.default.moveItem(
            atPath: scratch.path("aside"), toPath: scratch.path("final"))
        let final = try scratch.environment("final")
        #expect(try final.value(5, in: final.database("objects", .integerKey)) == [5])
    }

    @Test func reportsItsState() throws {
        let info = environment.info
        #expect(info.mapSizeBytes == 1 << 30)
        #expect(info.usedBytes >= 500 * 4096)
        #expect(info.lastTransactionID == environment.lastTransactionID)
        #expect(info.maxReaders == 1024)
        #expect(info.fileSizeBytes > 1_500_000)
        #expect(try environment.clearStaleReaders() == 0)
    }
}
