// SPDX-License-Identifier: Apache-2.0

import LMDB
import Schema
import Testing
import _TestSupport

@testable import Store

private let plainLinks: DatabaseFlags = [.integerKey, .dupSort, .dupFixed, .integerDup]
private let rankedLinks: DatabaseFlags = [.integerKey, .dupSort, .dupFixed]

private let director = Relationship(name: "director", destination: "Person", inverse: "films")
private let films = Relationship(
    name: "films", destination: "Film", inverse: "director", isToMany: true)

private func model(_ film: [Relationship], _ person: [Relationship]) -> [Entity] {
    [Entity(name: "Film", relationships: film), Entity(name: "Person", relationships: person)]
}

/// Three films, of which a person has made the first and the last one.
private func fillFilms(_ save: SaveTransaction) throws {
    let person = try save.insert("Person", [:])
    let films = try #require(try save.store.table("Person").relationship(named: "films"))
    for number in 0..<3 {
        let film = try save.insert("Film", number == 1 ? [:] : ["director": .objectID(person)])
        if number != 1 { save.link(person, to: film, films) }
    }
}

@Suite struct RelationshipMigrationTests {
    private func with(
        _ new: [Entity], _ check: (Store, RawFile) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, model([director], [films]), fillFilms)
            try check(try file.migrate(new), try RawFile(file.path))
        }
    }

    @Test func pairs_are_renamed() throws {
        let maker = Relationship(
            name: "maker", destination: "Person", inverse: "works", renamingIdentifier: "director")
        let works = Relationship(
            name: "works", destination: "Film", inverse: "maker", isToMany: true,
            renamingIdentifier: "films")
        try with(model([maker], [works])) { store, _ throws in
            #expect(try store.rows("Film")[3] == ["maker": .objectID(.person(1))])
            #expect(try store.rows("Film")[2] == ["maker": .null])
            #expect(try store.links(.person(1), "works") == ["1/p1", "1/p3"])
        }
    }

    @Test func pairs_are_removed_and_added() throws {
        let actors = Relationship(
            name: "actors", destination: "Person", inverse: "roles", isToMany: true)
        let roles = Relationship(
            name: "roles", destination: "Film", inverse: "actors", isToMany: true,
            isOrdered: true)
        try with(model([actors], [roles])) { store, raw throws in
            #expect(try store.rows("Film") == [1: [:], 2: [:], 3: [:]])
            #expect(try raw.entries("r.2", plainLinks) == [])
            #expect(try store.links(.film(1), "actors") == [])
            #expect(try store.links(.person(1), "roles") == [])
            let actors = try #require(try store.table("Film").relationship(named: "actors"))
            let roles = try #require(try store.table("Person").relationship(named: "roles"))
            try store.write { save in
                save.link(.film(2), to: .person(1), actors)
                save.link(.person(1), to: .film(2), roles)
            }
            #expect(try store.links(.person(1), "roles") == ["1/p2"])
            try store.verifyContents()
        }
    }

    @Test func one_direction_may_go() throws {
        var alone = director
        alone.inverse = nil
        try with(model([alone], [])) { store, _ throws in
            #expect(try store.rows("Film")[1] == ["director": .objectID(.person(1))])
        }
        alone = films
        alone.inverse = nil
        try with(model([], [alone])) { store, _ throws in
            #expect(try store.links(.person(1), "films") == ["1/p1", "1/p3"])
        }
    }

    @Test(arguments: [false, true]) func to_one_becomes_to_many(isOrdered: Bool) throws {
        var many = director
        many.isToMany = true
        many.isOrdered = isOrdered
        try with(model([many], [films])) { store, _ throws in
            #expect(try store.rows("Film") == [1: [:], 2: [:], 3: [:]])
            #expect(try store.links(.film(1), "director") == ["2/p1"])
            #expect(try store.links(.film(2), "director") == [])
            #expect(try store.links(.film(3), "director") == ["2/p1"])
            #expect(try store.links(.person(1), "films") == ["1/p1", "1/p3"])
        }
    }

    @Test func order_comes_and_goes() throws {
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, model([director], [films]), fillFilms)
            var ordered = films
            ordered.isOrdered = true
            var store = try file.migrate(model([director], [ordered]))
            #expect(try store.links(.person(1), "films") == ["1/p1", "1/p3"])
            #expect(try RawFile(file.path).entries("r.2", plainLinks) == [])
            let table = try #require(try store.table("Person").relationship(named: "films"))
            try store.write { $0.order([.film(3), .film(1)], of: .person(1), table) }
            #expect(try store.links(.person(1), "films") == ["1/p3", "1/p1"])
            // A rename keeps the order.
            var other = ordered
            other.name = "works"
            other.renamingIdentifier = "films"
            var back = director
            back.inverse = "works"
            store = try file.migrate(model([back], [other]))
            #expect(try store.links(.person(1), "works") == ["1/p3", "1/p1"])
            other.isOrdered = false
            store = try file.migrate(model([back], [other]))
            #expect(try store.links(.person(1), "works") == ["1/p1", "1/p3"])
            #expect(try RawFile(file.path).entries("s.2", rankedLinks) == [])
        }
    }

    @Test func rules_and_counts_change() throws {
        var (one, many) = (director, films)
        one.deleteRule = .deny
        many.isOptional = false
        many.minCount = 2
        many.maxCount = 2
        many.deleteRule = .cascade
        try with(model([one], [many])) { store, _ throws in
            #expect(try store.rows("Film")[1] == ["director": .objectID(.person(1))])
            #expect(try store.links(.person(1), "films") == ["1/p1", "1/p3"])
        }
    }

    @Test func the_destination_becomes_an_ancestor() throws {
        try withTemporaryDirectory { directory in
            func model(_ destination: String) -> [Entity] {
                let friends = Relationship(
                    name: "friends", destination: destination, isToMany: true)
                let best = Relationship(name: "best", destination: destination)
                return [
                    Entity(name: "Being"), Entity(name: "Human", superentity: "Being"),
                    Entity(name: "Dog", relationships: [friends, best]),
                ]
            }
            let file = try MigratedFile(directory, model("Human")) { save in
                let human = try save.insert("Human", [:])
                let dog = try save.insert("Dog", ["best": .objectID(human)])
                let friends = try #require(
                    try save.store.table("Dog").relationship(named: "friends"))
                save.link(dog, to: human, friends)
            }
            let store = try file.migrate(model("Being"))
            #expect(
                try store.rows("Dog")[1]?["best"]
                    == .objectID(ObjectKey(entity: EntityNumber(rawValue: 3), row: 1)))
            let dog = ObjectKey(entity: try store.table("Dog").number, row: 1)
            #expect(try store.links(dog, "friends") == ["3/p1"])
        }
    }
}
