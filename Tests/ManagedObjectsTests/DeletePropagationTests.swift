// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Notes its preparations for deletion.
final class TreeNode: NSManagedObject {
    var prepared: [String] = []

    override func prepareForDeletion() {
        super.prepareForDeletion()
        prepared.append(names("children").joined())
    }
}

/// When deletions spread, how far, and what each object is told.
@Suite(.inBothPlaces) struct DeletePropagationTests {
    private func tree() throws -> (Stack, [NSManagedObject]) {
        let node = Build.entity("Node", [Build.attribute("name")], class: TreeNode.self)
        Build.inverse(
            Build.relationship("children", of: node, to: node, max: 0, rule: .cascadeDeleteRule),
            Build.relationship("parent", of: node, to: node, max: 1))
        let stack = try Stack(Build.model(node))
        let nodes = ["a", "b", "c"].map { stack.context.make("Node", ["name": $0]) }
        nodes[1].setValue(nodes[0], forKey: "parent")
        nodes[2].setValue(nodes[1], forKey: "parent")
        try stack.context.save()
        return (stack, nodes)
    }

    @Test func preparation_comes_at_once_and_for_others_when_they_are_reached() throws {
        let (stack, nodes) = try tree()
        func prepared() -> [[String]] { nodes.map { ($0 as? TreeNode)?.prepared ?? [] } }
        stack.context.delete(nodes[0])
        #expect(prepared() == [["b"], [], []])
        #expect(stack.context.deletedObjects == [nodes[0]] && !nodes[1].isDeleted)
        #expect(nodes[1].one("parent") === nodes[0])
        stack.context.processPendingChanges()
        #expect(prepared() == [["b"], ["c"], [""]])
        #expect(stack.context.deletedObjects == Set(nodes))
        stack.context.processPendingChanges()
        try stack.context.save()
        #expect(prepared() == [["b"], ["c"], [""]])
        #expect(try stack.context.count("Node") == 0)
    }

    @Test func deny_is_judged_after_cascades_of_the_same_save() throws {
        let owner = Build.entity("Owner", [Build.attribute("name")])
        let item = Build.entity("Item", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("items", of: owner, to: item, max: 0, rule: .denyDeleteRule),
            Build.relationship("owner", of: item, to: owner, max: 1))
        let shop = Build.entity("Shop", [Build.attribute("name")])
        Build.relationship("owners", of: shop, to: owner, max: 0, rule: .cascadeDeleteRule)
        Build.relationship("items", of: shop, to: item, max: 0, rule: .cascadeDeleteRule)
        let stack = try Stack(Build.model(owner, item, shop))
        let context = stack.context
        let first = context.make("Owner")
        let one = context.make("Item", ["owner": first])
        let all = context.make("Shop", ["owners": [first] as Set, "items": [one] as Set])
        try context.save()
        context.delete(first)
        #expect(code { try context.save() } == 1600)
        context.rollback()
        context.delete(all)
        try context.save()
        #expect(try context.count("Owner") == 0)
        #expect(try context.count("Item") == 0)
    }

    @Test func what_was_inserted_and_deleted_leaves_no_trace() throws {
        let (stack, nodes) = try tree()
        let context = stack.context
        let changes = ChangeRecorder(context)
        let saves = ChangeRecorder(context, .NSManagedObjectContextDidSave)
        let trace = context.make("Node", ["name": "d", "parent": nodes[2]])
        context.processPendingChanges()
        #expect(changes.take() == [["inserted": [trace], "updated": [nodes[2]]]])
        context.delete(trace)
        #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
        context.processPendingChanges()
        #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
        #expect(changes.take() == [["deleted": [trace], "updated": [nodes[2]]]])
        try context.save()
        #expect(saves.take() == [["updated": [nodes[2]]]])
    }

    @Test(arguments: [false, true]) func a_revived_object_gets_its_partners_back(
        isProcessed: Bool
    ) throws {
        let stack = try Stack(PeopleModel.make())
        let context = stack.context
        let people = ["Ann", "Bob", "Cid"].map { context.make("Person", ["name": $0]) }
        let department = context.make("Department", ["name": "d", "employees": Set(people)])
        let tag = context.make("Tag", ["name": "t", "people": [people[0]] as Set])
        people[0].setValue(people[1], forKey: "spouse")
        try context.save()
        for object in [department, people[0]] { context.delete(object) }
        if isProcessed { context.processPendingChanges() }
        for object in [people[0], department] { context.insert(object) }
        #expect(context.deletedObjects.isEmpty)
        #expect(department.names("employees") == ["Ann", "Bob", "Cid"])
        #expect(people.map { $0.one("department") === department } == [true, true, true])
        #expect(people[1].one("spouse") === people[0] && tag.names("people") == ["Ann"])
        try context.save()
        try stack.reopen()
        let read = try #require(try stack.context.named("d", "Department"))
        #expect(read.names("employees") == ["Ann", "Bob", "Cid"])
        #expect(try stack.context.named("Bob", "Person")?.one("spouse")?.text("name") == "Ann")
        #expect(try stack.context.named("t", "Tag")?.names("people") == ["Ann"])
    }

    @Test func partners_that_found_others_meanwhile_stay_with_them() throws {
        let stack = try Stack(PeopleModel.make())
        let context = stack.context
        let people = ["Ann", "Bob"].map { context.make("Person", ["name": $0]) }
        let one = context.make("Department", ["name": "one", "employees": Set(people)])
        let two = context.make("Department", ["name": "two"])
        try context.save()
        context.delete(one)
        context.processPendingChanges()
        people[0].setValue(two, forKey: "department")
        context.insert(one)
        #expect(one.names("employees") == ["Bob"] && two.names("employees") == ["Ann"])
        try context.save()
        try stack.reopen()
        #expect(try stack.context.named("one", "Department")?.names("employees") == ["Bob"])
        #expect(try stack.context.named("two", "Department")?.names("employees") == ["Ann"])
    }

    @Test func an_unsaved_object_comes_back_with_its_partners() throws {
        let stack = try Stack(PeopleModel.make())
        let context = stack.context
        let ann = context.make("Person", ["name": "Ann"])
        let tag = context.make("Tag", ["name": "t", "people": [ann] as Set])
        context.processPendingChanges()
        context.delete(tag)
        context.processPendingChanges()
        #expect(tag.managedObjectContext == nil && ann.many("tags").isEmpty)
        context.insert(tag)
        #expect(tag.isInserted && tag.text("name") == "t" && ann.many("tags") == [tag])
        try context.save()
        #expect(try context.names("Person", "ANY tags.name == 't'") == ["Ann"])
    }
}
