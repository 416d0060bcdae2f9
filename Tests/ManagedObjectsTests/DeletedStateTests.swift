// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Counts the calls that tell of its deletion.
final class DoomedItem: NSManagedObject {
    var preparations: [String] = []

    override func prepareForDeletion() {
        super.prepareForDeletion()
        preparations.append(text("name"))
    }
}

private enum DoomedModel {
    static func make() -> NSManagedObjectModel {
        let owner = Build.entity("Owner", [Build.attribute("name")], class: DoomedItem.self)
        let part = Build.entity("Part", [Build.attribute("name")], class: DoomedItem.self)
        let mark = Build.entity("Mark", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("owner", of: part, to: owner, max: 1),
            Build.relationship("parts", of: owner, to: part, max: 0, rule: .cascadeDeleteRule))
        Build.inverse(
            Build.relationship("owner", of: mark, to: owner, max: 1),
            Build.relationship("marks", of: owner, to: mark, max: 0))
        return Build.model(owner, part, mark)
    }
}

/// What is left of deleted objects: their own, those that others delete, those that are gone.
@Suite(.inBothPlaces) struct DeletedStateTests {
    @Test(arguments: [true, false])
    func a_deleted_new_object_is_in_no_set(propagates: Bool) throws {
        let stack = try Stack(ItemModel.make())
        for context in [
            stack.container.newBackgroundContext(), Stack.child(of: stack.context),
        ] {
            context.propagatesDeletesAtEndOfEvent = propagates
            let item = context.make("Item", ["name": "a"])
            context.processPendingChanges()
            #expect(context.insertedObjects == [item] && context.registeredObjects == [item])
            context.delete(item)
            #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
            #expect(context.registeredObjects.isEmpty)
            context.processPendingChanges()
            #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
            #expect(context.registeredObjects.isEmpty)
            try context.save()
            #expect(try context.count("Item") == 0)
        }
    }

    /// An owner, saved, as two contexts know it.
    private func twins() throws -> (
        stack: Stack, here: NSManagedObjectContext, owner: DoomedItem,
        there: NSManagedObjectContext, twin: NSManagedObject
    ) {
        let stack = try Stack(DoomedModel.make())
        let here = stack.container.newBackgroundContext()
        let owner = try #require(here.make("Owner", ["name": "o"]) as? DoomedItem)
        try here.save()
        #expect(owner.text("name") == "o")
        let there = stack.container.newBackgroundContext()
        return (stack, here, owner, there, try there.existingObject(with: owner.objectID))
    }

    private func deleteAndMerge(
        _ twin: NSManagedObject, _ there: NSManagedObjectContext,
        into here: NSManagedObjectContext
    ) throws {
        let saves = NotificationCenter.default
        // Posted and used on this thread.
        nonisolated(unsafe) let target = here
        let token = saves.addObserver(
            forName: .NSManagedObjectContextDidSave, object: there, queue: nil
        ) { target.mergeChanges(fromContextDidSave: $0) }
        defer { saves.removeObserver(token) }
        there.delete(twin)
        try there.save()
    }

    @Test func a_merged_deletion_prepares_the_object() throws {
        let (stack, here, owner, there, twin) = try twins()
        let changes = SetRecorder(.NSManagedObjectContextObjectsDidChange, here)
        try deleteAndMerge(twin, there, into: here)
        #expect(owner.preparations == ["o"])
        #expect(changes.sets == [["deleted": [owner]]])
        #expect(owner.managedObjectContext == nil && !owner.isDeleted && !here.hasChanges)
        withExtendedLifetime(stack) {}
    }

    @Test func a_merged_deletion_of_a_fault_or_a_deleted_object_prepares_nothing() throws {
        for isFault in [true, false] {
            let (stack, here, owner, there, twin) = try twins()
            if isFault { here.refresh(owner, mergeChanges: false) } else { here.delete(owner) }
            let before = owner.preparations
            try deleteAndMerge(twin, there, into: here)
            #expect(owner.preparations == before)
            #expect(owner.managedObjectContext == nil && !here.hasChanges)
            withExtendedLifetime(stack) {}
        }
    }

