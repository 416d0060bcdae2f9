// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing
import _TestSupport

@testable import Store

private func film(_ attributes: [Attribute], _ indexes: [Index] = []) -> [Entity] {
    [Entity(name: "Film", attributes: attributes, indexes: indexes)]
}

private let title = Attribute(name: "title", type: .string)
private let year = Attribute(name: "year", type: .integer16)
private let poster = Attribute(name: "poster", type: .binaryData)
private let large = [UInt8](repeating: 7, count: 100_000)

@Suite struct AttributeMigrationTests {
    @Test func attributes_are_added_with_their_defaults() throws {
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, film([title])) { save in
                for name in ["a", "b"] { try save.insert("Film", ["title": .string(name)]) }
            }
            let added = [
                Attribute(name: "rating", type: .double, defaultValue: .double(2.5)),
                Attribute(
                    name: "kind", type: .string, isOptional: false, defaultValue: .string("film")),
                Attribute(name: "note", type: .string),
                Attribute(name: "data", type: .binaryData, defaultValue: .binaryData(large)),
            ]
            let store = try file.migrate(film([title] + added))
            let rest: [String: Value] = [
                "rating": .double(2.5), "kind": .string("film"), "note": .null,
                "data": .binaryData(large),
            ]
            #expect(
                try store.rows("Film") == [
                    1: rest.merging(["title": .string("a")]) { $1 },
                    2: rest.merging(["title": .string("b")]) { $1 },
                ])
            // The next row is the next one.
            _ = try store.write { try $0.insert("Film", ["title": .string("c")]) }
            #expect(try store.rows("Film").keys.sorted() == [1, 2, 3])
        }
    }

    @Test func attributes_are_removed_and_do_not_come_back() throws {
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, film([title, year, poster])) { save in
                try save.insert(
                    "Film",
                    ["title": .string("a"), "year": .integer16(1977), "poster": .binaryData(large)])
            }
            #expect(try RawFile(file.path).entries("blobs").count == 2)
            let store = try file.migrate(film([title]))
            #expect(try store.rows("Film") == [1: ["title": .string("a")]])
            #expect(try RawFile(file.path).entries("blobs") == [])
            // Another model, as the first one is a former one.
            let note = Attribute(name: "note", type: .string)
            let again = try file.migrate(film([title, year, poster, note]))
            #expect(
                try again.rows("Film") == [
                    1: ["title": .string("a"), "year": .null, "poster": .null, "note": .null]
                ])
            #expect(
                try again.table("Film").layout.fields.map(\.number.rawValue).sorted()
                    == [1, 4, 5, 6])
        }
    }

    @Test func attributes_are_renamed_with_their_values() throws {
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, film([title, year, poster])) { save in
                try save.insert(
                    "Film",
                    ["title": .string("a"), "year": .integer16(1977), "poster": .binaryData(large)])
                try save.insert("Film", ["poster": .binaryData([1])])
            }
            let numbers = try openStore(file.path, nil).table("Film").layout.fields.map(\.number)
            let store = try file.migrate(
                film([
                    Attribute(name: "name", type: .string, renamingIdentifier: "title"),
                    Attribute(name: "released", type: .integer16, renamingIdentifier: "year"),
                    // Before the title in the record, and after it as "poster".
                    Attribute(name: "image", type: .binaryData, renamingIdentifier: "poster"),
                ]))
            #expect(
                try store.rows("Film") == [
                    1: [
                        "name": .string("a"), "released": .integer16(1977),
                        "image": .binaryData(large),
                    ],
                    2: ["name": .null, "released": .null, "image": .binaryData([1])],
                ])
            let table = try store.table("Film")
            #expect(Set(table.layout.fields.map(\.number)) == Set(numbers))
        }
    }

    @Test func names_are_swapped() throws {
        try withTemporaryDirectory { directory in
            let note = Attribute(name: "note", type: .string)
            let file = try MigratedFile(directory, film([title, note])) { save in
                try save.insert("Film", ["title": .string("a"), "note": .string("b")])
            }
            let store = try file.migrate(
                film([
                    Attribute(name: "title", type: .string, renamingIdentifier: "note"),
                    Attribute(
                        name: "note", type: .string, isOptional: false, defaultValue: .string("-"),
                        renamingIdentifier: "title"),
                ]))
            #expect(
                try store.rows("Film") == [1: ["title": .string("b"), "note": .string("a")]])
        }
    }

    @Test func nulls_become_the_default_of_an_attribute_that_needs_values() throws {
        try withTemporaryDirectory { directory in
            let index = Index(name: "byYear", properties: ["year"])
            let file = try MigratedFile(directory, film([title, year], [index])) { save in
                try save.insert("Film", ["title": .string("a")])
                try save.insert("Film", ["title": .string("b"), "year": .integer16(1977)])
            }
            let store = try file.migrate(
                film(
                    [
                        title,
                        Attribute(
                            name: "year", type: .integer16, isOptional: false,
                            defaultValue: .integer16(2000)),
                    ], [index]))
            #expect(
                try store.rows("Film") == [
                    1: ["title": .string("a"), "year": .integer16(2000)],
                    2: ["title": .string("b"), "year": .integer16(1977)],
                ])
            #expect(try store.makeSnapshot().scan("Film", 0).map(\.row) == [2, 1])
        }
    }

    @Test func attributes_become_optional_transient_and_stored() throws {
        try withTemporaryDirectory { directory in
            let needed = Attribute(
                name: "year", type: .integer16, isOptional: false, defaultValue: .integer16(1))
            let cached = Attribute(name: "cached", type: .string, isTransient: true)
            let file = try MigratedFile(directory, film([title, needed, poster, cached])) { save in
                try save.insert(
                    "Film", ["year": .integer16(1977), "poster": .binaryData(large)])
            }
            var hidden = poster
            hidden.isTransient = true
            var shown = cached
            shown.isTransient = false
            shown.defaultValue = .string("new")
            let store = try file.migrate(film([title, year, hidden, shown]))
            #expect(
                try store.rows("Film") == [
                    1: ["title": .null, "year": .integer16(1977), "cached": .string("new")]
                ])
            #expect(try RawFile(file.path).entries("blobs") == [])
        }
    }

    @Test func record_versions_stay() throws {
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, film([title])) { save in
                try save.insert("Film", ["title": .string("a")])
            }
            let key = ObjectKey.film(1)
            for name in ["b", "c"] {
                try openStore(file.path, nil).write { try $0.update(key, ["title": .string(name)]) }
            }
            let store = try file.migrate(film([title, year]))
            #expect(try store.makeSnapshot().record(for: key)?.version == 3)
        }
    }
}

