// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

/// The error that entities are refused with.
private func refusal(_ entities: Entity...) -> SchemaError? {
    do throws(SchemaError) {
        _ = try Schema(entities: entities)
        return nil
    } catch {
        return error
    }
}

@Suite struct ValidationTests {
    @Test func twoEntitiesOfOneName() {
        let error = refusal(Entity(name: "Film"), Entity(name: "Film"))
        #expect(error == SchemaError(.duplicateName, "two entities are named Film"))
    }

    @Test func entityNames() {
        let long = String(repeating: "é", count: 128)
        #expect(
            refusal(Entity(name: ""))
                == SchemaError(.badName, "an entity is named \"\"; a name has 1 to 255 bytes"))
        #expect(
            refusal(Entity(name: long))
                == SchemaError(
                    .badName, "an entity is named \"\(long)\"; a name has 1 to 255 bytes"))
        #expect(refusal(Entity(name: String(repeating: "x", count: 255))) == nil)
    }

    @Test func entityNamesHaveNoSlash() {
        #expect(
            refusal(Entity(name: "a/b"))
                == SchemaError(.badName, "an entity is named \"a/b\"; a name has no slash"))
    }

    @Test func propertyNames() {
        let film = Entity(name: "Film", attributes: [Attribute(name: "", type: .string)])
        #expect(
            refusal(film)
                == SchemaError(
                    .badName, "a property of Film is named \"\"; a name has 1 to 255 bytes"))
    }

    @Test func twoPropertiesOfOneName() {
        let film = Entity(
            name: "Film", attributes: [Attribute(name: "title", type: .string)],
            relationships: [Relationship(name: "title", destination: "Film")])
        #expect(
            refusal(film)
                == SchemaError(.duplicateName, "Film has two properties named title"))
    }

    @Test func twoIndexesOfOneName() {
        let film = Entity(
            name: "Film", attributes: [Attribute(name: "title", type: .string)],
            indexes: [
                Index(name: "byTitle", properties: ["title"]),
                Index(name: "byTitle", properties: ["title"], isUnique: true),
            ])
        #expect(
            refusal(film) == SchemaError(.duplicateName, "Film has two indexes named byTitle"))
    }

    @Test func unknownSuperentity() {
        #expect(
            refusal(Entity(name: "Film", superentity: "Work"))
                == SchemaError(.unknownName, "Film inherits from Work, which is no entity"))
    }

    @Test func inheritanceCycles() {
        #expect(
            refusal(Entity(name: "Film", superentity: "Film"))
                == SchemaError(.inheritanceCycle, "Film inherits from itself"))
        #expect(
            refusal(Entity(name: "A", superentity: "B"), Entity(name: "B", superentity: "A"))
                == SchemaError(.inheritanceCycle, "A inherits from itself"))
    }

    @Test func defaultOfAnotherType() {
        let film = Entity(
            name: "Film",
            attributes: [Attribute(name: "year", type: .integer16, defaultValue: .integer32(1977))])
        #expect(
            refusal(film)
                == SchemaError(
                    .badDefault, "the default of Film.year is integer32, not integer16"))
    }

    @Test func unknownDestination() {
        let film = Entity(
            name: "Film", relationships: [Relationship(name: "director", destination: "Person")])
        #expect(
            refusal(film)
                == SchemaError(
                    .unknownName, "Film.director leads to Person, which is no entity"))
    }

    @Test(arguments: [
        (3, 2, "3...2"), (-1, 0, "-1...0"), (0, -1, "0...-1"), (0, 1 << 32, "0...4294967296"),
    ])
    func counts(minimum: Int, maximum: Int, text: String) {
        let film = Entity(
            name: "Film",
            relationships: [
                Relationship(
                    name: "actors", destination: "Film", isToMany: true, minCount: minimum,
                    maxCount: maximum)
            ])
        #expect(
            refusal(film)
                == SchemaError(.inconsistentRelationship, "Film.actors has counts \(text)"))
    }

    @Test func countsThatAreFine() {
        for (minimum, maximum) in [(0, 0), (2, 0), (2, 2), (0, Int(UInt32.max))] {
            let film = Entity(
                name: "Film",
                relationships: [
                    Relationship(
                        name: "actors", destination: "Film", isToMany: true, minCount: minimum,
                        maxCount: maximum)
                ])
            #expect(refusal(film) == nil, "\(minimum)...\(maximum)")
        }
    }
}

@Suite struct InverseValidationTests {
    private func film(_ relationship: Relationship) -> Entity {
        Entity(name: "Film", relationships: [relationship])
    }

    private func person(_ relationship: Relationship) -> Entity {
        Entity(name: "Person", relationships: [relationship])
    }

    @Test func missingInverse() {
        let error = refusal(
            film(Relationship(name: "director", destination: "Person", inverse: "films")),
            Entity(name: "Person"))
        #expect(
            error
                == SchemaError(
                    .unknownName, "the inverse Person.films of Film.director is missing"))
    }

    @Test func inverseThatDoesNotPointBack() {
        let expected = SchemaError(
            .inconsistentRelationship,
            "Person.films is the inverse of Film.director, but does not name it back; "
                + "set the inverse on both sides")
        let director = Relationship(name: "director", destination: "Person", inverse: "films")
        let unnamed = Relationship(name: "films", destination: "Film", isToMany: true)
        #expect(refusal(film(director), person(unnamed)) == expected)
        let elsewhere = Relationship(
            name: "films", destination: "Person", inverse: "director", isToMany: true)
        #expect(refusal(film(director), person(elsewhere)) == expected)
    }

    @Test func inverseToAnAncestor() {
        let error = refusal(
            Entity(name: "Work"),
            Entity(
                name: "Film", superentity: "Work",
                relationships: [
                    Relationship(name: "director", destination: "Person", inverse: "works")
                ]),
            person(Relationship(name: "works", destination: "Work", inverse: "director")))
        // Work has no relationship "director", so the other direction is refused.
        #expect(
            error
                == SchemaError(
                    .unknownName, "the inverse Work.director of Person.works is missing"
                ))
    }
}

@Suite struct IndexValidationTests {
    private func film(_ index: Index) -> Entity {
        Entity(
            name: "Film",
            attributes: [
                Attribute(name: "title", type: .string),
                Attribute(name: "mood", type: .string, isTransient: true),
            ],
            relationships: [
                Relationship(name: "sequel", destination: "Film"),
                Relationship(name: "remakes", destination: "Film", isToMany: true),
            ], indexes: [index])
    }

    @Test func indexWithoutProperty() {
        #expect(
            refusal(film(Index(name: "empty", properties: [])))
                == SchemaError(.badName, "index empty of Film has no property"))
    }

    @Test(arguments: ["plot", "mood", "remakes"])
    func indexedPropertyThatIsNotStored(property: String) {
        #expect(
            refusal(film(Index(name: "bad", properties: ["title", property])))
                == SchemaError(
                    .unknownName,
                    "index bad of Film names \(property), which is no stored attribute or to-one "
                        + "relationship"))
    }

    @Test func indexOverAttributeAndToOne() {
        #expect(refusal(film(Index(name: "good", properties: ["sequel", "title"]))) == nil)
    }
}
