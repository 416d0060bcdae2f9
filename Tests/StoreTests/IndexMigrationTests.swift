// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing
import _TestSupport

@testable import Store

private let title = Attribute(name: "title", type: .string)
private let year = Attribute(name: "year", type: .integer16)

private func film(_ attributes: [Attribute], _ indexes: [Index]) -> [Entity] {
    [Entity(name: "Film", attributes: attributes, indexes: indexes)]
}

private let byYear = Index(name: "byYear", properties: ["year"])
private let titles = Index(name: "titles", properties: ["title"], isUnique: true)

@Suite struct IndexMigrationTests {
    private func makeFile(_ directory: String, _ indexes: [Index]) throws -> MigratedFile {
        try MigratedFile(directory, film([title, year], indexes)) { save in
            for (name, number) in [("a", 3), ("b", 2), ("c", 1)] as [(String, Int16)] {
                try save.insert("Film", ["title": .string(name), "year": .integer16(number)])
            }
        }
    }

    @Test func indexes_follow_renamed_attributes() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory, [byYear, titles])
            let released = Attribute(name: "released", type: .integer16, renamingIdentifier: "year")
            let index = Index(name: "byYear", properties: ["released"])
            let store = try file.migrate(film([title, released], [index, titles]))
            #expect(try store.table("Film").indexes.map(\.number.rawValue) == [1, 2])
            #expect(try store.makeSnapshot().scan("Film", 0).map(\.row) == [3, 2, 1])
            let error = storeError {
                try store.write { _ = try $0.insert("Film", ["title": .string("b")]) }
            }
            #expect(error?.code == .constraint)
        }
    }

    @Test func indexes_come_go_and_change() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory, [byYear])
            let note = Attribute(name: "note", type: .string)
            let newest = Index(name: "byYear", properties: ["year"], descending: [true])
            let recent = Index(
                name: "recent", properties: ["title"],
                condition: .compares("year", .greater, .integer64(1)))
            var store = try file.migrate(film([title, year, note], [newest, recent, titles]))
            #expect(try store.makeSnapshot().scan("Film", 0).map(\.row) == [1, 2, 3])
            #expect(try store.makeSnapshot().scan("Film", 1).map(\.row) == [1, 2])
            #expect(
                try RawFile(file.path).entries("x.1", [.dupSort, .dupFixed, .integerDup]) == [])
            // Of these, the first one names an attribute that gets another name.
            let released = Attribute(name: "released", type: .integer16, renamingIdentifier: "year")
            let same = Index(
                name: "recent", properties: ["title"],
                condition: .compares("released", .greater, .integer64(2)))
            store = try file.migrate(film([title, released], [same]))
            #expect(try store.makeSnapshot().scan("Film", 0).map(\.row) == [1])
        }
    }

    @Test func constraints_that_collide_leave_the_file_as_it_was() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory, [byYear])
            let store = try openStore(file.path, nil)
            try store.write { _ = try $0.insert("Film", ["title": .string("b")]) }
            let (rows, number) = (try store.rows("Film"), store.lastTransactionID)
            let (model, catalog) = (
                try RawFile(file.path).meta("model"), try RawFile(file.path).meta("catalog")
            )
            let kind = Attribute(name: "kind", type: .string, defaultValue: .string("x"))
            let error = try file.refusal(film([title, kind], [titles]))
            #expect(error?.code == .migration)
            #expect(
                error?.message
                    == "two objects of Film have the same title, which is unique in the new model; "
                    + "change one of them with the former model first")
            #expect(Set(error?.objects ?? []) == [.film(2), .film(4)])
            #expect(try RawFile(file.path).meta("model") == model)
            #expect(try RawFile(file.path).meta("catalog") == catalog)
            #expect(try RawFile(file.path).meta("former") == nil)
            // Only databases were made.
            #expect(store.lastTransactionID == number + 1)
            #expect(
                try openStore(file.path, Schema(entities: film([title, year], [byYear])))
                    .rows("Film") == rows)
            #expect(try store.rows("Film") == rows)
            try store.verifyContents()
            // Without the collision it works.
            try store.write { try $0.delete(.film(4)) }
            let migrated = try file.migrate(film([title, kind], [titles]))
            #expect(
                try migrated.rows("Film")[1] == ["title": .string("a"), "kind": .string("x")])
        }
    }

    @Test func indexes_of_parents_cover_new_and_removed_subentities() throws {
        try withTemporaryDirectory { directory in
            func kind(_ name: String, _ parent: String?) -> Entity {
                Entity(
                    name: name, superentity: parent, attributes: [title, year], indexes: [byYear])
            }
            let work = kind("Work", nil)
            let file = try MigratedFile(
                directory, [work, kind("Film", "Work"), kind("Series", "Work")]
            ) { save in
                for (name, number) in [("Film", 3), ("Series", 2), ("Work", 1)] {
                    try save.insert(name, ["year": .integer16(Int16(number))])
                }
            }
            let store = try file.migrate([work, kind("Series", "Work"), kind("Award", "Work")])
            #expect(
                try store.makeSnapshot().scan("Work", 0).map(\.description) == ["3/p1", "2/p1"])
            #expect(store.tables.map { $0.indexes[0].number.rawValue } == [2, 2, 2])
        }
    }
}
