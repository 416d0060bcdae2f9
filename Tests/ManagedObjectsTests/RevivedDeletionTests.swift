// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Takes the deletion of its parent back as its own begins, if it is called so.
final class RevivingNode: NSManagedObject {
    override func prepareForDeletion() {
        super.prepareForDeletion()
        guard text("name") == "reviver", let parent = one("parent") else { return }
        managedObjectContext?.insert(parent)
    }
}

/// Deletions that are taken back, and made again, within one event and over several.
@Suite(.inBothPlaces) struct RevivedDeletionTests {
    private func stack(_ names: [String]) throws -> (Stack, [NSManagedObject]) {
        let node = Build.entity("Node", [Build.attribute("name")], class: RevivingNode.self)
        Build.inverse(
            Build.relationship("children", of: node, to: node, max: 0, rule: .cascadeDeleteRule),
            Build.relationship("parent", of: node, to: node, max: 1))
        Build.inverse(
            Build.relationship("friends", of: node, to: node, max: 0),
            Build.relationship("host", of: node, to: node, max: 1))
        let stack = try Stack(Build.model(node))
        let nodes = names.map { stack.context.make("Node", ["name": $0]) }
        return (stack, nodes)
    }

    @Test(arguments: [false, true]) func what_is_deleted_again_is_deleted_once(
        isProcessed: Bool
    ) throws {
        let (stack, nodes) = try stack(["a", "b", "c", "d"])
        let context = stack.context
        try context.save()
        for node in nodes { context.delete(node) }
        if isProcessed { context.processPendingChanges() }
        for node in nodes.prefix(3) { context.insert(node) }
        #expect(context.deletedObjects == [nodes[3]])
        context.delete(nodes[1])
        context.insert(nodes[1])
        context.delete(nodes[1])
        context.delete(nodes[0])
        #expect(context.deletedObjects == [nodes[0], nodes[1], nodes[3]])
        let saves = ChangeRecorder(context, .NSManagedObjectContextDidSave)
        try context.save()
        #expect(saves.take().map { $0["deleted"] } == [[nodes[0], nodes[1], nodes[3]]])
        #expect(try context.names("Node", "TRUEPREDICATE") == ["c"])
        try stack.reopen()
        #expect(try stack.context.names("Node", "TRUEPREDICATE") == ["c"])
    }

    @Test func observers_are_told_what_came_back() throws {
        let (stack, nodes) = try stack(["a", "b", "c"])
        let context = stack.context
        try context.save()
        let changes = ChangeRecorder(context)
        // Of one event: nothing came or went.
        for node in nodes { context.delete(node) }
        for node in nodes { context.insert(node) }
        context.processPendingChanges()
        #expect(changes.take() == [["updated": Set(nodes)]])
        for node in nodes { context.delete(node) }
        context.processPendingChanges()
        #expect(changes.take() == [["deleted": Set(nodes)]])
        // Of an earlier one, and one of them deleted again.
        for node in nodes { context.insert(node) }
        context.delete(nodes[2])
        context.processPendingChanges()
        #expect(
            changes.take() == [["inserted": [nodes[0], nodes[1]], "deleted": [nodes[2]]]])
        // Taken back in the event of their deletion, which is not the first event.
        context.delete(nodes[0])
        context.insert(nodes[0])
        context.processPendingChanges()
        #expect(changes.take() == [["updated": [nodes[0]]]])
        try context.save()
        #expect(try context.names("Node", "TRUEPREDICATE") == ["a", "b"])
    }

    /// A hook that takes a deletion back while the delete rules are applied leaves the rules of
    /// those behind it.
    @Test func rules_of_others_apply_though_a_hook_revives_one() throws {
        let (stack, nodes) = try stack(["parent", "reviver", "host", "friend"])
        let context = stack.context
        nodes[1].setValue(nodes[0], forKey: "parent")
        nodes[3].setValue(nodes[2], forKey: "host")
        try context.save()
        context.delete(nodes[0])
        context.delete(nodes[2])
        context.processPendingChanges()
        #expect(nodes.map(\.isDeleted) == [false, true, true, false])
        #expect(nodes[3].one("host") == nil)
        try context.save()
        try stack.reopen()
        #expect(try stack.context.names("Node", "TRUEPREDICATE") == ["friend", "parent"])
        #expect(try stack.context.named("friend", "Node")?.one("host") == nil)
    }

    @Test func undo_of_deletions_in_one_of_several_events() throws {
        let (stack, nodes) = try stack((0..<20).map { "n\($0)" })
        let context = stack.context
        try context.save()
        context.undoManager = UndoManager()
        for half in [nodes[..<10], nodes[10...]] {
            for node in half { context.delete(node) }
            context.processPendingChanges()
        }
        #expect(context.deletedObjects == Set(nodes))
        context.undo()
        #expect(context.deletedObjects == Set(nodes[..<10]))
        context.redo()
        #expect(context.deletedObjects == Set(nodes))
        context.undo()
        context.undo()
        #expect(context.deletedObjects.isEmpty)
        context.redo()
        #expect(context.deletedObjects == Set(nodes[..<10]))
        try context.save()
        #expect(try context.count("Node") == 10)
    }
}
