// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Testing

/// Access by place does what access by key does.
@Suite struct PropertyPlaceTests {
    private static let values: [(String, Value)] = [
        ("short", .integer16(-5)), ("number", .integer64(1 << 60)), ("middle", .integer32(70000)),
        ("ratio", .double(-0.0)), ("part", .float(0.25)),
        ("price", .decimal(DecimalValue(significand: 125, exponent: -1, isNegative: true))),
        ("flag", .boolean(true)), ("text", .string("e\u{301}")), ("date", .date(12.5)),
        ("data", .binaryData([0, 1, 255])), ("id", .uuid(UUIDValue(high: 1, low: 2))),
        ("link", .uri("https://e.org/x")), ("text", .null),
    ]

    @Test(arguments: [false, true]) func all_types_are_set_and_read(byKey: Bool) throws {
        let stack = try Stack(ThingModel.make())
        let thing = stack.context.make("Thing", ["text": "former"])
        let twin = stack.context.make("Thing", ["text": "former"])
        for (name, value) in Self.values {
            thing.put(value, name, byKey: byKey)
            twin.put(value, name, byKey: !byKey)
            #expect(thing.value(at: thing.attribute(name)) == value)
            #expect(thing.value(forKey: name) as? NSObject == twin.value(forKey: name) as? NSObject)
        }
        #expect(thing.changedValues().count == twin.changedValues().count)
        try stack.context.save()
        try stack.reopen()
        for thing in try stack.context.all("Thing") {
            for (name, value) in Self.values where name != "text" {
                #expect(thing.value(at: thing.attribute(name)) == value)
            }
            #expect(thing.value(at: thing.attribute("text")) == .null)
        }
    }

    @Test func a_fault_fires_and_a_change_is_noted() throws {
        let stack = try Stack(ThingModel.make())
        stack.context.make("Thing", ["number": 1, "text": "a"])
        try stack.context.save()
        try stack.reopen()
        let thing = try #require(try stack.context.all("Thing").first)
        #expect(thing.isFault)
        #expect(thing.value(at: thing.attribute("number")) == .integer64(1))
        #expect(!thing.isFault && !thing.hasChanges)
        let recorder = ChangeRecorder(stack.context)
        thing.setValue(.integer64(2), at: thing.attribute("number"))
        #expect(thing.isUpdated && stack.context.updatedObjects == [thing])
        #expect(thing.changedValues() as? [String: Int] == ["number": 2])
        #expect(thing.committedValues(forKeys: ["number"]) as? [String: Int] == ["number": 1])
        stack.context.processPendingChanges()
        #expect(recorder.take() == [[NSUpdatedObjectsKey: [thing]]])
        stack.context.refresh(thing, mergeChanges: false)
        #expect(thing.isFault)
        thing.setValue(.integer64(3), at: thing.attribute("number"))
        #expect(!thing.isFault && thing.text("text") == "a")
        stack.context.rollback()
        #expect(thing.value(at: thing.attribute("number")) == .integer64(1))
    }

    @Test func a_child_has_its_own_changes() throws {
        let stack = try Stack(ThingModel.make())
        let original = stack.context.make("Thing", ["number": 1])
        let other = stack.context.make("Other", ["name": "x"])
        try stack.context.save()
        let child = Stack.child(of: stack.context)
        let thing = child.object(with: original.objectID)
        #expect(thing.value(at: thing.attribute("number")) == .integer64(1))
        thing.setValue(.integer64(2), at: thing.attribute("number"))
        thing.setDestination(child.object(with: other.objectID), at: thing.toOne("one"))
        #expect(original.number("number") == 1 && original.one("one") == nil)
        try child.save()
        #expect(original.value(at: original.attribute("number")) == .integer64(2))
        #expect(original.destination(at: original.toOne("one")) === other)
        #expect(other.many("things") == [original])
    }

    @Test(arguments: [false, true]) func a_deleted_object_takes_values(byKey: Bool) throws {
        let stack = try Stack(ThingModel.make())
        let thing = stack.context.make("Thing", ["number": 1])
        try stack.context.save()
        stack.context.delete(thing)
        thing.put(.integer64(2), "number", byKey: byKey)
        #expect(thing.value(at: thing.attribute("number")) == .integer64(2))
        #expect(thing.isDeleted && !thing.isUpdated)
        try stack.context.save()
        #expect(thing.managedObjectContext == nil)
        #expect(thing.value(at: thing.attribute("number")) == .null)
        thing.put(.integer64(3), "number", byKey: byKey)
        #expect(thing.number("number") == 3 && !thing.hasChanges)
        #expect(try stack.context.count("Thing") == 0)
    }

