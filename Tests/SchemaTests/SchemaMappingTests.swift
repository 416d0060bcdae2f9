// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

private func attribute(
    _ name: String, _ type: AttributeType = .string, was former: String? = nil
) -> Attribute {
    Attribute(name: name, type: type, renamingIdentifier: former)
}

private func mapping(_ former: [Entity], _ new: [Entity]) throws -> SchemaMapping {
    try SchemaMapping(from: Schema(entities: former), to: Schema(entities: new))
}

/// One line for each entity, as `transform Film>Movie name<title year<-`.
private func lines(_ former: [Entity], _ new: [Entity]) throws -> [String] {
    try mapping(former, new).entities.map { entity in
        let properties = (entity.attributes + entity.relationships).map {
            " \($0.destination)<\($0.source ?? "-")"
        }
        return "\(entity.kind) \(entity.source ?? "-")>\(entity.destination ?? "-")"
            + properties.joined()
    }
}

@Suite struct SchemaMappingTests {
    @Test func same_models_are_copied() throws {
        let film = Entity(name: "Film", attributes: [attribute("title")])
        #expect(try lines([film], [film]) == ["copy Film>Film title<title"])
        let mapping = try mapping([film], [film])
        #expect(mapping.entity(to: "Film") == mapping.entities[0])
        #expect(mapping.entity(from: "Film") == mapping.entities[0])
        #expect(mapping.entity(from: "Person") == nil)
        #expect(mapping.entities[0].source(of: "title") == "title")
        #expect(mapping.entities[0].source(of: "year") == nil)
    }

    @Test func entities_come_go_and_are_renamed() throws {
        let found = try lines(
            [Entity(name: "Film", attributes: [attribute("title")]), Entity(name: "Studio")],
            [
                Entity(
                    name: "Movie", attributes: [attribute("name", was: "title"), attribute("a")],
                    renamingIdentifier: "Film"),
                Entity(name: "Award", attributes: [attribute("title")]),
            ])
        #expect(
            found == [
                "add ->Award title<-", "transform Film>Movie name<title a<-", "remove Studio>-",
            ])
    }

    @Test func names_may_be_swapped() throws {
        let found = try lines(
            [
                Entity(name: "A", attributes: [attribute("x"), attribute("y")]),
                Entity(name: "B"),
            ],
            [
                Entity(name: "A", renamingIdentifier: "B"),
                Entity(
                    name: "B", attributes: [attribute("x", was: "y"), attribute("y", was: "x")],
                    renamingIdentifier: "A"),
            ])
        #expect(found == ["transform B>A", "transform A>B x<y y<x"])
    }

    @Test func identifiers_that_stay_match() throws {
        // The first version called it "name", the second one "title"; a new "name" is there since.
        let film = Entity(
            name: "Film", attributes: [attribute("title", was: "name"), attribute("name")])
        #expect(try lines([film], [film]) == ["copy Film>Film title<title name<name"])
        let third = Entity(
            name: "Film", attributes: [attribute("label", was: "name"), attribute("title")])
        let second = Entity(name: "Film", attributes: [attribute("title", was: "name")])
        #expect(try lines([second], [third]) == ["transform Film>Film label<title title<-"])
        // Without the identifier, the name of the source counts, and then the own one.
        let plain = Entity(name: "Film", attributes: [attribute("title")])
        #expect(try lines([second], [plain]) == ["copy Film>Film title<title"])
        let foreign = Entity(name: "Film", attributes: [attribute("title", was: "heading")])
        #expect(try lines([plain], [foreign]) == ["copy Film>Film title<title"])
        let named = Entity(name: "Film", attributes: [attribute("label", was: "title")])
        #expect(try lines([second], [named]) == ["transform Film>Film label<title"])
    }

    @Test func an_attribute_becomes_a_relationship_of_its_name() throws {
        let found = try lines(
            [Entity(name: "Film", attributes: [attribute("studio")]), Entity(name: "Studio")],
            [
                Entity(
                    name: "Film",
                    relationships: [Relationship(name: "studio", destination: "Studio")]),
                Entity(name: "Studio"),
            ])
        #expect(found == ["transform Film>Film studio<-", "copy Studio>Studio"])
    }

    @Test func supported_changes_of_relationships() throws {
        let work = Entity(name: "Work")
        func film(_ relationship: Relationship) -> [Entity] {
            [work, Entity(name: "Film", superentity: "Work", relationships: [relationship])]
        }
        let former = film(Relationship(name: "next", destination: "Film"))
        let changed = Relationship(
            name: "next", destination: "Work", isToMany: true, isOrdered: true, minCount: 1,
            maxCount: 3, isOptional: false, deleteRule: .deny)
        #expect(
            try lines(former, film(changed)) == ["transform Film>Film next<next", "copy Work>Work"])
        let renamed = Relationship(name: "later", destination: "Film", renamingIdentifier: "next")
        #expect(try lines(former, film(renamed))[0] == "transform Film>Film later<next")
    }

    @Test func pairs_of_relationships_come_and_go_and_are_renamed() throws {
        func models(_ film: [Relationship], _ person: [Relationship]) -> [Entity] {
            [
                Entity(name: "Film", relationships: film),
                Entity(name: "Person", relationships: person),
            ]
        }
        let cast = Relationship(name: "cast", destination: "Person", inverse: "films")
        let films = Relationship(name: "films", destination: "Film", inverse: "cast")
        #expect(
            try lines(models([], []), models([cast], [films])) == [
                "transform Film>Film cast<-", "transform Person>Person films<-",
            ])
        #expect(
            try lines(models([cast], [films]), models([], [])) == [
                "transform Film>Film", "transform Person>Person",
            ])
        var lone = cast
        lone.inverse = nil
        #expect(
            try lines(models([cast], [films]), models([lone], [])) == [
                "transform Film>Film cast<cast", "transform Person>Person",
            ])
        let actors = Relationship(
            name: "actors", destination: "Person", inverse: "roles", renamingIdentifier: "cast")
        let roles = Relationship(
            name: "roles", destination: "Film", inverse: "actors", renamingIdentifier: "films")
        #expect(
            try lines(models([cast], [films]), models([actors], [roles])) == [
                "transform Film>Film actors<cast", "transform Person>Person roles<films",
            ])
    }

    @Test func new_entities_inherit_relationships_with_inverses() throws {
        let cast = Relationship(name: "cast", destination: "Person", inverse: "films")
        let films = Relationship(name: "films", destination: "Film", inverse: "cast")
        let former = [
            Entity(name: "Film", relationships: [cast]),
            Entity(name: "Person", relationships: [films]),
        ]
        let short = Entity(name: "Short", superentity: "Film", relationships: [cast])
        #expect(try lines(former, former + [short])[2] == "add ->Short cast<-")
        #expect(try lines(former + [short], former)[2] == "remove Short>-")
    }
}

