// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

/// A store of some size that is closed again.
private func makeStore(_ path: String) throws {
    let store = try openStore(path, FilmModel.sample(), .fast.unsealed)
    try store.write { save in
        for number in 0..<300 {
            try save.insert("Film", ["title": .string("Film \(number)"), "year": .integer16(1)])
        }
    }
}

private func contents(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
}

@Suite struct RefusalTests {
    @Test func foreignLMDBFile() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/foreign.mdb"
            try RawFile(path).put([1], for: [2], in: "theirs")
            let before = try contents(path)
            let error = refusal(path, try FilmModel.sample())
            #expect(error?.code == .notAStore)
            #expect(
                error?.description
                    == "\(path): this is an LMDB file, but no Lode store; choose another file")
            #expect(try contents(path) == before)
        }
    }

    @Test func foreignFileWithAMetaDatabase() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/foreign.mdb"
            try RawFile(path).put([1], for: [2], in: "meta")
            let error = refusal(path, try FilmModel.sample())
            #expect(error?.code == .notAStore)
            #expect(
                error?.message
                    == "the file has no \"lode\" entry; it is no Lode store or was not written "
                    + "completely")
            try RawFile(path).setMeta("lode", Array("MINE and other bytes".utf8))
            #expect(
                refusal(path)?.message
                    == "this is an LMDB file, but no Lode store; choose another file")
        }
    }

    @Test func databaseWithOtherFlags() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/foreign.mdb"
            try RawFile(path).put([1], for: [2], in: "meta", [.dupSort])
            let error = refusal(path, try FilmModel.sample())
            #expect(error?.code == .storage)
            #expect(error?.storageCode == LMDBError.Code.incompatible.rawValue)
        }
    }

    @Test func filesThatAreNoLMDBFiles() throws {
        try withTemporaryDirectory { directory in
            let cases: [(String, Data, LMDBError.Code)] = [
                ("short", Data("text".utf8), .foreign),
                ("long", Data(repeating: 0x61, count: 50_000), .foreign),
                ("zeros", Data(count: 50_000), .foreign),
            ]
            for (name, data, code) in cases {
                let path = "\(directory)/\(name)"
                try data.write(to: URL(fileURLWithPath: path))
                let error = refusal(path, try FilmModel.sample())
                #expect(error?.code == .storage, "\(name)")
                #expect(error?.storageCode == code.rawValue, "\(name)")
                #expect(try contents(path) == data, "\(name)")
            }
        }
    }

    /// Without a model nothing could be created in it; with one it is as good as a missing file.
    @Test func aFileOfNoBytes() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try Data().write(to: URL(fileURLWithPath: path))
            let error = refusal(path, nil)
            #expect(error?.storageCode == LMDBError.Code.truncated.rawValue)
            #expect(try contents(path) == Data())
            #expect(refusal(path, try FilmModel.sample()) == nil)
            #expect(refusal(path, nil) == nil)
        }
    }

    @Test func truncatedFile() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try makeStore(path)
            let whole = try contents(path)
            #expect(whole.count > 65_536)
            for count in [1, 100, 4_096, 5_000, 8_192, 12_288, whole.count / 2] {
                let cut = "\(directory)/cut\(count).lode"
                try whole.prefix(count).write(to: URL(fileURLWithPath: cut))
                let error = refusal(cut, try FilmModel.sample())
                #expect(error?.code == .storage, "\(count) bytes")
            }
        }
    }

    @Test func newerFormats() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try makeStore(path)
            var header = try #require(try RawFile(path).meta("lode"))
            // A newer writer that old readers may read, with more fields than we know.
            header[4] = 23
            try RawFile(path).setMeta("lode", header + [7, 7])
            #expect(refusal(path) == nil)
            header[6] = 23
            try RawFile(path).setMeta("lode", header)
            let before = try contents(path)
            let error = refusal(path, try FilmModel.sample())
            #expect(error?.code == .newerFormat)
            #expect(
                error?.message
                    == "the store has format 23, this library reads up to format 22; use a newer "
                    + "version of Lode")
            #expect(try contents(path) == before)
        }
    }

    @Test func incompatibleModel() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try makeStore(path)
            let before = try contents(path)
            let error = refusal(path, try FilmModel.rich())
            #expect(error?.code == .incompatibleModel)
            #expect(
                error?.message
                    == "the model differs from the store's in Film, Person; open the store with "
                    + "the model it was written with")
            #expect(try contents(path) == before)
        }
    }

    @Test func missingDatabase() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try makeStore(path)
            try RawFile(path).setMeta("catalog", Self.catalogWithIndexNumber(9, of: path))
            var options = StoreOptions.fast
            options.isReadOnly = true
            let error = refusal(path, nil, options)
            #expect(error?.code == .damaged)
            #expect(error?.message.hasPrefix("database x.9 is missing; restore the file") == true)
        }
    }

    /// The catalog of the sample model with another number of the index `byYear`.
    private static func catalogWithIndexNumber(
        _ number: UInt8, of path: String
    ) throws -> [UInt8] {
        var bytes = try #require(try RawFile(path).meta("catalog"))
        let name = Array("Film.byYear(year,title)".utf8)
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: name) })
        bytes[place + name.count] = number
        bytes[6] = 10
        return bytes
    }
}

