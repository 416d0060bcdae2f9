// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// A colour by its parts, which no store keeps as it is.
private final class Colour: NSObject {
    let parts: [UInt8]

    init(_ parts: UInt8...) { self.parts = parts }
}

/// Turns colours into data.
private final class ColourTransformer: ManagedObjects.ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Colour).map { Data($0.parts) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { $0.count == 3 ? Colour($0[0], $0[1], $0[2]) : Colour() }
    }
}

/// Defaults of attributes and of descriptions themselves.
@Suite struct DescriptionDefaultTests {
    private static func colour(_ name: String) -> NSAttributeDescription {
        let colour = Build.attribute("colour", .transformableAttributeType, isOptional: false)
        colour.valueTransformerName = name
        colour.defaultValue = Colour(1, 2, 3)
        return colour
    }

    private func parts(_ object: NSManagedObject?) -> [UInt8]? {
        (object?.value(forKey: "colour") as? Colour)?.parts
    }

    @Test func a_transformable_attribute_has_any_default() throws {
        let name = "DescriptionDefaultTests.colour"
        ManagedObjects.ValueTransformer.setValueTransformer(
            ColourTransformer(), forName: NSValueTransformerName(name))
        let stack = try Stack(
            Build.model(Build.entity("Wall", [Self.colour(name), Build.attribute("name")])))
        let wall = stack.context.make("Wall", ["name": "set"])
        #expect(parts(wall) == [1, 2, 3])
        stack.context.make("Wall", ["name": "other", "colour": Colour(7, 8, 9)])
        try stack.context.save()
        try stack.context.execute(
            NSBatchInsertRequest(entityName: "Wall", objects: [["name": "batch"]]))
        try stack.reopen()
        let colours: [(String, [UInt8])] = [
            ("set", [1, 2, 3]), ("other", [7, 8, 9]), ("batch", [1, 2, 3]),
        ]
        for (wall, colour) in colours {
            #expect(parts(try stack.context.named(wall, "Wall")) == colour)
        }
        let stored = try NSManagedObjectModel.stored(at: stack.url)
        let attribute = stored.entitiesByName["Wall"]?.attributesByName["colour"]
        #expect((attribute?.defaultValue as? Colour)?.parts == [1, 2, 3])
        let reader = NSPersistentStoreCoordinator(managedObjectModel: stored)
        try reader.addPersistentStore(
            type: .sqlite, at: stack.url, options: [LodeDurabilityOption: "none"])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = reader
        #expect(parts(context.make("Wall")) == [1, 2, 3])
    }

    @Test func a_default_that_cannot_be_stored_is_named() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = try Stack(Build.model(Build.entity("Wall", [Self.colour("Nobody")])))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Wall.colour") && text.contains("needs the transformer Nobody"))
    }

    private func cached() throws -> Stack {
        let cache = Build.attribute("cache", .integer32AttributeType, isOptional: false, default: 7)
        cache.isTransient = true
        return try Stack(Build.model(Build.entity("Thing", [Build.attribute("name"), cache])))
    }

    @Test func a_mandatory_transient_default_survives_a_fetch() throws {
        let stack = try cached()
        stack.context.make("Thing", ["name": "a"])
        try stack.context.save()
        try stack.reopen()
        let thing = try #require(try stack.context.all("Thing").first)
        #expect(thing.number("cache") == 7)
        thing.setValue("b", forKey: "name")
        try stack.context.save()
        #expect(thing.number("cache") == 7 && thing.text("name") == "b")
        thing.setValue(9, forKey: "cache")
        thing.setValue("c", forKey: "name")
        try stack.context.save()
        #expect(thing.number("cache") == 9)
        stack.context.refresh(thing, mergeChanges: false)
        #expect(thing.number("cache") == 7)
        thing.setValue("d", forKey: "name")
        try stack.context.save()
        #expect(try stack.context.names("Thing", "TRUEPREDICATE") == ["d"])
    }

    @Test func a_child_context_and_undo_have_the_transient_default() throws {
        let stack = try cached()
        stack.context.make("Thing", ["name": "a"])
        try stack.context.save()
        let child = Stack.child(of: stack.context)
        try child.performAndWait {
            let thing = try #require(try child.all("Thing").first)
            #expect(thing.number("cache") == 7)
            thing.setValue("b", forKey: "name")
            try child.save()
        }
        try stack.context.save()
        stack.context.undoManager = ManagedObjects.UndoManager()
        let thing = try #require(try stack.context.all("Thing").first)
        thing.setValue(8, forKey: "cache")
        stack.context.processPendingChanges()
        stack.context.undo()
        #expect(thing.number("cache") == 7)
        thing.setValue("c", forKey: "name")
        try stack.context.save()
        stack.context.delete(thing)
        try stack.context.save()
        #expect(thing.value(forKey: "cache") == nil)
    }

    @Test func user_info_can_be_filled() throws {
        let descriptions: [NSPropertyDescription] = [
            NSPropertyDescription(), NSAttributeDescription(), NSRelationshipDescription(),
            NSFetchedPropertyDescription(), NSExpressionDescription(),
        ]
        for description in descriptions {
            #expect(description.userInfo?.isEmpty == true)
            description.userInfo?["x"] = 1
            #expect(description.userInfo?["x"] as? Int == 1)
            let copy = description.copy() as? NSPropertyDescription
            #expect(copy?.userInfo?["x"] as? Int == 1)
        }
        let entity = NSEntityDescription()
        #expect(entity.userInfo?.isEmpty == true)
        entity.userInfo?["y"] = "z"
        #expect(entity.userInfo?["y"] as? String == "z")
        entity.userInfo = nil
        #expect(entity.userInfo == nil)
    }

    @Test func user_info_of_a_model_in_use_may_be_set_by_any_thread() async throws {
        let model = ItemModel.make()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        let stack = try Stack(model)
        let item = try #require(stack.model.entitiesByName["Item"])
        let name = try #require(item.propertiesByName["name"])
        try await runOnThreads(
            (0..<4).map { number in
                {
                    for _ in 0..<200 {
                        item.userInfo = ["written": number]
                        name.userInfo?["written"] = item.userInfo?["written"]
                    }
                }
            })
        #expect((0..<4).contains(item.userInfo?["written"] as? Int ?? -1))
        #expect((0..<4).contains(name.userInfo?["written"] as? Int ?? -1))
        #expect(copy.entitiesByName["Item"]?.userInfo?.isEmpty == true)
        #expect(copy != model && copy.entityVersionHashesByName == model.entityVersionHashesByName)
        let twin = item.copy() as? NSEntityDescription
        #expect(twin?.userInfo?["written"] as? Int == item.userInfo?["written"] as? Int)
        #expect(twin?.propertiesByName["name"]?.userInfo?["written"] is Int)
    }
}
