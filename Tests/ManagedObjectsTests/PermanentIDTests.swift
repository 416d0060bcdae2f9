// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Temporary IDs become permanent with the save of the root, in every context on the way.
@Suite(.inBothPlaces) struct PermanentIDTests {
    @Test func a_save_into_a_parent_keeps_temporary_ids() throws {
        let stack = try Stack(ItemModel.make())
        let root = stack.container.newBackgroundContext()
        let middle = Stack.child(of: root)
        let leaf = Stack.child(of: middle)
        let item = leaf.make("Item", ["name": "a"])
        let temporary = item.objectID
        for context in [leaf, middle] {
            try context.save()
            #expect(item.objectID == temporary && temporary.isTemporaryID)
            #expect(!item.isInserted && !item.hasChanges)
        }
        let twin = root.object(with: temporary)
        #expect(twin.isInserted && twin.objectID == temporary)
        try root.save()
        #expect(!twin.objectID.isTemporaryID)
        #expect(item.objectID == twin.objectID)
        #expect(item.objectID != temporary)
        #expect(leaf.registeredObject(for: item.objectID) === item)
        #expect(leaf.registeredObject(for: temporary) === item)
        #expect(leaf.object(with: temporary) === item)
        #expect(try leaf.all("Item") == [item])
        #expect(root.object(with: temporary) === twin)
    }

    @Test func relationships_follow_their_objects() throws {
        let stack = try Stack(PeopleModel.make())
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        let department = child.make("Department", ["name": "d"])
        let ann = child.make("Person", ["name": "Ann", "department": department])
        let bob = child.make("Person", ["name": "Bob", "spouse": ann])
        try child.save()
        try root.save()
        #expect(!department.objectID.isTemporaryID && !ann.objectID.isTemporaryID)
        #expect(ann.one("department") === department)
        #expect(department.many("employees") == [ann])
        #expect(bob.one("spouse") === ann && ann.one("spouse") === bob)
        ann.setValue(nil, forKey: "department")
        try child.save()
        try root.save()
        let other = stack.container.newBackgroundContext()
        #expect(try other.named("d", "Department")?.names("employees") == [])
        #expect(try other.named("Ann", "Person")?.one("spouse")?.text("name") == "Bob")
    }

    @Test func unsaved_changes_follow_their_objects() throws {
        let stack = try Stack(PeopleModel.make())
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        let ann = child.make("Person", ["name": "Ann"])
        try child.save()
        let tag = child.make("Tag", ["name": "t", "people": Set([ann])])
        try root.save()
        #expect(tag.objectID.isTemporaryID && !ann.objectID.isTemporaryID)
        #expect(tag.many("people") == [ann] && ann.many("tags") == [tag])
        try child.save()
        try root.save()
        #expect(!tag.objectID.isTemporaryID)
        let other = stack.container.newBackgroundContext()
        #expect(try other.named("t", "Tag")?.names("people") == ["Ann"])
    }

    @Test func obtaining_permanent_ids_reaches_the_root() throws {
        let stack = try Stack(ItemModel.make())
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        let early = child.make("Item", ["name": "early"])
        let late = child.make("Item", ["name": "late"])
        try child.obtainPermanentIDs(for: [early])
        let permanent = early.objectID
        #expect(!permanent.isTemporaryID && early.isInserted)
        try child.save()
        #expect(early.objectID == permanent && late.objectID.isTemporaryID)
        #expect(root.object(with: permanent).isInserted)
        try child.obtainPermanentIDs(for: [late])
        let second = late.objectID
        #expect(!second.isTemporaryID)
        let twin = try #require(root.registeredObject(for: second))
        #expect(twin.text("name") == "late")
        try root.save()
        #expect(early.objectID == permanent && late.objectID == second)
        #expect(root.registeredObject(for: second) === twin && twin.objectID == second)
        let other = stack.container.newBackgroundContext()
        #expect(try other.existingObject(with: permanent).text("name") == "early")
        #expect(try other.existingObject(with: second).text("name") == "late")
    }

    @Test func an_unsaved_object_of_the_parent_is_known_by_its_temporary_id() throws {
        let stack = try Stack(ItemModel.make())
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        let mine = root.make("Item", ["name": "a"])
        let theirs = child.object(with: mine.objectID)
        #expect(theirs.isFault && theirs.text("name") == "a" && !theirs.isInserted)
        try root.save()
        #expect(theirs.objectID == mine.objectID && !theirs.objectID.isTemporaryID)
        theirs.setValue("b", forKey: "name")
        try child.save()
        #expect(mine.text("name") == "b")
    }

    @Test func many_saves_with_an_idle_child() throws {
        let stack = try Stack(ItemModel.make())
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        var items: [NSManagedObject] = []
        for number in 0..<20 {
            items.append(child.object(with: root.make("Item", ["number": number]).objectID))
            try root.save()
        }
        #expect(items.map { $0.number("number") } == Array(0..<20))
        #expect(items.allSatisfy { !$0.objectID.isTemporaryID })
        #expect(Set(items.map(\.objectID)).count == 20)
    }
}