    @Test func a_merged_deletion_takes_unsaved_parts_along() throws {
        let (stack, here, owner, there, twin) = try twins()
        let part = try #require(
            here.make("Part", ["name": "p", "owner": owner]) as? DoomedItem)
        let mark = here.make("Mark", ["name": "m", "owner": owner])
        let spare = here.make("Part", ["name": "s"])
        try deleteAndMerge(twin, there, into: here)
        #expect(part.preparations == ["p"] && part.managedObjectContext == nil)
        #expect(mark.one("owner") == nil)
        #expect(here.insertedObjects == [mark, spare])
        try here.save()
        #expect(try there.count("Part") == 1 && there.count("Mark") == 1)
        withExtendedLifetime(stack) {}
    }

    @Test func a_saved_part_that_was_moved_here_needs_a_save() throws {
        let (stack, here, owner, there, twin) = try twins()
        let part = here.make("Part", ["name": "p"])
        try here.save()
        part.setValue(owner, forKey: "owner")
        try deleteAndMerge(twin, there, into: here)
        #expect(here.deletedObjects == [part])
        try here.save()
        #expect(try there.count("Part") == 0)
        withExtendedLifetime(stack) {}
    }

    @Test func a_fault_whose_record_is_gone_is_deleted() throws {
        let (stack, here, owner, there, twin) = try twins()
        let id = owner.objectID
        let other = stack.container.newBackgroundContext()
        let fault = other.object(with: id)
        let child = Stack.child(of: stack.container.newBackgroundContext())
        let inherited = child.object(with: id)
        there.delete(twin)
        try there.save()
        for object in [fault, inherited] {
            #expect(!object.isDeleted)
            #expect(object.value(forKey: "name") == nil)
            #expect(object.isDeleted && !object.isFault && !object.hasChanges)
            #expect(object.value(forKey: "isDeleted") as? Bool == true)
        }
        #expect(!other.hasChanges && other.deletedObjects.isEmpty)
        try other.save()
        withExtendedLifetime(here) {}
    }

    @Test func a_fault_of_a_store_that_has_lost_its_row_is_deleted() throws {
        TableStore.register()
        let folder = try StoreFolder()
        let context = try folder.open([("books.table", nil)])
        let author = context.make("Author", ["name": "a"])
        try context.save()
        let table = try #require(try folder.store("books.table") as? TableStore)
        let fault = folder.makeContext()
        let object = fault.object(with: author.objectID)
        table.rows["Author"] = [:]
        #expect(object.value(forKey: "name") == nil)
        #expect(object.isDeleted)
    }
}

/// What counts as a changed value where primitive setters are among it.
@Suite struct ChangedPrimitiveTests {
    @Test func primitive_values_of_a_new_object_are_changes() throws {
        let stack = try Stack(NewbornModel.make())
        let parent = stack.container.newBackgroundContext()
        let child = Stack.child(of: parent)
        for context in [parent, child] {
            let item = context.make("Item")
            #expect(item.changedValues()["name"] as? String == "born")
            #expect(item.changedValues().keys.sorted() == ["friends", "name"])
            item.setPrimitiveValue(7, forKey: "number")
            #expect(item.changedValues().keys.sorted() == ["friends", "name"])
        }
        try child.save()
        #expect(
            parent.insertedObjects.allSatisfy { $0.changedValues()["name"] as? String == "born" })
    }

    @Test func a_changed_value_stays_one_behind_a_primitive_setter() throws {
        let stack = try Stack(ItemModel.make())
        for context in [
            stack.container.newBackgroundContext(), Stack.child(of: stack.context),
        ] {
            let item = context.make("Item", ["name": "a"])
            if context.parent == nil { try context.save() }
            item.setValue("b", forKey: "name")
            item.setPrimitiveValue("c", forKey: "name")
            #expect(item.changedValues() as? [String: String] == ["name": "c"])
            item.setPrimitiveValue("d", forKey: "name")
            #expect(item.changedValues() as? [String: String] == ["name": "d"])
            item.setPrimitiveValue(1, forKey: "number")
            #expect(item.changedValues().keys.sorted() == ["name"])
        }
    }

    @Test func changed_members_stay_changed_behind_a_primitive_setter() throws {
        let stack = try Stack(PeopleModel.make())
        let context = stack.context
        let person = context.make("Person", ["name": "p"])
        let tags = ["a", "b"].map { context.make("Tag", ["name": $0]) }
        try context.save()
        person.setValue(Set([tags[0]]), forKey: "tags")
        person.setPrimitiveValue(Set(tags), forKey: "tags")
        #expect(person.changedValues()["tags"] as? Set<NSManagedObject> == Set(tags))
    }
}

/// Sets values of its own when it is made.
final class NewbornItem: NSManagedObject {
    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue("born", forKey: "name")
        setPrimitiveValue(Set<NSManagedObject>([self]), forKey: "friends")
    }
}

private enum NewbornModel {
    static func make() -> NSManagedObjectModel {
        let item = Build.entity(
            "Item",
            [Build.attribute("name"), Build.attribute("number", .integer64AttributeType)],
            class: NewbornItem.self)
        let friends = Build.relationship("friends", of: item, to: item, max: 0)
        friends.inverseRelationship = friends
        return Build.model(item)
    }
}
