// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Notes whose part it is when it is to be deleted, and tells its owner.
final class OwnedPart: NSManagedObject {
    var prepared: [String] = []

    override func prepareForDeletion() {
        super.prepareForDeletion()
        prepared.append("\(one("owner")?.text("name") ?? "nobody"): \(isDeleted)")
        if let owner = one("owner") { owner.setValue(owner.number("lost") + 1, forKey: "lost") }
    }
}

/// Lets its owner go before it is deleted.
final class LeavingPart: NSManagedObject {
    override func prepareForDeletion() {
        super.prepareForDeletion()
        setValue(nil, forKey: "owner")
    }
}

/// Deletes no parts.
final class KeepingContext: NSManagedObjectContext {
    override func delete(_ object: NSManagedObject) {
        if object.entity.name != "Part" { super.delete(object) }
    }
}

/// What a cascade deletes still leads to its owner while it prepares.
@Suite(.inBothPlaces) struct CascadePreparationTests {
    private func stack(
        _ type: NSManagedObject.Type = OwnedPart.self, isToMany: Bool = true
    ) throws -> Stack {
        let owner = Build.entity(
            "Owner", [Build.attribute("name"), Build.attribute("lost", .integer64AttributeType)])
        let part = Build.entity("Part", [Build.attribute("name")], class: type)
        Build.inverse(
            Build.relationship(
                "parts", of: owner, to: part, max: isToMany ? 0 : 1, rule: .cascadeDeleteRule),
            Build.relationship("owner", of: part, to: owner, max: 1))
        return try Stack(Build.model(owner, part))
    }

    private func fill(
        _ context: NSManagedObjectContext, _ names: String...
    ) -> (NSManagedObject, [NSManagedObject]) {
        let owner = context.make("Owner", ["name": "o", "lost": 0])
        return (owner, names.map { context.make("Part", ["name": $0, "owner": owner]) })
    }

    private func prepared(_ parts: [NSManagedObject]) -> [[String]] {
        parts.map { ($0 as? OwnedPart)?.prepared ?? [] }
    }

    @Test(arguments: [false, true]) func parts_know_their_owner(isSaved: Bool) throws {
        let stack = try stack()
        let (owner, parts) = fill(stack.context, "a", "b")
        if isSaved { try stack.context.save() }
        stack.context.delete(owner)
        stack.context.processPendingChanges()
        #expect(prepared(parts) == [["o: false"], ["o: false"]])
        #expect(parts.allSatisfy(\.isDeleted) || !isSaved)
        try stack.context.save()
        #expect(try stack.context.count("Part") == 0)
        #expect(try stack.context.count("Owner") == 0)
    }

    @Test func one_part_knows_its_owner() throws {
        let stack = try stack(isToMany: false)
        let (owner, parts) = fill(stack.context, "a")
        try stack.context.save()
        stack.context.delete(owner)
        try stack.context.save()
        #expect(prepared(parts) == [["o: false"]])
        #expect(try stack.context.count("Part") == 0)
    }

    @Test func a_rollback_brings_back_what_the_parts_told_their_owner() throws {
        let stack = try stack()
        let (owner, parts) = fill(stack.context, "a", "b")
        try stack.context.save()
        stack.context.delete(owner)
        stack.context.processPendingChanges()
        #expect(owner.number("lost") == 2)
        stack.context.rollback()
        #expect(owner.number("lost") == 0 && owner.names("parts") == ["a", "b"])
        #expect(parts.allSatisfy { !$0.isDeleted && $0.one("owner") === owner })
        stack.context.delete(owner)
        stack.context.processPendingChanges()
        #expect(prepared(parts) == [["o: false", "o: false"], ["o: false", "o: false"]])
    }

    @Test func an_undo_brings_parts_and_links_back() throws {
        let stack = try stack()
        let (owner, parts) = fill(stack.context, "a", "b")
        try stack.context.save()
        stack.context.undoManager = UndoManager()
        stack.context.delete(owner)
        stack.context.processPendingChanges()
        stack.context.undo()
        #expect(owner.names("parts") == ["a", "b"] && owner.number("lost") == 0)
        #expect(parts.allSatisfy { !$0.isDeleted && $0.one("owner") === owner })
        stack.context.redo()
        try stack.context.save()
        #expect(try stack.context.count("Part") == 0)
    }

    @Test func a_part_may_let_its_owner_go() throws {
        let stack = try stack(LeavingPart.self)
        let (owner, parts) = fill(stack.context, "a", "b")
        try stack.context.save()
        stack.context.delete(owner)
        stack.context.processPendingChanges()
        #expect(parts.allSatisfy { $0.isDeleted && $0.one("owner") == nil })
        try stack.context.save()
        #expect(try stack.context.count("Part") == 0)
    }

    @Test func parts_that_a_context_keeps_lose_their_owner() throws {
        let stack = try stack()
        let context = KeepingContext(.mainQueue)
        context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        let (owner, parts) = fill(context, "a", "b")
        try context.save()
        context.delete(owner)
        context.processPendingChanges()
        #expect(parts.allSatisfy { !$0.isDeleted && $0.one("owner") == nil })
        try context.save()
        #expect(try context.count("Part") == 2)
        #expect(try context.names("Part", "owner == nil") == ["a", "b"])
    }

    @Test func parts_know_their_owner_in_a_child() throws {
        let stack = try stack()
        let (owner, _) = fill(stack.context, "a")
        try stack.context.save()
        let child = Stack.child(of: stack.context)
        let twin = child.object(with: owner.objectID)
        let parts = Array(twin.many("parts"))
        child.delete(twin)
        try child.save()
        #expect(prepared(parts) == [["o: false"]])
        try stack.context.save()
        #expect(try stack.context.count("Part") == 0)
    }
}
