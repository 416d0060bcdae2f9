// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

/// Sizes and counts that are wrong in pages which nobody has checked: each is an error when it is
/// read.
@Suite struct DamagedSizeTests {
    private static let indexFlags: DatabaseFlags = [.dupSort, .dupFixed, .integerDup]

    /// Makes films of some years, changes bytes near a key of a database and opens the file again.
    ///
    /// - Parameters:
    ///   - keys: The places of the keys among those of the database.
    ///   - change: What is written how far behind the first byte of each.
    private func withDamage(
        _ films: [Int16], _ name: (EntityTable) -> String, _ flags: DatabaseFlags, keys: [Int],
        _ change: (number: UInt64, offset: (_ keySize: Int) -> Int),
        width: Int, _ body: (Store, EntityTable) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            do {
                let store = try openStore(path, FilmModel.rich())
                try store.write { save in
                    for year in films { try save.insert("Film", ["year": .integer16(year)]) }
                }
            }
            let number = try name(openStore(path, FilmModel.rich()).table("Film"))
            let places = try places(path, number, flags)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for key in keys {
                let start = places[key].start + change.offset(places[key].count)
                for byte in 0..<width {
                    bytes[start + byte] = UInt8(truncatingIfNeeded: change.number >> (8 * byte))
                }
            }
            try bytes.write(to: URL(fileURLWithPath: path))
            let store = try openStore(path, FilmModel.rich())
            try body(store, try store.table("Film"))
        }
    }

    /// Where in the file the keys of a database lie.
    private func places(
        _ path: String, _ name: String, _ flags: DatabaseFlags
    ) throws -> [(start: Int, count: Int)] {
        var options = EnvironmentOptions()
        options.maxDatabases = 64
        let environment = try Environment.open(at: path, options: options)
        let spec = DatabaseSpec(name: name, flags: flags)
        let database = try #require(try environment.databases([spec], createMissing: false)[0])
        return try environment.read { transaction in
            let cursor = try transaction.makeCursor(database)
            var places: [(start: Int, count: Int)] = []
            while let entry = try cursor.nextKey() {
                let start = try #require(entry.key.baseAddress)
                // Each page begins with its number.
                let inPage = Int(bitPattern: start) % environment.pageSizeBytes
                let page = (start - inPage).loadUnaligned(as: UInt64.self)
                places.append((Int(page) * environment.pageSizeBytes + inPage, entry.key.count))
            }
            return places
        }
    }

    private static let all = IndexRange(lower: [], upper: nil)

    @Test(arguments: [0, 7, 9] as [UInt64]) func values_of_an_index(size: UInt64) throws {
        try withDamage(
            [1, 2, 3], { "x.\($0.indexes[0].number.rawValue)" }, Self.indexFlags, keys: [1],
            (size, { _ in -8 }), width: 2
        ) { store, films in
            let snapshot = try store.makeSnapshot()
            let index = films.indexes[0]
            for (isReversed, objectsDescend) in [(false, false), (true, true), (false, true)] {
                let error = storeError {
                    try snapshot.scan(
                        index, Self.all, isReversed: isReversed, objectsDescend: objectsDescend
                    ) { _ in true }
                }
                #expect(error?.code == .damaged)
                #expect(
                    error?.message.hasPrefix("an entry of the index byYear has a value of ")
                        == true)
            }
            let error = storeError {
                try snapshot.forEachKeyRun(index, [Self.all], of: films, objectsDescend: false) {
                    _, _, _ in true
                }
            }
            #expect(error?.code == .damaged)
        }
    }

    @Test(arguments: [0, 4, 9] as [UInt64]) func keys_of_records(size: UInt64) throws {
        try withDamage(
            [1, 2, 3], { "o.\($0.number.rawValue)" }, .integerKey, keys: [1],
            (size, { _ in -2 }), width: 2
        ) { store, _ in
            let error = storeError { _ = try store.makeSnapshot().objects("Film") }
            #expect(error?.code == .damaged)
        }
    }

    @Test(arguments: [1 << 62, .max, 0, 701] as [UInt64])
    func counts_of_the_objects_of_a_key(count: UInt64) throws {
        let years = (0..<700).map { Int16($0 % 2) }
        try withDamage(
            years, { "x.\($0.indexes[0].number.rawValue)" }, Self.indexFlags, keys: [0, 1],
            (count, { $0 + 32 }), width: 8
        ) { store, films in
            let snapshot = try store.makeSnapshot()
            let index = films.indexes[0]
            var keys: [[UInt8]] = []
            for year in [0, 1] as [Int16] {
                var key = IndexKey()
                key.append(.integer16(year))
                key.append(.null)
                keys.append(key.bytes)
            }
            let error = storeError {
                _ = try snapshot.count(
                    index, keys: keys.map { IndexRange(lower: $0, upper: nil) })
            }
            #expect(error?.code == .damaged)
        }
    }
}
