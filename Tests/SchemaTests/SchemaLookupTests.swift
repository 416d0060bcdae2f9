// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

/// Work <- Film <- Short, and Person; `title` comes from Work, `minutes` from Film.
private func library() throws -> Schema {
    let title = Attribute(name: "title", type: .string)
    let minutes = Attribute(name: "minutes", type: .integer32)
    let director = Relationship(name: "director", destination: "Person", inverse: "films")
    return try Schema(entities: [
        Entity(
            name: "Short", superentity: "Film", attributes: [title, minutes],
            relationships: [director]),
        Entity(name: "Work", isAbstract: true, attributes: [title]),
        Entity(
            name: "Person",
            relationships: [
                Relationship(
                    name: "films", destination: "Film", inverse: "director", isToMany: true)
            ]),
        Entity(
            name: "Film", superentity: "Work", attributes: [title, minutes],
            relationships: [director]),
    ])
}

@Suite struct SchemaLookupTests {
    @Test func entitiesAreSortedByName() throws {
        let schema = try library()
        #expect(schema.entities.map(\.name) == ["Film", "Person", "Short", "Work"])
        #expect(schema.ordinal(of: "Short") == 2)
        #expect(schema.ordinal(of: "Sequel") == nil)
        #expect(schema.entity("Work")?.isAbstract == true)
        #expect(schema.entity("Sequel") == nil)
    }

    @Test func kinds() throws {
        let schema = try library()
        #expect(schema.entity("Short", isKindOf: "Work"))
        #expect(schema.entity("Short", isKindOf: "Short"))
        #expect(!schema.entity("Work", isKindOf: "Short"))
        #expect(!schema.entity("Person", isKindOf: "Work"))
        #expect(schema.ordinals(kindOf: "Work") == [0, 2, 3])
        #expect(schema.ordinals(kindOf: "Film") == [0, 2])
        #expect(schema.ordinals(kindOf: "Person") == [1])
        #expect(schema.ordinals(kindOf: "Sequel") == [])
    }

    @Test func declaringEntities() throws {
        let schema = try library()
        #expect(schema.declaringEntity(of: "title", in: "Short") == "Work")
        #expect(schema.declaringEntity(of: "minutes", in: "Short") == "Film")
        #expect(schema.declaringEntity(of: "director", in: "Short") == "Film")
        #expect(schema.declaringEntity(of: "films", in: "Person") == "Person")
    }

    @Test func inverses() throws {
        let schema = try library()
        let director = try #require(schema.entity("Short")?.relationship("director"))
        #expect(schema.inverse(of: director)?.name == "films")
        let films = try #require(schema.entity("Person")?.relationship("films"))
        #expect(schema.inverse(of: films)?.name == "director")
        #expect(schema.inverse(of: Relationship(name: "x", destination: "Film")) == nil)
    }

    @Test func propertyLookup() throws {
        let film = try #require(try library().entity("Film"))
        #expect(film.attribute("minutes")?.type == .integer32)
        #expect(film.attribute("director") == nil)
        #expect(film.relationship("director")?.destination == "Person")
        #expect(film.relationship("minutes") == nil)
    }

    @Test func storedFieldsAreOrderedByWidthThenName() {
        let entity = Entity(
            name: "All",
            attributes: [
                Attribute(name: "flag", type: .boolean),
                Attribute(name: "zone", type: .string),
                Attribute(name: "mood", type: .string, isTransient: true),
                Attribute(name: "price", type: .decimal),
                Attribute(name: "id", type: .uuid),
                Attribute(name: "count", type: .integer32),
                Attribute(name: "data", type: .binaryData, allowsExternalStorage: true),
                Attribute(name: "year", type: .integer16),
            ],
            relationships: [
                Relationship(name: "many", destination: "All", isToMany: true),
                Relationship(name: "one", destination: "All"),
                Relationship(name: "fleeting", destination: "All", isTransient: true),
            ])
        let fields = entity.storedFields
        #expect(
            fields.map(\.name)
                == ["price", "id", "data", "one", "zone", "count", "year", "flag"])
        #expect(fields.map(\.isRelationship).firstIndex(of: true) == 3)
        #expect(fields[3].type == .objectID)
        #expect(fields.map(\.allowsExternalStorage).firstIndex(of: true) == 2)
    }

    @Test func slotWidths() {
        let widths = AttributeType.allCases.map { "\($0) \($0.slotWidth)" }
        #expect(
            widths == [
                "integer16 2", "integer32 4", "integer64 8", "decimal 24", "double 8", "float 4",
                "string 8", "boolean 1", "date 8", "binaryData 8", "uuid 16", "uri 8",
                "transformable 8", "objectID 8",
            ])
        #expect(
            AttributeType.allCases.filter(\.isVariableLength)
                == [.string, .binaryData, .uri, .transformable])
    }
}
