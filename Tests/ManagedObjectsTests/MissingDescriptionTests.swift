// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Models that lack a description that others of them refer to.
@Suite struct MissingDescriptionTests {
    /// An entity whose relationships lead to, or back from, a description that is not kept.
    private static func dangling(_ fault: String) -> NSManagedObjectModel {
        let person = Build.entity("Person", [Build.attribute("name")])
        let tag = Build.entity("Tag", [])
        let back = NSRelationshipDescription()
        back.name = "people"
        back.destinationEntity = person
        switch fault {
        case "destination":
            Build.relationship("tags", of: person, to: tag, max: 0)
            return Build.model(person)
        case "inverse":
            Build.inverse(Build.relationship("tags", of: person, to: tag, max: 0), back)
            return Build.model(person, tag)
        default:
            tag.properties = [back]
            Build.inverse(Build.relationship("tags", of: person, to: tag, max: 0), back)
            return Build.model(person, tag)
        }
    }

    @Test(arguments: [
        ("destination", "Person.tags has no destination; the entity is gone"),
        ("inverse", "the inverse of relationship Person.tags is gone"),
    ])
    func a_description_that_is_gone_is_missed(_ fault: String, _ text: String) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [fault = fault as String] in
            let model = MissingDescriptionTests.dangling(fault)
            _ = NSPersistentStoreCoordinator(managedObjectModel: model)
        }
        let found = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(found.contains(text))
    }

    @Test func descriptions_come_and_go_before_a_model_is_used() throws {
        let model = Self.dangling("none")
        let person = try #require(model.entitiesByName["Person"])
        let tags = try #require(person.relationshipsByName["tags"])
        #expect(tags.destinationEntity?.name == "Tag" && tags.inverseRelationship != nil)
        do {
            let passing = Build.entity("Passing", [])
            tags.destinationEntity = passing
            tags.inverseRelationship = Build.relationship("x", of: passing, to: person, max: 1)
            #expect(tags.inverseRelationship?.name == "x")
        }
        #expect(tags.destinationEntity == nil && tags.inverseRelationship == nil)
        tags.destinationEntity = model.entitiesByName["Tag"]
        tags.inverseRelationship = model.entitiesByName["Tag"]?.relationshipsByName["people"]
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        person.properties = []
        #expect(copy.entitiesByName["Person"]?.relationshipsByName["tags"] != nil)
        let stack = try Stack(copy)
        let tag = stack.context.make("Tag")
        stack.context.make("Person", ["name": "Ann", "tags": Set([tag])])
        try stack.context.save()
        #expect(tag.names("people") == ["Ann"])
    }
}
