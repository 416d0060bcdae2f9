// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LMDB

/// Environments that are no files.
@Suite struct MemoryTests {
    private func open(
        _ change: (inout EnvironmentOptions) -> Void = { _ in }
    ) throws -> Environment {
        var options = testOptions(change)
        options.durability = .none
        return try Environment.openInMemory(options: options)
    }

    private func linkTarget(_ environment: Environment) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(environment.descriptor)")
    }

    @Test func eachIsOneOfItsOwn() throws {
        let (first, second) = (try open(), try open())
        #expect(first !== second)
        let objects = try first.database("objects", .integerKey)
        let others = try second.database("objects", .integerKey)
        try first.write { try $0.put([1], for: 1, in: objects) }
        #expect(try first.value(1, in: objects) == [1])
        #expect(try second.value(1, in: others) == nil)
    }

    @Test func thereIsNoNameForIt() throws {
        let environment = try open()
        #expect(environment.path == "(memory)")
        let target = try linkTarget(environment)
        #expect(target.hasPrefix("/memfd:lode") && target.hasSuffix("(deleted)"))
        let named = (0..<256).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        #expect(!named.contains { $0.contains("/lode-") && $0.hasSuffix("/data") })
    }

    /// As where the system has no files of memory.
    @Test func withoutFilesOfMemoryTheNamesAreGone() throws {
        let environment = try Environment.openInMemory(
            options: testOptions { $0.durability = .none }, mayUseMemoryFiles: false)
        let objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put([1], for: 1, in: objects) }
        #expect(try environment.value(1, in: objects) == [1])
        let target = try linkTarget(environment)
        #expect(target.hasSuffix(" (deleted)"))
        let folder = (target as NSString).deletingLastPathComponent
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func itGrowsAndKeepsOldStates() throws {
        let environment = try open { $0.initialMapSizeBytes = 128 << 10 }
        let objects = try environment.database("objects", .integerKey)
        let fill = { (value: UInt8) in
            try environment.write { transaction in
                for key in 0..<2000 as Range<UInt64> {
                    try transaction.put(
                        [UInt8](repeating: value, count: 500), for: key, in: objects)
                }
            }
        }
        try fill(1)
        let snapshot = try environment.makeSnapshot()
        snapshot.parkHandler = nil
        #expect(environment.info.fileSizeBytes > 1 << 20)
        // Pages that the snapshot reads are not used again.
        let count = try snapshot.entryCount(objects)
        try environment.write { transaction in
            for key in 0..<100 as Range<UInt64> { try transaction.delete(key, in: objects) }
        }
        for value in 2...5 as ClosedRange<UInt8> {
            do { try fill(value) } catch let error as LMDBError where error.code == .snapshotInUse {
                break
            }
        }
        #expect(try snapshot.entryCount(objects) == count)
        for key in 0..<2000 as Range<UInt64> {
            #expect(try snapshot.get(key, in: objects)?.allSatisfy { $0 == 1 } == true)
        }
        snapshot.reset()
        for value in 6...8 as ClosedRange<UInt8> { try fill(value) }
        #expect(try environment.value(7, in: objects)?.first == 8)
        try environment.verifyPages()
    }

    @Test func itIsCopiedIntoAFile() throws {
        let scratch = try Scratch()
        let environment = try open()
        let objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put([1], for: 1, in: objects) }
        try environment.copy(to: scratch.path())
        let copy = try scratch.environment()
        #expect(try copy.value(1, in: copy.database("objects", .integerKey)) == [1])
    }

    @Test func itsDescriptorsAreClosed() throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for _ in 0..<300 { _ = try open() }
        let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        // Other tests open files as well.
        #expect(after < before + 200)
    }
}
