// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Sets a value and makes another object wherever it is initialised.
private final class Eager: NSManagedObject {
    var companion: NSManagedObject?

    required init(
        entity: NSEntityDescription, insertInto context: NSManagedObjectContext?
    ) {
        super.init(entity: entity, insertInto: context)
        setValue("from the initialiser", forKey: "name")
        if let context, let plain = entity.managedObjectModel.entitiesByName["Plain"] {
            companion = NSManagedObject(entity: plain, insertInto: context)
        }
    }
}

/// Makes another object of its context before it is one itself.
private final class Early: NSManagedObject {
    let companion: NSManagedObject?

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        let plain = entity.managedObjectModel.entitiesByName["Plain"]
        companion = context.flatMap { context in
            plain.map { NSManagedObject(entity: $0, insertInto: context) }
        }
        super.init(entity: entity, insertInto: context)
    }
}

/// Has nothing to do with the entities that its objects are made of.
private final class Bystander: NSManagedObject {}

/// Makes another object of its entity and context before it is one itself.
private final class Premature: NSManagedObject {
    let companion: NSManagedObject?

    required init(
        entity: NSEntityDescription, insertInto context: NSManagedObjectContext?
    ) {
        companion = context.map { Bystander(entity: entity, insertInto: $0) }
        super.init(entity: entity, insertInto: context)
    }
}

/// Has its context look up the objects that a list names, once it is one itself.
private final class Reaching: NSManagedObject {
    var reached: [NSManagedObject] = []

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        guard let context, let wanted = context.userInfo["wanted"] as? [NSManagedObjectID] else {
            return
        }
        context.userInfo["wanted"] = nil
        reached = wanted.map { context.object(with: $0) }
    }
}

/// The initialiser also runs for faults; what it sets there is not a change.
@Suite struct FaultInitialiserTests {
    private func stack() throws -> Stack {
        let name = NSAttributeDescription(name: "name", type: .string)
        let plainName = NSAttributeDescription(name: "name", type: .string)
        return try Stack(
            NSManagedObjectModel(entities: [
                NSEntityDescription(
                    name: "Eager", managedObjectClass: Eager.self, properties: [name]),
                NSEntityDescription(
                    name: "Plain", managedObjectClass: NSManagedObject.self,
                    properties: [plainName]),
            ]))
    }

    @Test func values_of_the_initialiser_do_not_hide_the_stored_ones() throws {
        let stack = try stack()
        let entity = try #require(stack.model.entitiesByName["Eager"])
        let made = Eager(entity: entity, insertInto: stack.context)
        #expect(made.text("name") == "from the initialiser")
        made.setValue("stored", forKey: "name")
        try stack.context.save()
        #expect(try stack.context.count("Plain") == 1)

        let other = stack.container.newBackgroundContext()
        let found = try #require(try other.all("Eager").first as? Eager)
        #expect(found.isFault && !found.hasChanges)
        #expect(found.text("name") == "stored")
        #expect(found.managedObjectContext === other)
    }

    @Test func an_object_made_while_a_fault_is_initialised_is_an_insertion() throws {
        let stack = try stack()
        let entity = try #require(stack.model.entitiesByName["Eager"])
        _ = Eager(entity: entity, insertInto: stack.context)
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        let found = try #require(try other.all("Eager").first as? Eager)
        let companion = try #require(found.companion)
        #expect(companion.isInserted && !companion.isFault)
        #expect(other.insertedObjects == [companion])
        try other.save()
        #expect(try stack.context.count("Plain") == 2)
    }

    @Test func an_object_of_another_entity_may_be_made_before_the_fault() throws {
        let early = NSEntityDescription(
            name: "Early", managedObjectClass: Early.self,
            properties: [NSAttributeDescription(name: "name", type: .string)])
        let plain = NSEntityDescription(
            name: "Plain", managedObjectClass: NSManagedObject.self,
            properties: [NSAttributeDescription(name: "name", type: .string)])
        let stack = try Stack(NSManagedObjectModel(entities: [early, plain]))
        _ = Early(entity: early, insertInto: stack.context)
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        let found = try #require(try other.all("Early").first as? Early)
        #expect(found.isFault)
        #expect(found.companion.map { other.insertedObjects == [$0] } == true)
    }

    @Test func an_initialiser_may_look_up_objects_that_the_fetch_is_about_to_make() throws {
        let stack = try Stack(
            NSManagedObjectModel(entities: [
                NSEntityDescription(
                    name: "Reaching", managedObjectClass: Reaching.self,
                    properties: [NSAttributeDescription(name: "number", type: .integer64)])
            ]))
        for number in 1...100 { stack.context.make("Reaching", ["number": number]) }
        try stack.context.save()
        let ids = try stack.context.all("Reaching").map(\.objectID)
        let other = stack.container.newBackgroundContext()
        try other.performAndWait {
            // Of the same block of rows, of the same batch, and of later ones.
            other.userInfo["wanted"] = [1, 5, 30, 31, 32, 70, 99].map { ids[$0] }
            let found = try other.all("Reaching")
            #expect(found.map(\.objectID) == ids)
            let first = try #require(found[0] as? Reaching)
            #expect(first.reached == [1, 5, 30, 31, 32, 70, 99].map { found[$0] })
            #expect(other.registeredObjects.count == 100)
            #expect(found.map { $0.number("number") } == Array(1...100))
        }
    }

    @Test func initialisers_of_subclasses_count_no_references_too_few() throws {
        weak var context: NSManagedObjectContext?
        weak var entity: NSEntityDescription?
        do {
            let stack = try stack()
            entity = stack.model.entitiesByName["Eager"]
            for _ in 0..<50 { stack.context.make("Eager") }
            try stack.context.save()
            let other = stack.container.newBackgroundContext()
            context = other
            for _ in 0..<3 {
                #expect(try other.all("Eager").count == 50)
                other.reset()
            }
            #expect(context === other && other.persistentStoreCoordinator != nil)
            #expect(entity?.name == "Eager")
        }
        #expect(context == nil && entity == nil)
    }

    @Test func an_object_made_before_the_fault_itself_traps() async {
        await #expect(processExitsWith: .failure) {
            let premature = NSEntityDescription(
                name: "Premature", managedObjectClass: Premature.self,
                properties: [NSAttributeDescription(name: "name", type: .string)])
            let stack = try Stack(NSManagedObjectModel(entities: [premature]))
            // As an insertion it may; a failure before the last line is not what is tested.
            do {
                _ = Premature(entity: premature, insertInto: stack.context)
                try stack.context.save()
                guard try stack.context.count("Premature") == 2 else { exit(0) }
            } catch { exit(0) }
            let other = stack.container.newBackgroundContext()
            _ = try other.all("Premature")
            exit(0)
        }
    }

    @Test func an_object_without_a_context_keeps_what_it_needs_of_its_model() throws {
        func detached() throws -> NSManagedObject {
            let stack = try stack()
            let entity = try #require(stack.model.entitiesByName["Plain"])
            let object = NSManagedObject(entity: entity, insertInto: stack.context)
            object.setValue("kept", forKey: "name")
            stack.context.delete(object)
            stack.context.processPendingChanges()
            return object
        }
        let object = try detached()
        #expect(object.entity.name == "Plain")
        #expect(object.managedObjectContext == nil)
    }
}
