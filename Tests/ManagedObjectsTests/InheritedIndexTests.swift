// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Fetch indexes of a subentity that are named as one of its ancestors'.
@Suite struct InheritedIndexTests {
    /// Items and subitems, which have an index of one name over a property each.
    private static func model(
        _ properties: String..., condition: NSPredicate? = nil
    ) -> NSManagedObjectModel {
        let item = Build.entity(
            "Item", [Build.attribute("name"), Build.attribute("year", .integer64AttributeType)])
        let entities = [item] + (1..<properties.count).map { Build.entity("Sub\($0)", []) }
        for (entity, property) in zip(entities, properties) {
            let element = NSFetchIndexElementDescription(
                property: item.propertiesByName[property]!, collationType: .binary)
            entity.indexes = [NSFetchIndexDescription(name: "main", elements: [element])]
        }
        entities.last?.indexes.first?.partialIndexPredicate = condition
        for (parent, entity) in zip(entities, entities.dropFirst()) {
            parent.subentities = [entity]
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private static func request(
        _ entity: String, _ format: String
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        return request
    }

    private static func plan(
        _ entity: String, _ format: String, _ context: NSManagedObjectContext
    ) throws -> String {
        try context.explain(request(entity, format))
    }

    private static func fill(_ stack: Stack, _ entities: String...) throws {
        for number in 0..<60 {
            stack.context.make(
                entities[number % entities.count], ["name": "n\(number)", "year": number])
        }
        try stack.context.save()
    }

    @Test func one_may_be_over_other_properties() throws {
        let stack = try Stack(Self.model("name", "year"))
        try Self.fill(stack, "Item", "Sub1")
        for (format, entity, count) in [
            ("name == 'n7'", "Item", 1), ("name == 'n7'", "Sub1", 1), ("year == 7", "Sub1", 1),
            ("name == 'n8'", "Sub1", 0), ("year > 51", "Sub1", 4), ("year > 51", "Item", 8),
        ] {
            let found = try stack.context.count(for: Self.request(entity, format))
            #expect(found == count, "\(entity): \(format)")
        }
        #expect(try Self.plan("Sub1", "year == 7", stack.context).contains("range Sub1.main:"))
        #expect(try Self.plan("Sub1", "name == 'n7'", stack.context).contains("range main:"))
        #expect(try Self.plan("Item", "year == 7", stack.context).contains("scan Item"))
    }

    @Test func the_same_index_again_changes_nothing() throws {
        let stack = try Stack(Self.model("name", "name", "name"))
        try Self.fill(stack, "Item", "Sub1", "Sub2")
        #expect(try Self.plan("Sub2", "name == 'n8'", stack.context).contains("range main:"))
        #expect(try Self.plan("Item", "name == 'n8'", stack.context).contains("range main:"))
    }

    @Test func one_may_have_a_condition_of_its_own() throws {
        let condition = NSPredicate(format: "year > 30")
        let stack = try Stack(Self.model("year", "year", condition: condition))
        try Self.fill(stack, "Item", "Sub1")
        for (format, count) in [("year == 35", 1), ("year == 7", 1), ("year > 50", 5)] {
            let found = try stack.context.count(for: Self.request("Sub1", format))
            #expect(found == count, "\(format)")
        }
    }

    @Test func files_are_opened_by_models_with_other_ones() throws {
        let stack = try Stack(Self.model("name", "year"))
        try Self.fill(stack, "Item", "Sub1")
        let first = stack.container.persistentStoreCoordinator
        try first.remove(try #require(first.persistentStores.first))
        for (above, below) in [("year", "year"), ("year", "name"), ("name", "year")] {
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: Self.model(above, below))
            let store = try coordinator.addPersistentStore(type: .sqlite, at: stack.url)
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            let found = try context.count(for: Self.request("Sub1", "year == 7 OR name == 'n9'"))
            #expect(found == 2, "\(above), \(below)")
            try coordinator.remove(store)
        }
    }

    @Test func two_of_one_entity_are_refused() async {
        await #expect(processExitsWith: .failure) {
            let model = Self.model("name")
            let item = try #require(model.entitiesByName["Item"])
            item.indexes += [
                NSFetchIndexDescription(name: "main", elements: item.indexes[0].elements)
            ]
            _ = try Stack(model)
        }
    }
}
