// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Refreshing merges, reports what is realised, and turns into faults.
@Suite struct RefreshTests {
    private func stack() throws -> (Stack, NSManagedObject, NSManagedObjectContext) {
        let stack = try Stack(PeopleModel.make())
        let context = stack.context
        let tags = ["red", "green", "blue"].map { context.make("Tag", ["name": $0]) }
        context.make("Tag", ["name": "grey"])
        let ann = context.make("Person", ["name": "Ann", "age": 1, "tags": Set(tags)])
        try context.save()
        _ = ann.names("tags")
        return (stack, ann, stack.container.newBackgroundContext())
    }

    private func tags(_ context: NSManagedObjectContext, _ names: String...) throws
        -> Set<NSManagedObject>
    {
        Set(try context.all("Tag", NSPredicate(format: "name IN %@", names)))
    }

    @Test func additions_and_removals_of_both_come_together() throws {
        let (stack, ann, other) = try stack()
        ann.setValue(try tags(stack.context, "green", "blue", "grey"), forKey: "tags")
        ann.setValue("Anna", forKey: "name")
        let theirs = try #require(try other.named("Ann", "Person"))
        other.make("Tag", ["name": "pink", "people": [theirs] as Set])
        let grey = try #require(try other.named("grey", "Tag"))
        theirs.setValue(
            theirs.many("tags").subtracting(try tags(other, "blue", "red")).union([grey]),
            forKey: "tags")
        theirs.setValue(9, forKey: "age")
        try other.save()
        stack.context.refresh(ann, mergeChanges: true)
        #expect(ann.names("tags") == ["green", "grey", "pink"])
        #expect(ann.text("name") == "Anna" && ann.number("age") == 9)
        #expect(ann.changedValues().keys.sorted() == ["name"])
        ann.setValue(try tags(stack.context, "pink"), forKey: "tags")
        #expect(ann.names("tags") == ["pink"])
    }

    @Test func only_realised_objects_are_reported() throws {
        let (stack, ann, _) = try stack()
        let context = stack.context
        let fault = try #require(try context.named("red", "Tag"))
        context.refresh(fault, mergeChanges: false)
        context.processPendingChanges()
        let recorder = ChangeRecorder(context)
        context.refresh(fault, mergeChanges: false)
        context.refresh(fault, mergeChanges: true)
        context.processPendingChanges()
        #expect(recorder.take().isEmpty && fault.isFault)
        context.refresh(ann, mergeChanges: true)
        context.processPendingChanges()
        #expect(recorder.take() == [["refreshed": [ann]]])
        ann.setValue("x", forKey: "name")
        context.refresh(ann, mergeChanges: true)
        context.processPendingChanges()
        #expect(recorder.take() == [["refreshed": [ann], "updated": [ann]]])
    }

    @Test func all_objects_keep_their_changes() throws {
        let (stack, ann, other) = try stack()
        let inserted = stack.context.make("Tag", ["name": "new"])
        ann.setValue("Anna", forKey: "name")
        try other.named("Ann", "Person")?.setValue(5, forKey: "age")
        try other.save()
        stack.context.refreshAllObjects()
        #expect(ann.text("name") == "Anna" && ann.number("age") == 5)
        #expect(inserted.isInserted && inserted.text("name") == "new")
        try stack.context.save()
        #expect(try other.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 5)
    }

    @Test func hooks_surround_the_loss_of_values() throws {
        let stack = try Stack(HookedModel.make())
        let item = try #require(stack.context.make("Item") as? HookedItem)
        try stack.context.save()
        _ = item.text("name")
        item.calls = []
        stack.context.refresh(item, mergeChanges: false)
        #expect(item.calls == ["willFault", "didFault"])
        stack.context.refresh(item, mergeChanges: false)
        #expect(item.calls == ["willFault", "didFault"])
        _ = item.text("name")
        item.calls = []
        stack.context.reset()
        #expect(item.calls == ["willFault", "didFault"])
        let again = try #require(try stack.context.all("Item").first as? HookedItem)
        stack.context.delete(again)
        again.calls = []
        try stack.context.save()
        #expect(again.calls == ["willSave", "didSave", "willFault", "didFault"])
    }

    /// What others have deleted keeps what it knew, and the save finds the conflict.
    @Test(arguments: [false, true])
    func a_changed_object_that_is_gone_keeps_its_values(all: Bool) throws {
        let (stack, ann, other) = try stack()
        let context = stack.context
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        ann.setValue("Anna", forKey: "name")
        other.delete(try #require(try other.named("Ann", "Person")))
        try other.save()
        if all {
            context.refreshAllObjects()
        } else {
            context.refresh(ann, mergeChanges: true)
        }
        #expect(ann.text("name") == "Anna" && ann.number("age") == 1)
        #expect(ann.names("tags") == ["blue", "green", "red"])
        try context.save()
        let fresh = stack.container.newBackgroundContext()
        let again = try #require(try fresh.named("Anna", "Person"))
        #expect(again.number("age") == 1)
    }

    @Test func a_changed_object_that_the_parent_has_deleted_keeps_its_values() throws {
        let (stack, ann, _) = try stack()
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = stack.context
        let own = child.object(with: ann.objectID)
        own.setValue("Anna", forKey: "name")
        stack.context.delete(ann)
        child.refresh(own, mergeChanges: true)
        #expect(own.text("name") == "Anna" && own.number("age") == 1)
    }
}
