// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Writes its name in capitals, once validated, and counts its own saves.
final class Shouting: NSManagedObject {
    override func validateForInsert() throws {
        try super.validateForInsert()
        shout()
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        shout()
    }

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        try super.validateValue(&value, forKey: key)
        if key == "number", value as? Int == 0 { value = 7 }
    }

    override func willSave() {
        super.willSave()
        setPrimitiveValue("seen", forKey: "note")
    }

    private func shout() {
        let loud = text("name").uppercased()
        if text("name") != loud { setValue(loud, forKey: "name") }
    }
}

/// What a child context's save checks, and what is left to the root's.
@Suite(.inBothPlaces) struct ChildRuleTests {
    private func shoutingModel() -> NSManagedObjectModel {
        Build.model(
            Build.entity(
                "Item",
                [
                    Build.attribute("name"), Build.attribute("note"),
                    Build.attribute("number", .integer64AttributeType, default: 0),
                ], class: Shouting.self))
    }

    @Test func values_that_validation_sets_in_a_child_are_pushed() throws {
        let stack = try Stack(shoutingModel())
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        let item = child.make("Item", ["name": "ann"])
        try child.save()
        let twin = try #require(try root.named("ANN", "Item"))
        #expect(item.text("name") == "ANN" && twin.text("note") == "seen")
        #expect(item.number("number") == 7 && twin.number("number") == 7)
        try root.save()
        item.setValue("bob", forKey: "name")
        try child.save()
        #expect(twin.text("name") == "BOB" && item.text("name") == "BOB")
        try root.save()
        #expect(try stack.reading { try $0.names("Item", "number == 7") } == ["BOB"])
    }

    @Test func a_uniqueness_constraint_is_met_when_the_root_saves() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        stack.context.make("Item", ["name": "a", "number": 1])
        try stack.context.save()
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        let item = child.make("Item", ["name": "a", "number": 2])
        try child.save()
        #expect(!child.hasChanges && root.insertedObjects.count == 1)
        #expect(code { try root.save() } == 133021)
        #expect(root.insertedObjects.count == 1)
        item.setValue("b", forKey: "name")
        try child.save()
        try root.save()
        #expect(try stack.reading { try $0.names("Item", "TRUEPREDICATE") } == ["a", "b"])
    }

    @Test func the_roots_policy_resolves_what_a_child_has_inserted() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        let root = stack.container.newBackgroundContext()
        root.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let child = Stack.child(of: root)
        child.make("Item", ["name": "a", "number": 1])
        try child.save()
        try root.save()
        child.reset()
        child.make("Item", ["name": "a", "number": 2])
        try child.save()
        try root.save()
        let numbers = try stack.reading { try $0.all("Item").map { $0.number("number") } }
        #expect(numbers == [2])
    }

    @Test func two_of_a_name_in_siblings_collide_at_the_root() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        let root = stack.container.newBackgroundContext()
        let children = [Stack.child(of: root), Stack.child(of: root)]
        for child in children {
            child.make("Item", ["name": "a"])
            try child.save()
        }
        #expect(code { try root.save() } == 133021)
        #expect(root.insertedObjects.count == 2)
    }
}
