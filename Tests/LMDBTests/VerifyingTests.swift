// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing
import _TestSupport

@Suite struct VerifyingTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private let specs = [
        DatabaseSpec(name: "objects", flags: .integerKey), DatabaseSpec(name: "names"),
        DatabaseSpec(name: "links", flags: [.integerKey, .dupSort, .dupFixed, .integerDup]),
        DatabaseSpec(name: "ranks", flags: [.integerKey, .dupSort, .dupFixed]),
        DatabaseSpec(name: "index", flags: [.dupSort]),
    ]

    /// Values of all sizes, keys with few and many values, and free pages of several commits.
    private func fill() throws {
        let environment = try scratch.environment()
        let opened = try environment.databases(specs).compactMap { $0 }
        for round in 0..<3 as Range<UInt64> {
            try environment.write { (txn) throws in
                for key in 1..<600 as Range<UInt64> {
                    let count = key % 50 == 0 ? 9_000 : Int(key % 100)
                    try txn.put(
                        [UInt8](repeating: UInt8(round), count: count + 1), for: key + round * 300,
                        in: opened[0])
                    try txn.put([1, 2], for: "name \(key % 40) \(round)", in: opened[1])
                    let owner = key % 50 == 0 ? key : 1 + key % 3
                    try txn.put(key + round * 1_000, for: owner, in: opened[2])
                }
            }
            try environment.write { (txn) throws in
                for key in 1..<200 as Range<UInt64> { _ = try txn.delete(key, in: opened[0]) }
            }
        }
    }

    @Test func acceptsHealthyFiles() throws {
        try scratch.environment().verifyPages()
        try fill()
        let environment = try scratch.environment()
        try environment.verifyPages()
        try environment.copy(to: scratch.path("compact"))
        try scratch.environment("compact").verifyPages()
    }

    @Test func findsDamageOfEveryPageHeader() throws {
        try fill()
        let file = URL(fileURLWithPath: scratch.path())
        let whole = try Data(contentsOf: file)
        let page = try scratch.environment().pageSizeBytes
        var refused = 0
        // The position of the page's kind: no page in use may be of another.
        for offset in stride(from: 2 * page + 10, to: whole.count, by: page) {
            var data = whole
            data[offset] ^= 0x40
            let name = "flipped \(offset)"
            try data.write(to: URL(fileURLWithPath: scratch.path(name)))
            let error = error { try scratch.environment(name).verifyPages() }
            if let error {
                #expect(error.code == .corrupted)
                #expect(error.message.contains("page \(offset / page)"), "\(error)")
                refused += 1
            }
            try FileManager.default.removeItem(atPath: scratch.path(name))
        }
        // The others are free, or the later pages of large values.
        #expect(refused > 20)
    }

    @Test func survivesRandomDamage() throws {
        try fill()
        let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.path()))
        var random = SeededGenerator(seed: 11)
        var refused = 0
        for round in 0..<300 {
            var data = whole
            for _ in 0..<8 {
                let offset = Int.random(in: 8_192..<data.count, using: &random)
                // Mostly in headers and tables of positions.
                data[offset & ~0xFFF | Int.random(in: 0..<64, using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            }
            try data.write(to: URL(fileURLWithPath: scratch.path("random \(round)")))
            let code = errorCode { try scratch.environment("random \(round)").verifyPages() }
            if code == .corrupted { refused += 1 }
            #expect(code == nil || code == .corrupted)
            try FileManager.default.removeItem(atPath: scratch.path("random \(round)"))
        }
        #expect(refused > 200)
    }
}