@Suite struct SchemaMappingRefusalTests {
    private func refusal(_ former: [Entity], _ new: [Entity]) throws -> String? {
        do {
            _ = try mapping(former, new)
            return nil
        } catch let error as SchemaMappingError {
            return error.description
        }
    }

    @Test func two_destinations_of_one_source() throws {
        let film = Entity(name: "Film", attributes: [attribute("title")])
        #expect(
            try refusal([film], [film, Entity(name: "Movie", renamingIdentifier: "Film")])
                == "Movie: Film and Movie would both come from Film of the stored model; take the "
                + "renaming identifier away from one of them")
        let twice = Entity(
            name: "Film", attributes: [attribute("a", was: "title"), attribute("b", was: "title")])
        #expect(
            try refusal([film], [twice])
                == "Film.b: a and b would both come from title of the stored model; take the "
                + "renaming identifier away from one of them")
    }

    @Test func two_sources_of_one_identifier() throws {
        let former = [
            Entity(name: "A", renamingIdentifier: "X"), Entity(name: "B", renamingIdentifier: "X"),
        ]
        #expect(
            try refusal(former, [Entity(name: "C", renamingIdentifier: "X")])
                == "C: A and B of the stored model have the renaming identifier X, so it is not "
                + "known which one C comes from; give it the name of one as renaming identifier")
        #expect(try refusal(former, former) == nil)
    }

    @Test func a_name_that_was_the_one_of_another() throws {
        // The second version swapped the names, and the third one forgot that.
        let second = Entity(
            name: "Film", attributes: [attribute("a", was: "b"), attribute("b", was: "a")])
        let third = Entity(name: "Film", attributes: [attribute("a"), attribute("b")])
        #expect(
            try refusal([second], [third])
                == "Film.a: it may come from a of the stored model, or from b, whose renaming "
                + "identifier is a; give it the renaming identifier of one of them")
    }

    @Test func types_of_attributes() throws {
        #expect(
            try refusal(
                [Entity(name: "Film", attributes: [attribute("year", .integer16)])],
                [Entity(name: "Film", attributes: [attribute("year", .integer32)])])
                == "Film.year: its type is integer32, and in the stored model integer16; keep the "
                + "type, or add an attribute of another name")
    }

    @Test func superentities() throws {
        let parents = [Entity(name: "A"), Entity(name: "B")]
        func refusal(_ former: String?, _ new: String?) throws -> String? {
            try self.refusal(
                parents + [Entity(name: "C", superentity: former)],
                parents + [Entity(name: "C", superentity: new)])
        }
        #expect(
            try refusal("A", "B")
                == "C: it inherits from B, and in the stored model from A; keep the superentity")
        #expect(
            try refusal("A", nil)
                == "C: it inherits from no entity, and in the stored model from A; keep the "
                + "superentity")
        #expect(
            try refusal(nil, "A")
                == "C: it inherits from A, and in the stored model from none; keep the superentity")
        // A new entity between them is another superentity, too.
        #expect(
            try self.refusal(
                [Entity(name: "C")], [Entity(name: "C", superentity: "N"), Entity(name: "N")])
                == "C: it inherits from N, and in the stored model from none; keep the superentity")
    }

    @Test func renamed_superentities_are_the_same() throws {
        #expect(
            try refusal(
                [Entity(name: "A"), Entity(name: "C", superentity: "A")],
                [
                    Entity(name: "B", renamingIdentifier: "A"),
                    Entity(name: "C", superentity: "B"),
                ]) == nil)
    }

    @Test func properties_that_move_between_parents_and_children() throws {
        let title = attribute("title")
        let above = [
            Entity(name: "A", attributes: [title]),
            Entity(name: "B", superentity: "A", attributes: [title]),
        ]
        let below = [Entity(name: "A"), Entity(name: "B", superentity: "A", attributes: [title])]
        let reason =
            "it has moved between entities that inherit from each other; leave it where it is in "
            + "the stored model"
        #expect(try refusal(above, below) == "B.title: \(reason)")
        #expect(try refusal(below, above) == "B.title: \(reason)")
    }

    @Test func relationships_that_would_lose_destinations() throws {
        func film(_ relationship: Relationship) -> [Entity] {
            [
                Entity(name: "Film", relationships: [relationship]), Entity(name: "Person"),
                Entity(name: "Actor", superentity: "Person"),
            ]
        }
        let cast = Relationship(name: "cast", destination: "Person", isToMany: true)
        var other = cast
        other.isToMany = false
        #expect(
            try refusal(film(cast), film(other))
                == "Film.cast: it is to-one, and to-many in the stored model, so destinations "
                + "would be lost; keep it, or add a relationship of another name")
        other = cast
        other.isTransient = true
        let transience =
            "Film.cast: it is stored in one of the models and transient in the other one; keep it "
            + "as it is, or add a relationship of another name"
        #expect(try refusal(film(cast), film(other)) == transience)
        #expect(try refusal(film(other), film(cast)) == transience)
        other = cast
        other.destination = "Actor"
        #expect(
            try refusal(film(cast), film(other))
                == "Film.cast: it leads to Actor, and in the stored model to Person, which does "
                + "not become Actor or inherit from it; keep the destination, or add a "
                + "relationship of another name")
        #expect(try refusal(film(other), film(cast)) == nil)
    }

    @Test func inverses() throws {
        func models(_ cast: Relationship?, _ films: Relationship?) -> [Entity] {
            [
                Entity(name: "Film", relationships: cast.map { [$0] } ?? []),
                Entity(name: "Person", relationships: films.map { [$0] } ?? []),
            ]
        }
        let cast = Relationship(name: "cast", destination: "Person")
        let films = Relationship(name: "films", destination: "Film")
        var castAndBack = cast
        castAndBack.inverse = "films"
        var filmsAndBack = films
        filmsAndBack.inverse = "cast"
        let reason =
            "and that is not what its inverse in the stored model becomes; keep the inverse, or "
            + "give both new names"
        let pair = models(castAndBack, filmsAndBack)
        #expect(
            try refusal(models(cast, nil), pair) == "Film.cast: its inverse is films, \(reason)")
        #expect(
            try refusal(models(cast, films), pair) == "Film.cast: its inverse is films, \(reason)")
        #expect(
            try refusal(models(nil, films), pair) == "Film.cast: its inverse is films, \(reason)")
        #expect(
            try refusal(pair, models(cast, films)) == "Film.cast: its inverse is none, \(reason)")
        #expect(try refusal(pair, models(cast, nil)) == nil)
        #expect(try refusal(pair, models(nil, films)) == nil)
    }
}