@Suite struct DamagedCatalogTests {
    @Test func eachPrefixIsRefused() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try makeStore(path)
            for name in ["lode", "model", "catalog"] {
                let bytes = try #require(try RawFile(path).meta(name))
                for count in stride(from: 0, to: bytes.count, by: name == "lode" ? 1 : 7) {
                    try RawFile(path).setMeta(name, Array(bytes.prefix(count)))
                    let code = refusal(path)?.code
                    let isMagicCut = name == "lode" && count < 4
                    #expect(
                        code == (isMagicCut ? .notAStore : .damaged), "\(count) bytes of \(name)")
                }
                try RawFile(path).setMeta(name, bytes)
            }
            #expect(refusal(path) == nil)
        }
    }

    @Test func trailingBytesAreRefused() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try makeStore(path)
            let bytes = try #require(try RawFile(path).meta("catalog"))
            try RawFile(path).setMeta("catalog", bytes + [0])
            #expect(
                refusal(path)?.message == "1 bytes follow the end of the catalog" + damagedAdvice)
        }
    }

    @Test func twoEntitiesOfOneNumberAreRefused() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try makeStore(path)
            var bytes = try #require(try RawFile(path).meta("catalog"))
            let name = Array("Person".utf8)
            let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
            #expect(bytes[place + 6] == 2)
            bytes[place + 6] = 1
            try RawFile(path).setMeta("catalog", bytes)
            let error = refusal(path)
            #expect(error?.code == .damaged)
            #expect(
                error?.message == "the catalog gives a number twice, or one above 3" + damagedAdvice
            )
        }
    }

    @Test func layoutThatIsNotTheModelsIsRefused() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try makeStore(path)
            var bytes = try #require(try RawFile(path).meta("catalog"))
            // The type of the last layout's only field: string becomes boolean.
            let type = bytes.count - 3
            #expect(bytes[type...].starts(with: [0xBC, 0x02]))
            bytes.replaceSubrange(type..<type + 2, with: [0x20, 0x03])
            try RawFile(path).setMeta("catalog", bytes)
            #expect(
                refusal(path)?.message == "the catalog lacks numbers for entity Person"
                    + damagedAdvice)
        }
    }

    @Test func randomDamageNeverCrashes() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try makeStore(path)
            var random = SeededGenerator(seed: 51)
            for round in 0..<150 {
                let name = round.isMultiple(of: 3) ? "model" : "catalog"
                let bytes = try #require(try RawFile(path).meta(name))
                var damaged = bytes
                for _ in 0...random.next() % 3 {
                    damaged[Int(random.next() % UInt64(bytes.count))] =
                        random.pick([0, 1, 2, 3, 0x7F, 0xFF, UInt8(random.next() % 256)])
                }
                try RawFile(path).setMeta(name, damaged)
                var options = StoreOptions.fast
                options.isReadOnly = true
                if let store = try? openStore(path, nil, options) {
                    for table in store.tables {
                        _ = try? store.makeSnapshot().objects(table.entity.name)
                    }
                }
                try RawFile(path).setMeta(name, bytes)
            }
            #expect(refusal(path) == nil)
        }
    }

    @Test func damagedRecords() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try makeStore(path)
            let row: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
            for (record, count) in [
                ([UInt8](repeating: 0, count: 5), 5), ([1] + Array(repeating: 0, count: 14), 15),
                ([9] + Array(repeating: 0, count: 99), 100),
            ] {
                try RawFile(path).put(record, for: row, in: "o.1", .integerKey)
                let store = try openStore(path, nil)
                let snapshot = try store.makeSnapshot()
                let error = storeError {
                    _ = try snapshot.record(row: 1, in: store.table("Film"))
                }
                #expect(error?.code == .damaged)
                #expect(
                    error?.message
                        == "row 1 of Film has \(count) bytes that do not fit layout 1; restore the "
                        + "file from a copy")
                #expect(storeError { _ = try snapshot.objects("Film") }?.code == .damaged)
            }
        }
    }
}
