// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Changes of a child on top of a record that others have replaced since the child has read it.
@Suite(.inBothPlaces) struct ChildConflictTests {
    private let stack: Stack
    private let root: NSManagedObjectContext
    private let child: NSManagedObjectContext
    private let other: NSManagedObjectContext
    private let id: NSManagedObjectID

    init() throws {
        stack = try Stack(ItemModel.make())
        root = stack.container.newBackgroundContext()
        child = Stack.child(of: root)
        other = stack.container.newBackgroundContext()
        let item = other.make("Item", ["name": "a", "number": 100])
        try other.save()
        id = item.objectID
    }

    /// Has another context save a value, and its own copy of the object.
    private func others(set key: String, _ value: Any) throws {
        other.object(with: id).setValue(value, forKey: key)
        try other.save()
    }

    private func stored() throws -> String {
        try stack.reading { context in
            let item = try context.existingObject(with: id)
            return "\(item.text("name")) \(item.number("number"))"
        }
    }

    @Test func no_update_is_lost_where_the_parent_has_not_read_the_object() throws {
        let item = child.object(with: id)
        let number = item.number("number")
        try others(set: "number", 50)
        item.setValue(number + 1, forKey: "number")
        try child.save()
        #expect(code { try root.save() } == 133020)
        #expect(try stored() == "a 50")
        root.refresh(root.object(with: id), mergeChanges: true)
        try root.save()
        #expect(try stored() == "a 101")
    }

    @Test func nor_where_the_parent_has_read_it_later() throws {
        let item = child.object(with: id)
        #expect(item.text("name") == "a")
        try others(set: "name", "b")
        let held = root.object(with: id)
        #expect(held.text("name") == "b")
        item.setValue(1, forKey: "number")
        try child.save()
        #expect(code { try root.save() } == 133020)
        root.rollback()
        root.refresh(held, mergeChanges: false)
        #expect(held.text("name") == "b")
        #expect(try stored() == "b 100")
    }

    @Test(arguments: [true, false], [true, false])
    func what_the_root_has_merged_is_replaced_value_by_value(
        isHeld: Bool, merges: Bool
    ) throws {
        let item = child.object(with: id)
        #expect(item.text("name") == "a")
        let held = isHeld ? root.object(with: id) : nil
        #expect(held?.text("name") ?? "a" == "a")
        try others(set: "name", "b")
        if merges {
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: [id]], into: [root])
        } else {
            root.refresh(root.object(with: id), mergeChanges: true)
        }
        item.setValue(1, forKey: "number")
        try child.save()
        #expect(held?.text("name") ?? "b" == "b")
        try root.save()
        #expect(try stored() == "b 1")
        // What was saved behind the merge is a conflict.
        try others(set: "number", 50)
        item.setValue(2, forKey: "number")
        try child.save()
        #expect(code { try root.save() } == 133020)
        #expect(try stored() == "b 50")
    }

    @Test func nor_through_two_children() throws {
        let grandchild = Stack.child(of: child)
        let item = grandchild.object(with: id)
        #expect(item.number("number") == 100)
        try others(set: "number", 50)
        item.setValue(101, forKey: "number")
        try grandchild.save()
        try child.save()
        #expect(code { try root.save() } == 133020)
        #expect(try stored() == "a 50")
    }

    @Test func nor_by_a_deletion() throws {
        let item = child.object(with: id)
        #expect(item.number("number") == 100)
        try others(set: "number", 50)
        child.delete(item)
        try child.save()
        #expect(code { try root.save() } == 133020)
        #expect(try stored() == "a 50")
    }

    @Test(arguments: [
        (MergePolicyTests.Policy.objectTrump, "c 50"), (.storeTrump, "b 50"),
        (.overwrite, "c 100"), (.rollback, "b 50"),
    ])
    func the_roots_policy_decides(policy: MergePolicyTests.Policy, result: String) throws {
        root.mergePolicy = policy.policy
        let item = child.object(with: id)
        #expect(item.text("name") == "a")
        try others(set: "name", "b")
        try others(set: "number", 50)
        item.setValue("c", forKey: "name")
        try child.save()
        try root.save()
        #expect(try stored() == result)
    }

    @Test func a_store_that_wins_leaves_what_only_the_child_has_changed() throws {
        root.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        let item = child.object(with: id)
        #expect(item.text("name") == "a")
        try others(set: "name", "b")
        item.setValue(7, forKey: "number")
        try child.save()
        try root.save()
        #expect(try stored() == "b 7")
    }

    @Test func what_the_family_has_saved_itself_is_replaced() throws {
        let sibling = Stack.child(of: root)
        let items = [child, sibling].map { $0.object(with: id) }
        #expect(items.map { $0.number("number") } == [100, 100])
        items[0].setValue(1, forKey: "number")
        try child.save()
        try root.save()
        items[1].setValue(2, forKey: "number")
        try sibling.save()
        try root.save()
        #expect(try stored() == "a 2")
        // The child has not read its own changes again.
        items[0].setValue(3, forKey: "number")
        try child.save()
        try root.save()
        #expect(try stored() == "a 3")
        try others(set: "number", 50)
        items[0].setValue(4, forKey: "number")
        try child.save()
        #expect(code { try root.save() } == 133020)
        #expect(try stored() == "a 50")
    }

    @Test func what_a_child_has_inserted_it_goes_on_changing() throws {
        let item = child.make("Item", ["name": "new"])
        for number in 1...3 {
            item.setValue(number, forKey: "number")
            try child.save()
            try root.save()
        }
        let saved = try #require(try other.named("new", "Item"))
        #expect(saved.number("number") == 3)
        saved.setValue(50, forKey: "number")
        try other.save()
        item.setValue(4, forKey: "number")
        try child.save()
        #expect(code { try root.save() } == 133020)
    }

    @Test func a_child_that_merges_goes_on() throws {
        let item = child.object(with: id)
        #expect(item.number("number") == 100)
        try others(set: "number", 50)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [id]], into: [root, child])
        item.setValue(item.number("number") + 1, forKey: "number")
        try child.save()
        try root.save()
        #expect(try stored() == "a 51")
    }
}