    @Test func an_object_without_context_has_values() throws {
        let stack = try Stack(ThingModel.make())
        let entity = try #require(
            NSEntityDescription.entity(forEntityName: "Thing", in: stack.context))
        let thing = NSManagedObject(entity: entity, insertInto: nil)
        thing.setValue(.string("a"), at: thing.attribute("text"))
        #expect(thing.value(at: thing.attribute("text")) == .string("a"))
        stack.context.insert(thing)
        #expect(thing.text("text") == "a")
    }

    @Test func changes_are_undone_and_redone() throws {
        let stack = try Stack(ThingModel.make())
        let context = stack.context
        let thing = context.make("Thing", ["text": "a"])
        let others = ["x", "y", "z"].map { context.make("Other", ["name": $0]) }
        thing.setValue(others[0], forKey: "one")
        try context.save()
        context.undoManager = UndoManager()
        thing.setValue(.string("b"), at: thing.attribute("text"))
        thing.setDestination(others[1], at: thing.toOne("one"))
        #expect(thing.addDestinations(others, at: thing.toMany("many")) == 3)
        #expect(thing.addDestinations(others, at: thing.toMany("list")) == 3)
        context.processPendingChanges()
        context.undo()
        #expect(thing.text("text") == "a" && thing.one("one") === others[0])
        #expect(thing.many("many").isEmpty && others[1].many("things").isEmpty)
        #expect((thing.value(forKey: "list") as? NSOrderedSet)?.count == 0)
        context.redo()
        #expect(thing.text("text") == "b" && others[1].many("things") == [thing])
        #expect(thing.names("many") == ["x", "y", "z"] && others[2].one("lister") === thing)
    }

    @Test func relationships_keep_their_inverses() throws {
        let stack = try Stack(ThingModel.make())
        let context = stack.context
        let thing = context.make("Thing")
        let others = ["x", "y", "z"].map { context.make("Other", ["name": $0]) }
        thing.setDestination(others[0], at: thing.toOne("one"))
        #expect(thing.destination(at: thing.toOne("one")) === others[0])
        #expect(others[0].many("things") == [thing])
        #expect(thing.addDestinations([others[0]], at: thing.toMany("many")) == 1)
        #expect(thing.addDestinations([others[2], others[0]], at: thing.toMany("list")) == 2)
        try context.save()
        #expect(thing.addDestinations([others[0]], at: thing.toMany("many")) == 0)
        #expect(thing.addDestinations([others[0]], at: thing.toMany("list")) == 0)
        #expect(thing.addDestinations([], at: thing.toMany("list")) == 0)
        #expect(!context.hasChanges)
        let more = [others[1], others[0], others[1]]
        #expect(thing.addDestinations(more, at: thing.toMany("many")) == 1)
        #expect(thing.addDestinations(more, at: thing.toMany("list")) == 1)
        thing.setDestination(nil, at: thing.toOne("one"))
        #expect(thing.destination(at: thing.toOne("one")) == nil)
        #expect(others[0].many("things").isEmpty && others[1].many("owners") == [thing])
        try context.save()
        try stack.reopenChecked()
        let read = try #require(try stack.context.all("Thing").first)
        #expect(read.names("many") == ["x", "y"])
        let list = try #require(read.value(forKey: "list") as? NSOrderedSet)
        #expect(list.compactMap { ($0 as? NSManagedObject)?.text("name") } == ["z", "x", "y"])
    }

    @Test func a_place_holds_for_entities_below() throws {
        let stack = try Stack(ThingModel.make())
        let special = stack.context.make("Special", ["text": "a"])
        let other = stack.context.make("Other")
        special.setValue(.integer64(7), at: special.attribute("number", of: "Thing"))
        special.setDestination(other, at: special.toOne("one", of: "Thing"))
        #expect(special.addDestinations([other], at: special.toMany("many", of: "Thing")) == 1)
        #expect(special.number("number") == 7 && other.many("things") == [special])
        #expect(other.many("owners") == [special])
        #expect(special.value(at: special.attribute("text", of: "Thing")) == .string("a"))
        #expect(special.destination(at: special.toOne("one", of: "Thing")) === other)
        #expect(special.value(at: special.attribute("zoo")) == .null)
    }

    @Test func validation_is_that_of_the_save() throws {
        let model = ThingModel.make()
        model.entitiesByName["Thing"]?.attributesByName["text"]?.isOptional = false
        let stack = try Stack(model)
        let thing = stack.context.make("Thing", ["text": "a"])
        thing.setValue(.null, at: thing.attribute("text"))
        #expect(code { try stack.context.save() } == 1570)
        thing.setValue(.string(""), at: thing.attribute("text"))
        #expect(code { try stack.context.save() } == nil)
    }

    @Test func not_every_property_has_a_place() throws {
        let stack = try Stack(ThingModel.make())
        defer { withExtendedLifetime(stack) {} }
        let thing = stack.context.make("Thing").entity
        for name in ["any", "reference", "one", "many", "nothing"] {
            #expect(thing.place(ofAttribute: name) == nil)
        }
        #expect(thing.place(ofToOne: "many") == nil && thing.place(ofToOne: "text") == nil)
        #expect(thing.place(ofToMany: "one") == nil && thing.place(ofToMany: "text") == nil)
    }
}
