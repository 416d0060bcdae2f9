// SPDX-License-Identifier: Apache-2.0

import LMDB
import Schema
import Testing
import _TestSupport

@testable import Store

private let title = Attribute(name: "title", type: .string)
private let poster = Attribute(name: "poster", type: .binaryData)

/// A kind of work, with subentities that have links to each other.
private let work = Entity(
    name: "Work", attributes: [title],
    relationships: [
        Relationship(name: "next", destination: "Work", inverse: "former"),
        Relationship(name: "former", destination: "Work", inverse: "next", isToMany: true),
        Relationship(name: "best", destination: "Work", isToMany: true, isOrdered: true),
    ])

private func kind(_ name: String, _ attributes: [Attribute] = []) -> Entity {
    Entity(
        name: name, superentity: "Work", attributes: work.attributes + attributes,
        relationships: work.relationships)
}

@Suite struct EntityMigrationTests {
    @Test func entities_are_added_before_others() throws {
        try withTemporaryDirectory { directory in
            let film = Entity(name: "Film", attributes: [title])
            let file = try MigratedFile(directory, [film]) { save in
                try save.insert("Film", ["title": .string("a")])
            }
            let award = Entity(name: "Award", attributes: [title])
            let store = try file.migrate([award, film, Entity(name: "Studio")])
            #expect(store.tables.map(\.entity.name) == ["Award", "Film", "Studio"])
            #expect(store.tables.map(\.number.rawValue) == [2, 1, 3])
            #expect(try store.rows("Film") == [1: ["title": .string("a")]])
            let key = try store.write { try $0.insert("Award", ["title": .string("b")]) }
            // Rows of new entities begin behind all others.
            #expect(key.description == "2/p2")
            #expect(try store.rows("Award") == [2: ["title": .string("b")]])
            try store.verifyContents()
        }
    }

    @Test func entities_are_renamed_and_swapped() throws {
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(
                directory,
                [
                    Entity(name: "A", attributes: [title]), Entity(name: "B"),
                    Entity(name: "C", relationships: [Relationship(name: "a", destination: "A")]),
                ]
            ) { save in
                let key = try save.insert("A", ["title": .string("a")])
                try save.insert("C", ["a": .objectID(key)])
            }
            let store = try file.migrate([
                Entity(name: "A", renamingIdentifier: "B"),
                Entity(name: "B", attributes: [title], renamingIdentifier: "A"),
                Entity(
                    name: "D", relationships: [Relationship(name: "a", destination: "B")],
                    renamingIdentifier: "C"),
            ])
            #expect(store.tables.map(\.number.rawValue) == [2, 1, 3])
            #expect(try store.rows("A") == [:])
            #expect(try store.rows("B") == [1: ["title": .string("a")]])
            #expect(try store.rows("D") == [1: ["a": .objectID(.film(1))]])
        }
    }

    @Test func removed_entities_leave_nothing_behind() throws {
        try withTemporaryDirectory { directory in
            let former = [work, kind("Film", [poster]), kind("Series")]
            let file = try MigratedFile(directory, former) { save in
                let film = try save.insert(
                    "Film", ["poster": .binaryData(Array(repeating: 1, count: 70_000))])
                let series = try save.insert("Series", ["next": .objectID(film)])
                let other = try save.insert("Series", ["next": .objectID(series)])
                try save.update(film, ["next": .objectID(series)])
                let table = try save.store.table("Work")
                let former = try #require(table.relationship(named: "former"))
                let best = try #require(table.relationship(named: "best"))
                save.link(film, to: series, former)
                save.link(series, to: other, former)
                save.link(series, to: film, former)
                for key in [film, other, series] { save.link(series, to: key, best) }
                save.link(film, to: series, best)
            }
            let numbers = try openStore(file.path, nil).tables.map(\.number.rawValue)
            #expect(numbers == [1, 2, 3])
            try openStore(file.path, nil).verifyContents()
            let store = try file.migrate([work, kind("Series")])
            #expect(store.tables.map(\.number.rawValue) == [2, 3])
            #expect(
                try store.rows("Series") == [
                    1: ["title": .null, "next": .null],
                    2: ["title": .null, "next": .objectID(.person(1))],
                ])
            let series = ObjectKey.person(1)
            #expect(try store.links(series, "former") == ["2/p2"])
            #expect(try store.links(series, "best") == ["2/p2", "2/p1"])
            let raw = try RawFile(file.path)
            #expect(try raw.entries("o.1", .integerKey) == [])
            #expect(try raw.entries("blobs") == [])
            #expect(try raw.meta("row/1") != nil)
            // One of that name is another one.
            let again = try file.migrate([work, kind("Film", [poster]), kind("Short")])
            #expect(again.tables.map(\.number.rawValue) == [4, 5, 3])
            #expect(try again.rows("Film") == [:])
        }
    }

    @Test func entities_become_abstract_and_concrete() throws {
        try withTemporaryDirectory { directory in
            let base = Entity(name: "Base", isAbstract: true, attributes: [title])
            let film = Entity(name: "Film", superentity: "Base", attributes: [title])
            let file = try MigratedFile(directory, [base, film]) { save in
                try save.insert("Film", ["title": .string("a")])
            }
            var concrete = base
            concrete.isAbstract = false
            var store = try file.migrate([concrete, film])
            #expect(try store.rows("Film") == [1: ["title": .string("a")]])
            let number = Attribute(name: "number", type: .integer16)
            var (second, other) = (base, film)
            second.attributes.append(number)
            other.attributes.append(number)
            store = try file.migrate([second, other])
            #expect(try store.rows("Film") == [1: ["title": .string("a"), "number": .null]])
            second.isAbstract = false
            other.isAbstract = true
            let bytes = try file.bytes
            let error = try file.refusal([second, other])
            #expect(error?.code == .migration)
            #expect(
                error?.message
                    == "Film is abstract in the new model, and there are 1 objects of it; delete "
                    + "them with the former model first, or let it be concrete")
            #expect(try file.bytes == bytes)
        }
    }

    @Test func components_of_removed_entities_go() throws {
        try withTemporaryDirectory { directory in
            let names = ["Component", "Data", "Extra", "GameObject", "Other"]
            let file = try MigratedFile(directory, names.map { Entity(name: $0) }) { save in
                var keys: [String: ObjectKey] = [:]
                for name in names { keys[name] = try save.insert(name, [:]) }
                for (data, component) in [("Data", "Component"), ("Other", "Extra")] {
                    try save.putComponent(
                        data: try #require(keys[data]),
                        owner: ComponentOwner(
                            component: try #require(keys[component]),
                            gameObject: try #require(keys["GameObject"])))
                }
            }
            let components: DatabaseFlags = [.dupSort, .dupFixed, .integerDup]
            #expect(try RawFile(file.path).entries("owners", .integerKey).count == 2)
            // A component's entity goes.
            var left = names.filter { $0 != "Extra" }
            var store = try file.migrate(left.map { Entity(name: $0) })
            var raw = try RawFile(file.path)
            #expect(try raw.entries("owners", .integerKey).count == 1)
            #expect(try raw.entries("components", components).count == 1)
            #expect(try store.rows("Other").count == 1)
            // And then the entity of data.
            left.removeAll { $0 == "Data" }
            store = try file.migrate(left.map { Entity(name: $0) })
            raw = try RawFile(file.path)
            #expect(try raw.entries("owners", .integerKey) == [])
            #expect(try raw.entries("components", components) == [])
            #expect(try store.rows("GameObject").count == 1)
        }
    }
}
