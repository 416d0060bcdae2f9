// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing
import _TestSupport

/// Files that are wrong on purpose: they are refused before LMDB reads, and believes, a page.
@Suite struct HostilePageTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private static let specs = [
        DatabaseSpec(name: "o.1", flags: .integerKey), DatabaseSpec(name: "blobs"),
        DatabaseSpec(name: "r.1", flags: [.integerKey, .dupSort, .dupFixed, .integerDup]),
        DatabaseSpec(name: "s.1", flags: [.integerKey, .dupSort, .dupFixed]),
        DatabaseSpec(name: "x.1", flags: [.dupSort, .dupFixed, .integerDup]),
        DatabaseSpec(name: "plain", flags: [.dupSort]),
    ]

    /// Trees of two levels, large values, keys with few and with many values, and free pages.
    private static func fill(_ scratch: Scratch) throws {
        let environment = try scratch.environment()
        let opened = try environment.databases(specs).compactMap { $0 }
        for round in 0..<3 as Range<UInt64> {
            try environment.write { (txn) throws in
                for key in 1..<300 as Range<UInt64> {
                    let count = key % 50 == 0 ? 9_000 : Int(key % 60)
                    let value = [UInt8](repeating: UInt8(round), count: count + 1)
                    try txn.put(value, for: key + round * 150, in: opened[0])
                    try txn.put(value, for: "name \(key % 90) \(round)", in: opened[1])
                    let owner = key % 40 == 0 ? key : 1 + key % 2
                    try txn.put(key + round * 1_000, for: owner, in: opened[2])
                    try txn.put(pair(key, round), for: owner, in: opened[3])
                    try txn.put(key, for: Array("key \(key % 30)".utf8), in: opened[4])
                    let text = Array("value \(key) of \(round)".utf8)
                    try txn.put(text, for: "key \(key % 7)", in: opened[5])
                }
            }
            try environment.write { (txn) throws in
                for key in 1..<100 as Range<UInt64> { _ = try txn.delete(key, in: opened[0]) }
            }
        }
    }

    private static func pair(_ first: UInt64, _ second: UInt64) -> [UInt8] {
        withUnsafeBytes(of: (first.bigEndian, second)) { Array($0) }
    }

    /// A file with some bytes of its newest header changed.
    private func header(
        _ name: String, at offset: Int, _ change: (inout UInt64) -> Void
    ) throws -> LMDBError.Code? {
        let page = 4_096
        var data = try Data(contentsOf: URL(fileURLWithPath: scratch.path()))
        let numbers = [144, page + 144].map { data.number(at: $0) }
        let newest = numbers[1] > numbers[0] ? page : 0
        var number = data.number(at: newest + offset)
        change(&number)
        let place = newest + offset..<newest + offset + 8
        withUnsafeBytes(of: number) { data.replaceSubrange(place, with: $0) }
        try data.write(to: URL(fileURLWithPath: scratch.path(name)))
        return errorCode { try scratch.environment(name).verifyPages() }
    }

    @Test func aHeaderOfTheOtherPageIsRefused() throws {
        try Self.fill(scratch)
        #expect(try header("same", at: 144) { _ in } == nil)
        // LMDB would take the other page, which is of the commit before.
        #expect(try header("next", at: 144) { $0 += 1 } == .corrupted)
        // The free list knows the number.
        #expect(try header("later", at: 144) { $0 += 2 } == .corrupted)
    }

    @Test(arguments: [1 << 62, 1 << 63, .max, .max - 1] as [UInt64])
    func aNumberThatCannotBeCountedOnIsRefused(number: UInt64) throws {
        try Self.fill(scratch)
        #expect(try header("huge", at: 144) { $0 = number | $0 & 1 } == .corrupted)
    }

    @Test(arguments: [44, 92]) func treesOfAnotherKindAreRefused(offset: Int) throws {
        try Self.fill(scratch)
        for bit in 1..<7 as Range<UInt64> {
            #expect(try header("flag \(bit)", at: offset) { $0 ^= 1 << bit } == .corrupted)
        }
    }

    @Test func headersOfTwoPageSizesAreRefused() throws {
        try Self.fill(scratch)
        #expect(try header("size", at: 40) { $0 += 4_096 } == .corrupted)
    }

    /// LMDB leaves a large value where it is when a smaller one replaces it before the commit.
    @Test func aLargeValueMayHaveMorePagesThanItNeeds() throws {
        let environment = try scratch.environment()
        let blobs = try environment.database("blobs")
        for size in [20_000, 9_000, 10] {
            try environment.write { (txn) throws in
                try txn.put([UInt8](repeating: 1, count: 60_000), for: "a", in: blobs)
                try txn.put([UInt8](repeating: 2, count: size), for: "a", in: blobs)
            }
            try environment.verifyPages()
        }
    }

    /// What the check accepts is read and written by LMDB without a signal.
    @Test(arguments: 0..<4) func nothingThatIsAcceptedEndsTheProcess(batch: Int) async throws {
        let current = scratch.path("current")
        let seed: UInt64 = 77
        await #expect(processExitsWith: .success) {
            [current = current as String, seed = seed as UInt64, batch = batch as Int] in
            let scratch = try Scratch()
            try HostilePageTests.fill(scratch)
            let whole = Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path())))
            let mutator = FileMutator(whole, seed: seed)
            var accepted = 0
            for number in batch * 250..<(batch + 1) * 250 {
                let mutant = mutator.mutant(number)
                let name = "mutant \(number)"
                try Data("\(number): \(mutant.story)".utf8).write(
                    to: URL(fileURLWithPath: current))
                try Data(mutant.bytes).write(to: URL(fileURLWithPath: scratch.path(name)))
                alarm(60)
                if try HostilePageTests.use(scratch, name) { accepted += 1 }
                alarm(0)
                try FileManager.default.removeItem(atPath: scratch.path(name))
            }
            #expect(accepted > 30)
            try Data("done".utf8).write(to: URL(fileURLWithPath: current))
        }
        let last = try String(contentsOfFile: current, encoding: .utf8)
        #expect(last == "done", "seed \(seed), copy \(last)")
    }

    /// Reads and changes all of a file that the check accepts; returns whether it does.
    static func use(_ scratch: Scratch, _ name: String) throws -> Bool {
        guard let environment = try? scratch.environment(name),
            (try? environment.verifyPages()) != nil,
            let opened = try? environment.databases(specs, createMissing: false).compactMap({ $0 })
        else { return false }
        do {
            try environment.read { (txn) throws in
                for database in opened { try walk(database, txn) }
            }
            for round in 0..<3 as Range<UInt64> {
                try environment.write { (txn) throws in
                    for database in opened { try change(database, round, txn) }
                }
                try environment.verifyPages()
            }
        } catch is LMDBError {}
        return true
    }

    private static func walk(_ database: Database, _ txn: borrowing ReadTransaction) throws {
        let cursor = try txn.makeCursor(database)
        var entry = try cursor.first()
        var count = 0
        while let current = entry {
            count += Int(current.value.first ?? 0) + Int(current.key.last ?? 0)
            entry = try cursor.next()
        }
        guard database.flags.contains(.dupFixed) else { return }
        var key = try cursor.first().map { Array($0.key) }
        while let present = key {
            var page = try present.withUnsafeBytes { try cursor.firstMultiple($0) }
            while let bytes = page {
                count += bytes.reduce(0) { $0 + Int($1) }
                page = try cursor.nextMultiple()
            }
            key = try cursor.nextKey().map { Array($0.key) }
        }
    }

    private static func change(
        _ database: Database, _ round: UInt64, _ txn: borrowing WriteTransaction
    ) throws {
        let isInteger = database.flags.contains(.integerKey)
        for key in stride(from: 1 + round, to: 400, by: 3) {
            if isInteger {
                _ = try txn.delete(key, in: database)
            } else {
                _ = try txn.delete(Array("key \(key % 30)".utf8), in: database)
                _ = try txn.delete(Array("name \(key % 90) \(round)".utf8), in: database)
            }
        }
        for key in 1..<200 as Range<UInt64> {
            let value =
                database.flags.contains(.integerDup)
                ? withUnsafeBytes(of: key) { Array($0) } : pair(key, round)
            if isInteger {
                try txn.put(value, for: key % 20 + round, in: database)
            } else {
                try txn.put(value, for: Array("key \(key % 20)".utf8), in: database)
            }
        }
    }
}

extension Data {
    fileprivate func number(at offset: Int) -> UInt64 {
        self[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
