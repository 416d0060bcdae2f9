// SPDX-License-Identifier: Apache-2.0

import LMDB
import Schema
import Store
import Testing
import _TestSupport

private let byYear = Index(name: "byYear", properties: ["year", "title"])
private let byRating = Index(name: "byRating", properties: ["rating"])

/// Writes films of the years 1900 + n and ratings −n.
private func addFilms(_ numbers: Range<Int>, to store: Store) throws {
    try store.write { save in
        for number in numbers {
            try save.insert(
                "Film",
                ["year": .integer16(Int16(1_900 + number)), "rating": .double(Double(-number))])
        }
    }
}

@Suite struct ModelChangeTests {
    @Test func numbersAreStable() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let schema = try FilmModel.rich()
            func numbers(_ store: Store) -> [String] {
                store.tables.map { table in
                    "\(table.number.rawValue) \(table.layout.number)"
                        + table.layout.fields.map { " \($0.number.rawValue)" }.joined()
                        + table.relationships.map { " r\($0.number.rawValue)" }.joined()
                        + table.indexes.map { " x\($0.number.rawValue)" }.joined()
                }
            }
            let expected = ["1 32769 5 4 3 1 2 r5 x1 x2", "2 32770 6 r7"]
            #expect(numbers(try openStore(path, schema)) == expected)
            #expect(numbers(try openStore(path, nil)) == expected)
            // Another order of description, and classes, change no number.
            let reordered = try Schema(
                entities: schema.entities.reversed().map { entity in
                    var entity = entity
                    entity.attributes.reverse()
                    entity.className = "Lode\(entity.name)"
                    return entity
                })
            let store = try openStore(path, reordered)
            #expect(numbers(store) == expected)
            #expect(store.schema == reordered)
            #expect(try openStore(path, nil).schema == reordered)
        }
    }

    @Test func indexIsBuiltWhenAModelGainsIt() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try addFilms(0..<50, to: openStore(path, FilmModel.rich(indexes: [])))
            let store = try openStore(path, FilmModel.rich(indexes: [byYear, byRating]))
            let snapshot = try store.makeSnapshot()
            #expect(try snapshot.scan("Film", 0).map(\.row) == Array(1...50))
            #expect(try snapshot.scan("Film", 1).map(\.row) == Array(1...50).reversed())
            try addFilms(50..<60, to: store)
            try snapshot.move()
            #expect(try snapshot.scan("Film", 0).map(\.row) == Array(1...60))
        }
    }

    @Test func indexThatComesBackIsBuiltAnew() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try addFilms(0..<10, to: openStore(path, FilmModel.rich(indexes: [byYear])))
            let without = try openStore(path, FilmModel.rich(indexes: []), .dropping)
            #expect(try RawFile(path).entries("x.1", [.dupSort, .dupFixed, .integerDup]) == [])
            try addFilms(10..<20, to: without)
            try without.write {
                try $0.delete(ObjectKey(entity: EntityNumber(rawValue: 1), row: 3))
            }
            let store = try openStore(path, FilmModel.rich(indexes: [byYear]))
            #expect(try store.table("Film").indexes[0].number.rawValue == 2)
            let rows = try store.makeSnapshot().scan("Film", 0).map(\.row)
            #expect(rows == [1, 2] + Array(4...20))
        }
    }

    @Test func changedExternalStorageKeepsRecordsReadable() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let poster = Value.binaryData([1, 2, 3])
            let key = try openStore(path, FilmModel.rich(), .fast.unsealed).write {
                try $0.insert("Film", ["poster": poster])
            }
            let outside = try openStore(path, FilmModel.rich(storesPostersOutside: true))
            #expect(try outside.makeSnapshot().values(key)?["poster"] == poster)
            let other = try outside.write { try $0.insert("Film", ["poster": poster]) }
            #expect(try RawFile(path).entries("blobs").map(\.value) == [[1, 2, 3]])
            let inside = try openStore(path, FilmModel.rich())
            let snapshot = try inside.makeSnapshot()
            #expect(try snapshot.values(key)?["poster"] == poster)
            #expect(try snapshot.values(other)?["poster"] == poster)
            #expect(try inside.table("Film").layout.number == 1)
        }
    }

    @Test func programsWithOtherIndexesLeaveEachOthersAlone() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try addFilms(0..<10, to: openStore(path, FilmModel.rich(indexes: [byYear])))
            try addFilms(10..<20, to: openStore(path, FilmModel.rich(indexes: [byRating])))
            let number = try openStore(path, nil).lastTransactionID
            for indexes in [[byYear], [byRating], [], [byYear, byRating]] {
                // Nothing is written, let alone built anew.
                let store = try openStore(path, FilmModel.rich(indexes: indexes))
                #expect(store.lastTransactionID == number)
                #expect(Set(try store.table("Film").indexes.map(\.index)) == [byYear, byRating])
                #expect(try store.makeSnapshot().scan("Film", 0).count == 20)
                #expect(try store.makeSnapshot().scan("Film", 1).count == 20)
            }
            // Another index of the same name takes its place.
            let other = Index(name: "byYear", properties: ["rating", "year"])
            let store = try openStore(path, FilmModel.rich(indexes: [other]))
            #expect(Set(try store.table("Film").indexes.map(\.index)) == [other, byRating])
            try store.verifyContents()
        }
    }

    @Test func readOnlyStoreKeepsItsModel() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let stored = try FilmModel.rich(indexes: [])
            try addFilms(0..<5, to: openStore(path, stored))
            var options = StoreOptions.fast
            options.isReadOnly = true
            let store = try openStore(path, FilmModel.rich(), options)
            #expect(store.schema == stored)
            #expect(try store.makeSnapshot().objects("Film").count == 5)
        }
    }

    @Test func inheritedIndexesAndRelationshipsShareTheirDatabase() throws {
        try withTemporaryDirectory { directory in
            let title = Attribute(name: "title", type: .string)
            let minutes = Attribute(name: "minutes", type: .integer64)
            let links = Relationship(name: "links", destination: "Work", isToMany: true)
            let titles = Index(name: "titles", properties: ["title"], isUnique: true)
            let schema = try Schema(entities: [
                Entity(
                    name: "Work", attributes: [title], relationships: [links], indexes: [titles]),
                Entity(
                    name: "Film", superentity: "Work", attributes: [title, minutes],
                    relationships: [links],
                    indexes: [titles, Index(name: "long", properties: ["minutes"])]),
            ])
            let store = try openStore(directory + "/a.lode", schema)
            let work = try store.table("Work")
            let film = try store.table("Film")
            #expect(work.indexes[0].number == film.indexes[0].number)
            #expect(work.indexes[0].fields != film.indexes[0].fields)
            #expect(work.relationships[0].number == film.relationships[0].number)
            #expect(work.layout.number != film.layout.number)
            let (first, second) = try store.write { save in
                (
                    try save.insert("Work", ["title": .string("b")]),
                    try save.insert("Film", ["title": .string("a"), "minutes": .integer64(1)])
                )
            }
            #expect(try store.makeSnapshot().scan("Work", 0) == [second, first])
            #expect(try store.makeSnapshot().scan("Film", 0) == [second, first])
            #expect(try store.makeSnapshot().scan("Film", 1) == [second])
            let error = storeError {
                try store.write { _ = try $0.insert("Film", ["title": .string("b")]) }
            }
            #expect(error?.code == .constraint)
            #expect(error?.objects.last == first)
            #expect(error?.constraint?.entity == "Film")
        }
    }
}
