// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

/// Models whose relationships are copies of two that no entity has.
@Suite struct RelationshipTemplateTests {
    private func makeEntities(
        keeping templates: inout [NSRelationshipDescription]
    ) -> [NSEntityDescription] {
        let owner = NSRelationshipDescription()
        owner.name = "owner"
        owner.maxCount = 1
        let tags = NSRelationshipDescription()
        tags.name = "tags"
        owner.inverseRelationship = tags
        tags.inverseRelationship = owner
        templates += [owner, tags]
        return ["Person", "Place"].flatMap { name in
            let (thing, tag) = (NSEntityDescription(), NSEntityDescription())
            (thing.name, tag.name) = (name, "\(name)Tag")
            (owner.destinationEntity, tags.destinationEntity) = (thing, tag)
            thing.properties = [tags.copy() as! NSRelationshipDescription]
            tag.properties = [owner.copy() as! NSRelationshipDescription]
            return [thing, tag]
        }
    }

    private func check(_ model: NSManagedObjectModel) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for name in ["Person", "Place"] {
                let thing = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                let tag = NSEntityDescription.insertNewObject(
                    forEntityName: "\(name)Tag", into: context)
                tag.setValue(thing, forKey: "owner")
                #expect(thing.value(forKey: "tags") as? Set<NSManagedObject> == [tag])
                try context.save()
                context.delete(thing)
                try context.save()
                #expect(tag.value(forKey: "owner") == nil)
            }
        }
        for (name, key, other) in [("Person", "tags", "owner"), ("PlaceTag", "owner", "tags")] {
            let relationship = try #require(model.entitiesByName[name]?.relationshipsByName[key])
            let inverse = try #require(relationship.inverseRelationship)
            #expect(inverse === relationship.destinationEntity?.relationshipsByName[other])
            #expect(inverse.inverseRelationship === relationship)
        }
    }

    @Test func inverses_are_found_by_name_once_the_templates_are_gone() throws {
        var templates: [NSRelationshipDescription] = []
        let model = NSManagedObjectModel(entities: makeEntities(keeping: &templates))
        templates = []
        try check(model)
        try check(model.copy() as! NSManagedObjectModel)
    }

    @Test func inverses_are_found_by_name_while_the_templates_are_there() throws {
        var templates: [NSRelationshipDescription] = []
        let model = NSManagedObjectModel(entities: makeEntities(keeping: &templates))
        try check(model)
        templates = []
        try check(model)
    }

    @Test func copies_of_a_model_that_is_not_in_use_find_them_as_well() throws {
        var templates: [NSRelationshipDescription] = []
        let model = NSManagedObjectModel(entities: makeEntities(keeping: &templates))
        templates = []
        try check(model.copy() as! NSManagedObjectModel)
    }
}
