// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

@Suite struct SnapshotTests {
    private static func withStore(_ body: (Store) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            try body(try openStore(directory + "/a.lode", FilmModel.rich()))
        }
    }

    @Test func oldSnapshotsSeeOldValues() throws {
        try Self.withStore { store in
            let key = try store.write { try $0.insert("Person", ["name": .string("Ida")]) }
            let old = try store.makeSnapshot()
            let record = try #require(try old.record(for: key))
            let bytes = Array(record.bytes)
            #expect(!old.isOutdated)
            for round in 0..<20 {
                try store.write { save in
                    try save.update(key, ["name": .string("Name \(round)")])
                    try save.insert("Person", ["name": .string("Other \(round)")])
                    #expect(try old.values(key) == ["name": .string("Ida")])
                }
            }
            #expect(old.isOutdated)
            #expect(try old.values(key) == ["name": .string("Ida")])
            #expect(try old.count(of: store.table("Person")) == 1)
            #expect(Array(record.bytes) == bytes)
            let new = try store.makeSnapshot()
            #expect(try new.values(key) == ["name": .string("Name 19")])
            #expect(try new.record(for: key)?.version == 21)
            #expect(new.transactionID == old.transactionID + 20)
            #expect(new.transactionID == store.lastTransactionID)
        }
    }

    @Test func moving() throws {
        try Self.withStore { store in
            let snapshot = try store.makeSnapshot()
            let key = try store.write { try $0.insert("Person", ["name": .string("Ida")]) }
            #expect(try snapshot.values(key) == nil)
            try snapshot.move()
            #expect(!snapshot.isOutdated)
            #expect(try snapshot.values(key) == ["name": .string("Ida")])
            try snapshot.move()
            #expect(try snapshot.values(key) == ["name": .string("Ida")])
        }
    }

    @Test func parking() throws {
        try Self.withStore { store in
            let key = try store.write { try $0.insert("Person", ["name": .string("Ida")]) }
            let snapshot = try store.makeSnapshot()
            #expect(snapshot.isActive)
            snapshot.park()
            #expect(!snapshot.isActive)
            #expect(storeError { _ = try snapshot.record(for: key) }?.code == .storage)
            try snapshot.move()
            #expect(snapshot.isActive)
            #expect(try snapshot.values(key) == ["name": .string("Ida")])
        }
    }

    @Test func unknownEntities() throws {
        try Self.withStore { store in
            let snapshot = try store.makeSnapshot()
            for number in [UInt16(0), 3, 500, .max] {
                let key = ObjectKey(entity: EntityNumber(rawValue: number), row: 1)
                #expect(store.ordinal(of: key.entity) == nil)
                #expect(try snapshot.record(for: key) == nil)
            }
            #expect(store.table(named: "Song") == nil)
        }
    }

    @Test func scansCanStop() throws {
        try Self.withStore { store in
            try store.write { save in
                for year in 0..<10 { try save.insert("Film", ["year": .integer16(Int16(year))]) }
            }
            let snapshot = try store.makeSnapshot()
            let index = try store.table("Film").indexes[0]
            var rows: [UInt64] = []
            try snapshot.scan(index, IndexRange(lower: [], upper: nil)) { key in
                rows.append(key.row)
                return rows.count < 3
            }
            #expect(rows == [1, 2, 3])
            let range = IndexRange(
                lower: IndexKey([.integer16(3)]).bytes, upper: IndexKey([.integer16(6)]).bytes)
            #expect(try snapshot.scan("Film", 0, range).map(\.row) == [4, 5, 6])
            #expect(
                try snapshot.scan("Film", 0, range, isReversed: true).map(\.row) == [6, 5, 4])
            let above = IndexRange(lower: IndexKey([.integer16(8)]).bytes, upper: nil)
            #expect(try snapshot.scan("Film", 0, above).map(\.row) == [9, 10])
            #expect(try snapshot.scan("Film", 0, above, isReversed: true).map(\.row) == [10, 9])
            let none = IndexRange(prefix: IndexKey([.integer16(99)]))
            #expect(try snapshot.scan("Film", 0, none).isEmpty)
            #expect(try snapshot.scan("Film", 0, none, isReversed: true).isEmpty)
        }
    }
}
