// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Sets a value and makes another object wherever it is initialised.
private final class Eager: NSManagedObject {
    var companion: NSManagedObject?

    required init(
        entity: __shared NSEntityDescription, insertInto context: __shared NSManagedObjectContext?
    ) {
        super.init(entity: entity, insertInto: context)
        setValue("from the initialiser", forKey: "name")
        if let context, let plain = entity.managedObjectModel.entitiesByName["Plain"] {
            companion = NSManagedObject(entity: plain, insertInto: context)
        }
    }
}

/// Makes another object of its context before it is one itself.
private final class Premature: NSManagedObject {
    let companion: NSManagedObject?

    required init(
        entity: __shared NSEntityDescription, insertInto context: __shared NSManagedObjectContext?
    ) {
        let plain = entity.managedObjectModel.entitiesByName["Plain"]
        companion = context.flatMap { context in
            plain.map { NSManagedObject(entity: $0, insertInto: context) }
        }
        super.init(entity: entity, insertInto: context)
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

    @Test func an_object_made_before_the_fault_itself_traps() async {
        await #expect(processExitsWith: .failure) {
            let premature = NSEntityDescription(
                name: "Premature", managedObjectClass: Premature.self,
                properties: [NSAttributeDescription(name: "name", type: .string)])
            let plain = NSEntityDescription(
                name: "Plain", managedObjectClass: NSManagedObject.self,
                properties: [NSAttributeDescription(name: "name", type: .string)])
            let stack = try Stack(NSManagedObjectModel(entities: [premature, plain]))
            // As an insertion it may; a failure before the last line is not what is tested.
            do {
                _ = Premature(entity: premature, insertInto: stack.context)
                try stack.context.save()
                guard try stack.context.count("Plain") == 1 else { exit(0) }
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
