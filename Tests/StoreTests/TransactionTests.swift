// SPDX-License-Identifier: Apache-2.0

import Schema
import Store
import Testing
import _TestSupport

private struct Stop: Error {}

@Suite struct TransactionTests {
    private static func withPath(_ body: (String) throws -> Void) throws {
        try withTemporaryDirectory { try body($0 + "/a.lode") }
    }

    @Test func throwingBodyLeavesNothing() throws {
        try Self.withPath { path in
            let store = try openStore(path, FilmModel.rich())
            let key = try store.write { try $0.insert("Film", ["year": .integer16(1)]) }
            let last = store.lastTransactionID
            let films = try #require(store.table("Person").relationship(named: "films"))
            #expect(throws: Stop.self) {
                try store.write { save in
                    let person = try save.insert("Person", ["name": .string("Ida")])
                    try save.insert("Film", ["year": .integer16(2)])
                    try save.update(
                        key,
                        [
                            "year": .integer16(3),
                            "poster": .binaryData([UInt8](repeating: 1, count: 9_999)),
                        ])
                    save.link(person, to: key, films)
                    try save.putComponent(
                        data: key, owner: ComponentOwner(component: key, gameObject: person))
                    try save.setMetadata([1], for: "x")
                    throw Stop()
                }
            }
            #expect(store.lastTransactionID == last)
            let snapshot = try store.makeSnapshot()
            #expect(try snapshot.objects("Film").keys.sorted() == [key])
            #expect(try snapshot.values(key)?["year"] == .integer16(1))
            #expect(try snapshot.objects("Person").isEmpty)
            #expect(try snapshot.scan("Film", 0) == [key])
            #expect(try snapshot.owner(ofData: key) == nil)
            #expect(try RawFile(path).entries("blobs") == [])
            #expect(
                try RawFile(path).entries("meta").map { String(decoding: $0.key, as: UTF8.self) }
                    == ["catalog", "lode", "model", "row/1"])
        }
    }

    @Test func rowsAreNeverReused() throws {
        try Self.withPath { path in
            let first = try openStore(path, FilmModel.rich()).write { save in
                (try save.insert("Film", [:]), try save.insert("Film", [:]))
            }
            #expect(first.0.row == 1 && first.1.row == 2)
            try openStore(path, nil).write { try $0.delete(first.1) }
            let store = try openStore(path, nil)
            let second = try store.write { try $0.insert("Film", [:]) }
            #expect(second.row == 3)
            try store.write { save in
                try save.delete(first.0)
                try save.delete(second)
                #expect(try save.insert("Film", [:]).row == 4)
            }
            #expect(try store.makeSnapshot().objects("Film").keys.map(\.row) == [4])
            #expect(try openStore(path, nil).write { try $0.insert("Film", [:]) }.row == 5)
        }
    }

    @Test func rowsComeInBlocks() throws {
        try Self.withPath { path in
            let store = try openStore(path, FilmModel.rich())
            try store.write { save in
                let films = try save.allocateRows(100, in: store.table("Film"))
                let another = try save.allocateRows(1, in: store.table("Film"))
                let persons = try save.allocateRows(5, in: store.table("Person"))
                #expect(films == 1 && another == 101 && persons == 1)
            }
        }
    }

    @Test(arguments: [(1 << 47) - 1, 1 << 47, .max] as [UInt64])
    func rowsRunOut(next: UInt64) throws {
        try Self.withPath { path in
            let store = try openStore(path, FilmModel.rich(), .fast.unsealed)
            try RawFile(path).setMeta(
                "row/1", (0..<8).map { UInt8(truncatingIfNeeded: next >> UInt64(8 * $0)) })
            let error = storeError { try store.write { _ = try $0.insert("Film", [:]) } }
            #expect(error?.code == .storage)
            #expect(
                error?.message
                    == "entity Film has used up its 140737488355328 rows; export the data into a "
                    + "new store")
        }
    }

    @Test func damagedRowCounter() throws {
        try Self.withPath { path in
            let store = try openStore(path, FilmModel.rich(), .fast.unsealed)
            try RawFile(path).setMeta("row/1", [1, 0, 0])
            let error = storeError { try store.write { _ = try $0.insert("Film", [:]) } }
            #expect(error?.code == .damaged)
            #expect(error?.message == "the entry \"row/1\" of meta is no u64" + damagedAdvice)
        }
    }

    @Test func rowsInAnyOrder() throws {
        try Self.withPath { path in
            let store = try openStore(path, FilmModel.rich())
            let number = try store.table("Film").number
            try store.write { save in
                _ = try save.allocateRows(10, in: store.table("Film"))
                for row in [5, 9, 2, 10, 1] as [UInt64] {
                    let key = ObjectKey(entity: number, row: row)
                    try save.insert(key, ["year": .integer16(Int16(row))])
                }
            }
            let snapshot = try store.makeSnapshot()
            #expect(try snapshot.scan("Film", 0).map(\.row) == [1, 2, 5, 9, 10])
            #expect(try snapshot.objects("Film").count == 5)
        }
    }

    @Test func takenRowIsAConflict() throws {
        try Self.withPath { path in
            let store = try openStore(path, FilmModel.rich())
            let key = try store.write { try $0.insert("Film", ["year": .integer16(1)]) }
            let error = storeError {
                try store.write { try $0.insert(key, ["year": .integer16(2)]) }
            }
            #expect(error?.code == .conflict)
            #expect(error?.objects == [key])
            #expect(
                error?.message
                    == "row 1 of Film is taken; give new objects rows that allocateRows reserved")
            #expect(try store.makeSnapshot().values(key)?["year"] == .integer16(1))
        }
    }

    @Test func deletingWhatIsGone() throws {
        try Self.withPath { path in
            let store = try openStore(path, FilmModel.rich())
            let key = try store.write { try $0.insert("Film", [:]) }
            try store.write { try $0.delete(key) }
            try store.write { save in
                try save.delete(key)
                #expect(try save.record(for: key, in: store.table("Film")) == nil)
            }
        }
    }

    @Test func transactionMustNotEscape() async {
        await #expect(processExitsWith: .failure) {
            try Self.withPath { path in
                let save = try openStore(path, FilmModel.rich()).write { $0 }
                _ = save.transactionID
            }
        }
    }

    @Test func transactionKnowsItsNumber() throws {
        try Self.withPath { path in
            let store = try openStore(path, FilmModel.rich())
            let number = try store.write { save in
                try save.setMetadata([], for: "x")
                return save.transactionID
            }
            #expect(number == store.lastTransactionID)
        }
    }
}
