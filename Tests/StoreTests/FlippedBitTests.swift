// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing
import _TestSupport

@testable import Store

/// Single bits that change in a closed file, which is then opened with all checks.
@Suite struct FlippedBitTests {
    /// What became of the flips in the entries of one kind.
    struct Counts: Equatable {
        /// Opening or reading the file threw an error.
        var found = 0
        /// The file says what it said before.
        var unchanged = 0
        /// The file says something else, and no check noticed.
        var silent = 0
    }

    private typealias Kind = (name: String, databases: [(String, DatabaseFlags)])

    private func kinds(_ store: Store) throws -> [Kind] {
        func links(
            _ entity: String, _ relationship: String, _ letter: String = "r"
        ) throws -> (String, DatabaseFlags) {
            let table = try #require(store.table(entity).relationship(named: relationship))
            let flags: DatabaseFlags = [.integerKey, .dupSort, .dupFixed]
            return (
                "\(letter).\(table.number.rawValue)",
                letter == "r" ? flags.union(.integerDup) : flags
            )
        }
        let entries: DatabaseFlags = [.dupSort, .dupFixed, .integerDup]
        return [
            ("meta", [("meta", [])]),
            ("records", (1...3).map { ("o.\($0)", .integerKey) }),
            ("large values", [("blobs", [])]),
            ("ordered links", [try links("Album", "tracks", "s")]),
            ("mutual links", [try links("Album", "artists"), try links("Artist", "albums")]),
            ("one-way links", [try links("Artist", "favourites")]),
            ("indexes", [("x.1", entries), ("x.2", entries)]),
            ("components", [("components", entries)]),
            ("owners", [("owners", .integerKey)]),
            ("history", [("history", .integerKey)]),
        ]
    }

    /// Where in the file the keys and values of a database lie.
    private func places(_ path: String, _ name: String, _ flags: DatabaseFlags) throws -> [Int] {
        var options = EnvironmentOptions()
        options.maxDatabases = 64
        options.durability = .none
        let environment = try Environment.open(at: path, options: options)
        let spec = DatabaseSpec(name: name, flags: flags)
        let database = try #require(
            try environment.databases([spec], createMissing: false)[0], "\(name)")
        var offsets: Set<Int> = []
        try environment.read { transaction in
            let cursor = try transaction.makeCursor(database)
            while let entry = try cursor.next() {
                for bytes in [entry.key, entry.value] {
                    guard let start = bytes.baseAddress else { continue }
                    // Each page begins with its number, and so do the pages of a large value.
                    let inPage = Int(bitPattern: start) % environment.pageSizeBytes
                    let page = (start - inPage).loadUnaligned(as: UInt64.self)
                    let offset = Int(page) * environment.pageSizeBytes + inPage
                    offsets.formUnion(offset..<offset + bytes.count)
                }
            }
        }
        return offsets.sorted()
    }

    /// Flips bits spread over all bytes of a kind, at most 80.
    private func flip(
        _ data: Data, _ places: [Int], _ folder: String, _ expected: [String]
    ) throws -> Counts {
        var counts = Counts()
        let bits = places.count * 8
        for bit in stride(from: 0, to: bits, by: max(1, bits / 80) | 1) {
            var damaged = data
            damaged[places[bit / 8]] ^= 1 << UInt8(bit % 8)
            let path = "\(folder)/flipped.lode"
            try damaged.write(to: URL(fileURLWithPath: path))
            var options = StoreOptions.fast
            options.isReadOnly = true
            options.verification = .records
            do {
                let store = try openStore(path, nil, options)
                if try FlippedBitModel.contents(store) == expected {
                    counts.unchanged += 1
                } else {
                    counts.silent += 1
                }
            } catch {
                #expect(error is StoreError)
                counts.found += 1
            }
            try FileManager.default.removeItem(atPath: path)
        }
        return counts
    }

    /// The flips of all kinds in a file of a version.
    private func counts(_ options: StoreOptions) throws -> [String: Counts] {
        try withTemporaryDirectory { folder in
            let path = folder + "/whole.lode"
            try FlippedBitModel.fill(path, options)
            let kinds = try self.kinds(openStore(path, nil, options))
            let places = try kinds.map { kind in
                try kind.databases.flatMap { try self.places(path, $0, $1) }
            }
            let expected = try FlippedBitModel.contents(openStore(path, nil, options))
            try openStore(path, nil, options).verifyContents()
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            var result: [String: Counts] = [:]
            for (kind, places) in zip(kinds, places) {
                result[kind.name] = try flip(data, places, folder, expected)
            }
            return result
        }
    }

    @Test func noFlippedBitIsReadSilently() throws {
        var found = try counts(.tracking)
        // Nothing else in the file says where such a link leads.
        let oneWay = try #require(found["one-way links"])
        found["one-way links"] = nil
        #expect(oneWay.silent <= 12, "\(oneWay)")
        for (kind, counts) in found {
            #expect(counts.silent == 0, "\(kind): \(counts)")
            #expect(counts.found + counts.unchanged > 60, "\(kind): \(counts)")
        }
    }

    /// Files of earlier versions have no seals; what is there twice is compared all the same.
    @Test func earlierVersionsAreComparedToo() throws {
        let found = try counts(.tracking.unsealed)
        for kind in ["records", "ordered links", "mutual links", "indexes", "components"] {
            #expect(found[kind]?.silent == 0, "\(kind): \(found)")
        }
    }
}
