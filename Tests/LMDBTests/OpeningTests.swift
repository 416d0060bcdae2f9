// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing
import _TestSupport

@Suite struct OpeningTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func contents() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: scratch.path()))
    }

    private func write(_ data: Data) throws {
        try data.write(to: URL(fileURLWithPath: scratch.path()))
    }

    /// Fills the file with a few hundred pages and closes it.
    private func fill() throws {
        let environment = try scratch.environment()
        let objects = try environment.database("objects", .integerKey)
        try environment.write { (txn) throws in
            for key in 0..<2000 as Range<UInt64> {
                try txn.put([UInt8](repeating: 1, count: 500), for: key, in: objects)
            }
        }
    }

    @Test func createsAMissingFileWithItsLockFile() throws {
        let environment = try scratch.environment()
        #expect(environment.pageSizeBytes >= 4096)
        #expect(FileManager.default.fileExists(atPath: scratch.path("data.lode-lock")))
        #expect(environment.info.fileSizeBytes == 2 * environment.pageSizeBytes)
    }

    @Test func doesNotCreateWhenAskedNotTo() throws {
        for change in [{ $0.createsIfMissing = false }, { $0.isReadOnly = true }]
            as [(inout EnvironmentOptions) -> Void]
        {
            let error = error { _ = try scratch.environment("data.lode", change) }
            #expect(error?.code == .init(rawValue: 2))
            #expect(error?.message.contains("Check the path") == true)
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path()))
        #expect(errorCode { _ = try scratch.environment("no/data.lode") } == .init(rawValue: 2))
    }

    @Test func refusesADanglingLink() throws {
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path(), withDestinationPath: scratch.path("gone"))
        #expect(errorCode { _ = try scratch.environment() } == .init(rawValue: 2))
    }

    @Test func refusesForeignFiles() throws {
        var random = SeededGenerator(seed: 4)
        for count in [1, 100, 152, 4096, 20_000] {
            try write(Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }))
            #expect(errorCode { _ = try scratch.environment() } == .foreign, "\(count) bytes")
        }
        #expect(errorCode { _ = try Environment.open(at: scratch.folder) } == .init(rawValue: 21))
    }

    @Test func refusesATruncatedFileAtEveryLength() throws {
        try fill()
        let whole = try contents()
        for pages in stride(from: 1, to: whole.count / 4096, by: 7) {
            try write(whole.prefix(pages * 4096))
            #expect(errorCode { _ = try scratch.environment() } == .truncated, "\(pages) pages")
        }
        try write(whole.prefix(whole.count - 1))
        #expect(errorCode { _ = try scratch.environment() } == .truncated)
        try write(whole)
        _ = try scratch.environment()
    }

    @Test func refusesANewerFormat() throws {
        try fill()
        var data = try contents()
        data[20] = 2
        try write(data)
        #expect(errorCode { _ = try scratch.environment() } == .versionMismatch)
    }

    @Test func refusesAnImpossibleHeader() throws {
        try fill()
        let whole = try contents()
        for (offset, value) in [(40, 0), (40, 3), (16, 0), (10, 0), (4096 + 16, 1)] {
            var data = whole
            data[offset] = UInt8(value)
            if offset == 40 { data[41] = 0 }
            try write(data)
            #expect(errorCode { _ = try scratch.environment() } == .foreign, "byte \(offset)")
        }
        var data = whole
        for meta in [0, 4096] { for byte in 136..<144 { data[meta + byte] = 0xFF } }
        try write(data)
        #expect(errorCode { _ = try scratch.environment() } == .foreign)
    }

    /// Pages that a transaction takes and frees again are never written.
    @Test func acceptsAHealthyFileThatIsShorterThanItsLastPage() throws {
        do {
            let environment = try scratch.environment()
            let objects = try environment.database("objects", .integerKey)
            for round in 0..<6 as Range<UInt64> {
                try environment.write { try $0.put([1], for: round, in: objects) }
            }
            try environment.write { (txn) throws in
                let value = [UInt8](repeating: 1, count: 1 << 20)
                for key in 10..<20 as Range<UInt64> { try txn.put(value, for: key, in: objects) }
                for key in 10..<20 as Range<UInt64> { try txn.delete(key, in: objects) }
            }
            #expect(environment.info.usedBytes > environment.info.fileSizeBytes)
        }
        do {
            let environment = try scratch.environment()
            let objects = try environment.database("objects", .integerKey)
            #expect(try environment.read { try $0.entryCount(objects) } == 6)
        }
        let whole = try contents()
        try write(whole.prefix(whole.count - 4096))
        #expect(errorCode { _ = try scratch.environment() } == .truncated)
    }

    /// A healthy file is never refused, whatever was done to it.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func acceptsEveryHealthyFile(seed: UInt64) throws {
        struct Undo: Error {}
        var random = SeededGenerator(seed: seed)
        for round in 0..<15 {
            let environment = try scratch.environment { $0.durability = .none }
            let objects = try environment.database("objects", .integerKey)
            do {
                try environment.write { (txn) throws in
                    for _ in 0..<60 {
                        let key = UInt64.random(in: 0..<100, using: &random)
                        let size = Int.random(in: 0..<30_000, using: &random)
                        if Bool.random(using: &random) {
                            try txn.put([UInt8](repeating: 2, count: size), for: key, in: objects)
                        } else {
                            try txn.delete(key, in: objects)
                        }
                    }
                    if Int.random(in: 0..<4, using: &random) == 0 { try txn.removeAll(objects) }
                    if Int.random(in: 0..<4, using: &random) == 0 { throw Undo() }
                }
            } catch is Undo {}
            #expect(round >= 0, "seed \(seed)")
        }
    }

    @Test func readsOnlyWhenAskedTo() throws {
        try fill()
        let environment = try scratch.environment { $0.isReadOnly = true }
        #expect(environment.isReadOnly)
        let found = try environment.databases([
            DatabaseSpec(name: "objects", flags: .integerKey), DatabaseSpec(name: "missing"),
        ])
        #expect(found[0] != nil)
        #expect(found[1] == nil)
        #expect(errorCode { try environment.write { _ in } } == .readOnly)
        #expect(errorCode { try environment.sync() } == .readOnly)
    }

    @Test func readsAnImmutableFileWithoutALockFile() throws {
        try fill()
        try FileManager.default.removeItem(atPath: scratch.path("data.lode-lock"))
        let environment = try scratch.environment { $0.isImmutable = true }
        let spec = DatabaseSpec(name: "objects", flags: .integerKey)
        let objects = try #require(try environment.databases([spec])[0])
        #expect(try environment.value(1999, in: objects)?.count == 500)
        let snapshot = try environment.makeSnapshot()
        #expect(try snapshot.entryCount(objects) == 2000)
        #expect(errorCode { try environment.write { _ in } } == .readOnly)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("data.lode-lock")))
    }

    @Test func reservesLessWhereTheSystemRefuses() throws {
        let environment = try scratch.environment { $0.addressSpaceBytes = 1 << 60 }
        #expect(environment.info.mapSizeBytes >= 1 << 30)
        #expect(environment.info.mapSizeBytes < 1 << 48)
    }
}
