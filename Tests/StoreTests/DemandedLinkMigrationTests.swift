// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing
import _TestSupport

@testable import Store

private let director = Relationship(name: "director", destination: "Person", inverse: "films")
private let films = Relationship(
    name: "films", destination: "Film", inverse: "director", isToMany: true)

private func model(_ film: [Relationship], _ person: [Relationship]) -> [Entity] {
    [Entity(name: "Film", relationships: film), Entity(name: "Person", relationships: person)]
}

private func films(_ change: (inout Relationship) -> Void) -> [Entity] {
    var many = films
    change(&many)
    return model([director], [many])
}

/// Three people: the first one has made no films, the second one two, the third one three; and a
/// film that no one has made.
private func fill(_ save: SaveTransaction) throws {
    let films = try #require(try save.store.table("Person").relationship(named: "films"))
    for count in [0, 2, 3] {
        let person = try save.insert("Person", [:])
        for _ in 0..<count {
            let film = try save.insert("Film", ["director": .objectID(person)])
            save.link(person, to: film, films)
        }
    }
    try save.insert("Film", [:])
}

/// A new model that demands destinations of objects that a file has already.
@Suite struct DemandedLinkMigrationTests {
    /// The message of the refusal, after which the file is as before; nil where it is migrated.
    private func refusal(_ new: [Entity], from former: [Entity]? = nil) throws -> String? {
        let former = former ?? model([director], [films])
        return try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, former, fill)
            let bytes = try file.bytes
            guard let error = try file.refusal(new) else {
                try file.migrate(new)
                return nil
            }
            #expect(error.code == .migration)
            #expect(error.objects.count <= 1)
            #expect(try file.bytes == bytes)
            #expect(try openStore(file.path, Schema(entities: former)).rows("Film").count == 6)
            return error.message
        }
    }

    @Test func a_relationship_to_one_becomes_mandatory() throws {
        var needed = director
        needed.isOptional = false
        #expect(
            try refusal(model([needed], [films]))
                == "Film.director must have a destination in the new model, and object 1/p6 has "
                + "none; give it one with the former model, or make the relationship optional")
        // It is the same under another name.
        needed.name = "maker"
        needed.renamingIdentifier = "director"
        var works = films
        works.inverse = "maker"
        #expect(
            try refusal(model([needed], [works]))?.hasPrefix(
                "Film.maker must have a destination in the new model, and object 1/p6 has none")
                == true)
    }

    @Test func a_mandatory_relationship_to_one_passes() throws {
        var needed = director
        needed.isOptional = false
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, model([director], [films])) { save in
                let table = try save.store.table("Person")
                let films = try #require(table.relationship(named: "films"))
                let person = try save.insert("Person", [:])
                for _ in 0..<2 {
                    let film = try save.insert("Film", ["director": .objectID(person)])
                    save.link(person, to: film, films)
                }
            }
            let store = try file.migrate(model([needed], [films]))
            #expect(try store.links(.person(1), "films") == ["1/p1", "1/p2"])
            #expect(
                try store.rows("Film") == [
                    1: ["director": .objectID(.person(1))], 2: ["director": .objectID(.person(1))],
                ])
        }
        // And without any object.
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, model([director], [films])) { save in
                try save.insert("Person", [:])
            }
            #expect(try file.migrate(model([needed], [films])).rows("Film") == [:])
        }
    }

    @Test func objects_that_lack_what_was_mandatory_before_stay() throws {
        var needed = director
        needed.isOptional = false
        let former = model([needed], [films])
        needed.name = "maker"
        needed.renamingIdentifier = "director"
        var works = films
        works.inverse = "maker"
        #expect(try refusal(model([needed], [works]), from: former) == nil)
    }

    @Test func a_new_mandatory_relationship() throws {
        let studio = Relationship(name: "studio", destination: "Person", isOptional: false)
        #expect(
            try refusal(model([director, studio], [films]))
                == "Film.studio is new and must have a destination, and there are 6 objects of "
                + "Film, which have none; make the relationship optional")
        var many = studio
        many.isToMany = true
        many.minCount = 1
        #expect(
            try refusal(model([director, many], [films]))?.hasPrefix("Film.studio is new and must")
                == true)
        // These may be empty.
        many.minCount = 0
        #expect(try refusal(model([director, many], [films])) == nil)
        many.minCount = 2
        many.isOptional = true
        #expect(try refusal(model([director, many], [films])) == nil)
        // There are no objects of it.
        let award = Entity(name: "Award", relationships: [studio])
        #expect(try refusal(model([director], [films]) + [award]) == nil)
    }

    @Test(arguments: [false, true]) func a_relationship_to_many_becomes_mandatory(
        isOrdered: Bool
    ) throws {
        var former = films
        former.isOrdered = isOrdered
        func refusal(isOptional: Bool, _ least: Int) throws -> String? {
            var many = former
            many.isOptional = isOptional
            many.minCount = least
            return try self.refusal(
                model([director], [many]), from: model([director], [former]))
        }
        #expect(
            try refusal(isOptional: false, 1)
                == "Person.films must have a destination in the new model, and object 2/p1 has "
                + "none; give it one with the former model, or make the relationship optional")
        // It may be empty, as it has no least count.
        #expect(try refusal(isOptional: false, 0) == nil)
        // A least count is checked where there is any.
        #expect(try refusal(isOptional: true, 2) == nil)
        #expect(
            try refusal(isOptional: true, 3)
                == "Person.films must have at least 3 destinations in the new model, and object "
                + "2/p2 has 2; give it more with the former model, or lower the minimum")
    }

    @Test(arguments: [false, true]) func the_greatest_count_is_checked(isOrdered: Bool) throws {
        func model(_ most: Int) -> [Entity] {
            films {
                $0.isOrdered = isOrdered
                $0.maxCount = most
            }
        }
        for former in [0, 5] {
            #expect(try refusal(model(3), from: model(former)) == nil)
            #expect(
                try refusal(model(2), from: model(former))
                    == "Person.films must have at most 2 destinations in the new model, and object "
                    + "2/p3 has 3; take some away with the former model, or raise the maximum")
        }
        // It goes up, and away.
        #expect(try refusal(model(4), from: model(2)) == nil)
        #expect(try refusal(model(0), from: model(2)) == nil)
    }

    @Test func a_relationship_to_one_becomes_one_to_many() throws {
        func refusal(isOptional: Bool, _ least: Int) throws -> String? {
            var many = director
            (many.isToMany, many.isOptional, many.minCount) = (true, isOptional, least)
            return try self.refusal(model([many], [films]))
        }
        #expect(try refusal(isOptional: true, 1) == nil)
        #expect(try refusal(isOptional: false, 0) == nil)
        #expect(
            try refusal(isOptional: false, 1)?.hasPrefix(
                "Film.director must have a destination in the new model, and object 1/p6 has none;")
                == true)
        #expect(
            try refusal(isOptional: true, 2)?.hasPrefix(
                "Film.director must have at least 2 destinations in the new model, and object "
                    + "1/p1 has 1;") == true)
    }

    @Test func objects_of_subentities_are_checked() throws {
        func model(_ least: Int) -> [Entity] {
            let parts = Relationship(
                name: "parts", destination: "Work", isToMany: true, minCount: least,
                isOptional: false)
            return [
                Entity(name: "Work", relationships: [parts]),
                Entity(name: "Film", superentity: "Work", relationships: [parts]),
            ]
        }
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, model(0)) { save in
                let work = try save.insert("Work", [:])
                try save.insert("Film", [:])
                let parts = try #require(
                    try save.store.table("Work").relationship(named: "parts"))
                save.link(work, to: work, parts)
            }
            let error = try file.refusal(model(1))
            let films = try openStore(file.path, nil).makeSnapshot().objects("Film")
            #expect(error?.objects == Array(films.keys))
            #expect(error?.message.hasPrefix("Film.parts must have a destination") == true)
        }
    }
}

