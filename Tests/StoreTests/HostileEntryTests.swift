// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

/// Entries that are wrong on purpose, in healthy pages: each is an error when it is read.
@Suite struct HostileEntryTests {
    private static func bytes(_ numbers: UInt64...) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    }

    /// A store of a film with a poster outside its record and a director.
    private static func withStore(
        history: Bool = false,
        _ body: (Store, RawFile, (film: ObjectKey, person: ObjectKey)) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            // Without seals, which would tell of each of them before.
            var options = StoreOptions.fast.unsealed
            if history { options.history = HistoryOptions(processID: "1", bundleID: "films") }
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.rich(), options)
            let keys = try store.write { save in
                let person = try save.insert("Person", ["name": .string("Ida")])
                let film = try save.insert(
                    "Film",
                    [
                        "poster": .binaryData([UInt8](repeating: 1, count: 70_000)),
                        "director": .objectID(person),
                    ])
                return (film: film, person: person)
            }
            try body(store, RawFile(path), keys)
        }
    }

    @Test func chunksOfAnotherSize() throws {
        try Self.withStore { store, raw, keys in
            let name = try #require(try raw.entries("blobs").first?.key)
            for size in [0, 1, 65_519, 65_521] {
                try raw.put([UInt8](repeating: 1, count: size), for: name, in: "blobs")
                let error = storeError { _ = try store.makeSnapshot().values(keys.film) }
                #expect(error?.code == .damaged, "\(size) bytes")
            }
        }
    }

    @Test(arguments: [0, 1 << 47, 1 << 48, 3 << 48 | 1, .max] as [UInt64])
    func rowsThatCannotBe(row: UInt64) throws {
        try Self.withStore { store, raw, keys in
            let name = "o.\(keys.person.entity.rawValue)"
            let record = try #require(try raw.entries(name, .integerKey).first?.value)
            try raw.put(record, for: Self.bytes(row), in: name, .integerKey)
            let error = storeError { _ = try store.makeSnapshot().objects("Person") }
            #expect(error?.code == .damaged)
            let saving = storeError {
                try store.write { try $0.forEachRecord(in: store.table("Person")) { _, _ in } }
            }
            #expect(saving?.code == .damaged)
        }
    }

    @Test(arguments: [0, 1 << 47, 1 << 48, 3 << 48 | 1, .max] as [UInt64])
    func newIndexesOfRowsThatCannotBe(row: UInt64) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let number = try {
                let store = try openStore(path, FilmModel.rich(indexes: []))
                try store.write { _ = try $0.insert("Film", ["year": .integer16(1977)]) }
                return try store.table("Film").number.rawValue
            }()
            try {
                let raw = try RawFile(path)
                let name = "o.\(number)"
                let record = try #require(try raw.entries(name, .integerKey).first?.value)
                try raw.put(record, for: Self.bytes(row), in: name, .integerKey)
            }()
            #expect(refusal(path, try FilmModel.rich())?.code == .damaged)
        }
    }

    @Test(arguments: [1 << 47, 1 << 48, 3 << 48 | 1, .max] as [UInt64])
    func nothingIsInsertedBehindRowsThatCannotBe(row: UInt64) throws {
        try Self.withStore { store, raw, keys in
            let name = "o.\(keys.person.entity.rawValue)"
            let record = try #require(try raw.entries(name, .integerKey).first?.value)
            try raw.put(record, for: Self.bytes(row), in: name, .integerKey)
            let error = storeError {
                _ = try store.write { try $0.insert("Person", ["name": .string("Eva")]) }
            }
            #expect(error?.code == .damaged)
            #expect(error?.message.hasPrefix("Person has a row \(row), which cannot be") == true)
        }
    }

    @Test func nothingIsInsertedBehindRowZero() throws {
        try Self.withStore { store, raw, keys in
            let name = "o.\(keys.person.entity.rawValue)"
            let record = try #require(try raw.entries(name, .integerKey).first?.value)
            try raw.delete(Self.bytes(1), in: name, .integerKey)
            try raw.put(record, for: Self.bytes(0), in: name, .integerKey)
            let error = storeError {
                _ = try store.write { try $0.insert("Person", ["name": .string("Eva")]) }
            }
            #expect(error?.code == .damaged)
        }
    }

    @Test func destinationsOfAnotherEntity() throws {
        try Self.withStore { store, raw, keys in
            let films = try #require(try store.table("Person").relationship(named: "films"))
            let name = "r.\(films.number.rawValue)"
            let flags: DatabaseFlags = [.integerKey, .dupSort, .dupFixed, .integerDup]
            for wrong in [keys.person.rawValue, 0x7000_0000_0000_0001, .max] {
                try raw.put(
                    Self.bytes(wrong), for: Self.bytes(keys.person.rawValue), in: name, flags)
                let error = storeError {
                    _ = try store.makeSnapshot().destinations(of: keys.person, films)
                }
                #expect(error?.code == .damaged, "\(wrong)")
            }
        }
    }

    @Test(arguments: [0, 1 << 47, .max] as [UInt64]) func rowCounters(next: UInt64) throws {
        try Self.withStore { store, raw, keys in
            try raw.setMeta("row/\(keys.person.entity.rawValue)", Self.bytes(next))
            let error = storeError {
                _ = try store.write { try $0.insert("Person", ["name": .string("Eva")]) }
            }
            #expect(error?.code == (next == 0 ? .damaged : .storage))
        }
    }

    @Test func firstTransactionsOfTheHistory() throws {
        try Self.withStore(history: true) { store, raw, _ in
            #expect(try store.historyRange()?.last == 1)
            for first in [0, 3, .max] as [UInt64] {
                try raw.setMeta("history", Self.bytes(first))
                #expect(storeError { _ = try store.historyRange() }?.code == .damaged, "\(first)")
                #expect(
                    storeError { _ = try store.historyNumber(at: 0) }?.code == .damaged,
                    "\(first)")
            }
        }
    }

    @Test func theLastTransactionOfTheHistory() throws {
        try Self.withStore(history: true) { store, raw, _ in
            let entry = try #require(try raw.entries("history", .integerKey).first?.value)
            try raw.put(entry, for: Self.bytes(.max), in: "history", .integerKey)
            #expect(storeError { _ = try store.historyRange() }?.code == .damaged)
            #expect(storeError { try store.purgeHistory(before: 5) }?.code == .damaged)
            let error = storeError {
                _ = try store.write { try $0.insert("Person", ["name": .string("Eva")]) }
            }
            #expect(error?.code == .damaged)
        }
    }

    @Test(arguments: [.max, 1 << 62, 1 << 61] as [UInt64]) func theEpoch(number: UInt64) throws {
        try Self.withStore { store, raw, _ in
            try raw.setMeta("epoch", Self.bytes(number))
            let error = refusal(store.path, try FilmModel.rich(indexes: []))
            #expect(error?.code == (number == 1 << 61 ? nil : .damaged), "\(number)")
        }
    }
}