@Suite struct AttributeMigrationRefusalTests {
    private func refusal(
        _ former: [Entity], _ new: [Entity], _ values: [String: Value]? = [:]
    ) throws -> StoreError? {
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, former) { save in
                if let values { try save.insert("Film", values) }
            }
            let bytes = try file.bytes
            let error = try file.refusal(new)
            if error != nil {
                #expect(try file.bytes == bytes)
                #expect(try openStore(file.path, Schema(entities: former)).rows("Film").count == 1)
            }
            return error
        }
    }

    @Test func new_attributes_that_need_a_value() throws {
        let needed = Attribute(name: "year", type: .integer16, isOptional: false)
        let error = try refusal(film([title]), film([title, needed]))
        #expect(error?.code == .migration)
        #expect(
            error?.message
                == "Film.year is new, must have a value and has no default, and there are 1 "
                + "objects of Film; give the attribute a default, or make it optional")
        #expect(try refusal(film([title]), film([title, needed]), nil) == nil)
    }

    @Test func attributes_that_need_a_value_from_now_on() throws {
        let needed = Attribute(name: "title", type: .string, isOptional: false)
        let error = try refusal(film([title]), film([needed]))
        #expect(error?.code == .migration)
        #expect(
            error?.message
                == "Film.title must have a value in the new model and has no default, and object "
                + "1/p1 has none; give the attribute a default, or the object a value with the "
                + "former model")
        #expect(try refusal(film([title]), film([needed]), ["title": .string("a")]) == nil)
    }

    @Test func differences_without_a_mapping() throws {
        let other = Attribute(name: "title", type: .integer16)
        let error = try refusal(film([title]), film([other]))
        #expect(error?.code == .missingMapping)
        #expect(error?.mapping?.entity == "Film")
        #expect(error?.mapping?.property == "title")
        #expect(
            error?.message
                == "the stored model cannot become the given one by itself: Film.title: its type "
                + "is integer16, and in the stored model string; keep the type, or add an "
                + "attribute of another name")
    }
}