/// Destinations that go with their entity.
@Suite struct LostDestinationMigrationTests {
    private func model(_ list: Relationship, _ best: Relationship, _ kinds: [String]) -> [Entity] {
        [Entity(name: "List", relationships: [best, list]), Entity(name: "Work")]
            + kinds.map { Entity(name: $0, superentity: "Work") }
    }

    /// A list whose works are a film and a series, the best one of which is the film.
    private func refusal(
        _ change: (inout Relationship, inout Relationship) -> Void, without kind: String
    ) throws -> String? {
        try withTemporaryDirectory { directory in
            var list = Relationship(name: "list", destination: "Work", isToMany: true)
            var best = Relationship(name: "best", destination: "Work")
            change(&list, &best)
            let file = try MigratedFile(directory, model(list, best, ["Film", "Series"])) { save in
                let film = try save.insert("Film", [:])
                let series = try save.insert("Series", [:])
                let key = try save.insert("List", ["best": .objectID(film)])
                let table = try #require(
                    try save.store.table("List").relationship(named: "list"))
                for work in [film, series] { save.link(key, to: work, table) }
            }
            let bytes = try file.bytes
            let new = model(list, best, ["Film", "Series"].filter { $0 != kind })
            guard let error = try file.refusal(new) else {
                try file.migrate(new)
                return nil
            }
            #expect(error.code == .migration)
            #expect(try file.bytes == bytes)
            return error.message
        }
    }

    @Test func a_mandatory_destination_does_not_go() throws {
        #expect(
            try refusal({ $1.isOptional = false }, without: "Film")
                == "List.best must have a destination in the new model, and object 2/p1 has none "
                + "once those of entities that go are gone; give it one with the former model, or "
                + "make the relationship optional")
        #expect(try refusal({ $1.isOptional = false }, without: "Series") == nil)
        #expect(try refusal({ _, _ in }, without: "Film") == nil)
    }

    @Test func enough_members_stay() throws {
        #expect(
            try refusal({ list, _ in list.minCount = 2 }, without: "Series")
                == "List.list must have at least 2 destinations in the new model, and object 2/p1 "
                + "has 1 once those of entities that go are gone; give it more with the former "
                + "model, or lower the minimum")
        #expect(try refusal({ list, _ in list.minCount = 1 }, without: "Series") == nil)
    }
}
