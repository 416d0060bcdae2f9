// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Models built in code: defaults, transient properties, inheritance, look-ups.
@Suite struct ModelTests {
    @Test func a_constraint_without_properties_says_nothing() throws {
        let item = Build.entity("Item", [Build.attribute("name")])
        item.uniquenessConstraints = [[]]
        let stack = try Stack(Build.model(item))
        for _ in 0..<2 { stack.context.make("Item", ["name": "a"]) }
        try stack.context.save()
        #expect(try stack.context.count("Item") == 2)
    }

    private func shapes() -> NSManagedObjectModel {
        let shape = Build.entity(
            "Shape", [Build.attribute("name", default: "unnamed")])
        shape.isAbstract = true
        let circle = Build.entity("Circle", [Build.attribute("radius", .doubleAttributeType)])
        let square = Build.entity("Square", [Build.attribute("side", .doubleAttributeType)])
        let cube = Build.entity("Cube", [Build.attribute("depth", .doubleAttributeType)])
        square.subentities = [cube]
        shape.subentities = [circle, square]
        let board = Build.entity("Board", [])
        Build.inverse(
            Build.relationship("shapes", of: board, to: shape, max: 0),
            Build.relationship("board", of: shape, to: board, max: 1))
        return Build.model(shape, circle, square, cube, board)
    }

    @Test func defaults_are_there_before_and_after_the_save() throws {
        let entity = Build.entity(
            "Thing",
            [
                Build.attribute("text", default: "x"),
                Build.attribute("small", .integer16AttributeType, default: 7),
                Build.attribute("flag", .booleanAttributeType, default: true),
                Build.attribute("real", .doubleAttributeType, isOptional: false, default: 0.5),
                Build.attribute("none", .integer32AttributeType),
            ])
        let stack = try Stack(Build.model(entity))
        let thing = stack.context.make("Thing")
        for _ in 0..<2 {
            #expect(thing.text("text") == "x")
            #expect(thing.number("small") == 7)
            #expect(thing.value(forKey: "flag") as? Bool == true)
            #expect(thing.value(forKey: "real") as? Double == 0.5)
            #expect(thing.value(forKey: "none") == nil)
            try stack.context.save()
        }
        #expect(!thing.hasChanges)
    }

    @Test func a_default_of_the_wrong_class_traps() async {
        await #expect(processExitsWith: .failure) {
            let entity = Build.entity(
                "Thing", [Build.attribute("small", .integer16AttributeType, default: "seven")])
            _ = try Stack(Build.model(entity))
        }
    }

    @Test func transient_values_live_in_memory_only() throws {
        let transient = Build.attribute("cache")
        transient.isTransient = true
        let stack = try Stack(
            Build.model(Build.entity("Thing", [Build.attribute("name"), transient])))
        let thing = stack.context.make("Thing", ["name": "a", "cache": "b"])
        try stack.context.save()
        #expect(thing.text("cache") == "b")
        #expect(thing.text("name") == "a")
        thing.setValue("c", forKey: "name")
        try stack.context.save()
        #expect(thing.text("cache") == "b")
        #expect(thing.text("name") == "c")
        try stack.reopen()
        let read = try #require(try stack.context.all("Thing").first)
        #expect(read.value(forKey: "cache") == nil)
        #expect(read.text("name") == "c")
    }

    @Test func objects_of_subentities_are_found_by_the_ancestor() throws {
        let stack = try Stack(shapes())
        let board = stack.context.make("Board")
        stack.context.make("Circle", ["name": "c", "radius": 1.5, "board": board])
        stack.context.make("Square", ["name": "s", "side": 2, "board": board])
        stack.context.make("Cube", ["name": "q", "side": 3, "depth": 4, "board": board])
        for _ in 0..<2 {
            #expect(try stack.context.names("Shape", "TRUEPREDICATE") == ["c", "q", "s"])
            #expect(try stack.context.names("Square", "TRUEPREDICATE") == ["q", "s"])
            #expect(try stack.context.names("Square", "side > 2") == ["q"])
            #expect(try stack.context.count("Cube") == 1)
            let alone = NSFetchRequest<NSManagedObject>(entityName: "Square")
            alone.includesSubentities = false
            #expect(try stack.context.fetch(alone).map { $0.text("name") } == ["s"])
            #expect(try stack.context.count(for: alone) == 1)
            try stack.context.save()
        }
        try stack.reopen()
        let found = try stack.context.all("Shape")
        #expect(Set(found.map { $0.entity.name }) == ["Circle", "Square", "Cube"])
        let read = try #require(try stack.context.all("Board").first)
        #expect(read.names("shapes") == ["c", "q", "s"])
        let cube = try #require(found.first { $0.entity.name == "Cube" })
        #expect(cube.one("board") === read)
        stack.context.delete(read)
        try stack.context.save()
        #expect(cube.one("board") == nil)
    }

    @Test func entities_know_their_relatives() {
        let model = shapes()
        let entities = model.entitiesByName
        #expect(entities["Cube"]?.superentity === entities["Square"])
        #expect(entities["Cube"]?.attributesByName.keys.sorted() == ["depth", "name", "side"])
        #expect(entities["Cube"]?.relationshipsByName.keys.sorted() == ["board"])
        #expect(entities["Shape"]?.subentitiesByName.keys.sorted() == ["Circle", "Square"])
        #expect(entities["Cube"]!.isKindOf(entity: entities["Shape"]!))
        #expect(!entities["Shape"]!.isKindOf(entity: entities["Cube"]!))
    }

    @Test func an_abstract_entity_cannot_be_inserted() async {
        await #expect(processExitsWith: .failure) {
            let base = Build.entity("Base", [])
            base.isAbstract = true
            let stack = try Stack(Build.model(base))
            stack.context.make("Base")
        }
    }

    @Test func a_model_in_use_cannot_be_edited() async {
        await #expect(processExitsWith: .failure) {
            let model = ItemModel.make()
            _ = try Stack(model)
            model.entities[0].name = "Other"
        }
    }

    @Test func the_user_info_of_a_model_in_use_may_be_set() throws {
        let model = ItemModel.make()
        let entity = model.entities[0]
        let name = try #require(entity.attributesByName["name"])
        name.userInfo = ["a": 1]
        let stack = try Stack(model)
        stack.context.make("Item", ["name": "x"])
        let copy = try #require(name.copy() as? NSAttributeDescription)
        name.userInfo?["b"] = 2
        entity.userInfo = ["seen": true]
        #expect(name.userInfo as? [String: Int] == ["a": 1, "b": 2])
        #expect(copy.userInfo as? [String: Int] == ["a": 1])
        #expect(stack.context.insertedObjects.first?.entity.userInfo?["seen"] as? Bool == true)
        let models = try #require(model.copy() as? NSManagedObjectModel)
        #expect(models.entitiesByName["Item"]?.userInfo?["seen"] as? Bool == true)
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            name.userInfo = number % 2 == 0 ? nil : ["a": number]
            #expect(name.userInfo?["b"] == nil)
        }
        name.userInfo = nil
        #expect(name.userInfo == nil)
    }

    @Test func an_abstract_entity_without_subentities_finds_nothing() throws {
        let base = Build.entity("Base", [])
        base.isAbstract = true
        let stack = try Stack(Build.model(base))
        #expect(try stack.context.all("Base").isEmpty)
    }
}
