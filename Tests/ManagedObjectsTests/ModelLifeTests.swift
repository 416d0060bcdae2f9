// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A model goes with the last of its users, whatever its entities inherit.
@Suite struct ModelLifeTests {
    /// Animals, of which dogs are a kind, and their owners.
    private static func family() -> NSManagedObjectModel {
        let animal = Build.entity("Animal", [Build.attribute("name")])
        let dog = Build.entity("Dog", [Build.attribute("breed")])
        let owner = Build.entity("Owner", [Build.attribute("name")])
        animal.subentities = [dog]
        Build.inverse(
            Build.relationship("owner", of: animal, to: owner, max: 1),
            Build.relationship("animals", of: owner, to: animal, max: 0))
        return Build.model(animal, dog, owner)
    }

    /// What is left of a model once its container is gone.
    private struct Remains {
        weak var model: NSManagedObjectModel?
        weak var animal: NSEntityDescription?
        weak var dog: NSEntityDescription?
        var id: NSManagedObjectID?
        var object: NSManagedObject?
    }

    private func use(keepsID: Bool = false, keepsObject: Bool = false) throws -> Remains {
        var remains = Remains()
        let stack = try Stack(ModelLifeTests.family())
        let context = stack.context
        let owner = context.make("Owner", ["name": "o"])
        let dog = context.make("Dog", ["name": "d", "owner": owner])
        try context.save()
        #expect(try context.names("Animal", "owner.name == 'o'") == ["d"])
        #expect(owner.names("animals") == ["d"])
        remains.model = stack.model
        remains.animal = stack.model.entitiesByName["Animal"]
        remains.dog = stack.model.entitiesByName["Dog"]
        #expect(remains.model != nil && remains.animal != nil && remains.dog != nil)
        if keepsID { remains.id = dog.objectID }
        if keepsObject { remains.object = dog }
        return remains
    }

    @Test func nothing_of_an_inheriting_model_stays() throws {
        let remains = try use()
        #expect(remains.model == nil && remains.animal == nil && remains.dog == nil)
    }

    @Test func an_id_keeps_its_own_entity_only() throws {
        let remains = try use(keepsID: true)
        #expect(remains.id?.entity.name == "Dog")
        #expect(remains.animal == nil)
    }

    @Test func an_object_keeps_what_its_relationships_need() throws {
        var remains = try use(keepsObject: true)
        let dog = try #require(remains.object)
        #expect(dog.managedObjectContext == nil && dog.entity.name == "Dog")
        dog.setValue("x", forKey: "breed")
        dog.setValue(nil, forKey: "owner")
        #expect(dog.one("owner") == nil)
        remains.object = nil
    }
}
