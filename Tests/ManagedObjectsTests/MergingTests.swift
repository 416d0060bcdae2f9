// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Keeps the did-save notifications of a context, and what a merge tells.
// Sendable because one thread posts and reads.
private final class Saves: @unchecked Sendable {
    private(set) var last: Notification?
    private(set) var infos: [[String: Any]] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ name: Notification.Name, of context: NSManagedObjectContext) {
        tokens.append(
            NotificationCenter.default.addObserver(
                forName: name, object: context, queue: nil
            ) { [unowned self] note in
                last = note
                var info: [String: Any] = [:]
                for (key, value) in note.userInfo ?? [:] { info["\(key)"] = value }
                infos.append(info)
            })
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
}

/// What one context takes over from another one's save.
@Suite(.inBothPlaces) struct MergingTests {
    /// A context with saved people, another one, and what the other one's saves post.
    private final class Pair {
        let stack: Stack
        let mine: NSManagedObjectContext
        let theirs: NSManagedObjectContext
        private let saves: Saves

        init() throws {
            stack = try Stack(PeopleModel.make())
            mine = stack.container.newBackgroundContext()
            theirs = stack.container.newBackgroundContext()
            saves = Saves(.NSManagedObjectContextDidSave, of: theirs)
        }

        func twin(_ object: NSManagedObject) -> NSManagedObject {
            theirs.object(with: object.objectID)
        }

        func saveAndMerge() throws {
            try theirs.save()
            mine.mergeChanges(fromContextDidSave: try #require(saves.last))
        }
    }

    @Test func updated_objects_take_the_new_values_under_local_edits() throws {
        let pair = try Pair()
        let tag = pair.mine.make("Tag", ["name": "t"])
        let ann = pair.mine.make("Person", ["name": "Ann", "age": 1])
        try pair.mine.save()
        ann.setValue(2, forKey: "age")
        pair.twin(ann).setValue("Anne", forKey: "name")
        pair.twin(ann).setValue(9, forKey: "age")
        pair.twin(ann).setValue(Set([pair.twin(tag)]), forKey: "tags")
        #expect(ann.names("tags") == [])
        try pair.saveAndMerge()
        #expect(ann.text("name") == "Anne" && ann.number("age") == 2 && ann.names("tags") == ["t"])
        #expect(ann.isUpdated)
        try pair.mine.save()
        #expect(try pair.stack.context.named("Anne", "Person")?.number("age") == 2)
    }

    @Test func only_realised_objects_are_refreshed() throws {
        let pair = try Pair()
        let first = pair.mine.make("Person", ["name": "1"])
        let second = pair.mine.make("Person", ["name": "2"])
        let third = pair.mine.make("Person", ["name": "3"])
        try pair.mine.save()
        #expect([first, third].map { $0.text("name") } == ["1", "3"])
        pair.mine.refresh(second, mergeChanges: false)
        pair.mine.processPendingChanges()
        for (object, name) in [(first, "a"), (second, "b"), (third, "c")] {
            pair.twin(object).setValue(name, forKey: "name")
        }
        let unregistered = pair.theirs.make("Person", ["name": "new"])
        try pair.theirs.save()
        unregistered.setValue("newer", forKey: "name")
        #expect(first.text("name") == "1")
        let changes = Saves(.NSManagedObjectContextObjectsDidChange, of: pair.mine)
        try pair.saveAndMerge()
        #expect(changes.infos.isEmpty, "an update of an unregistered object is no news")
        for (object, name) in [(first, "x"), (second, "y")] {
            pair.twin(object).setValue(name, forKey: "name")
        }
        try pair.saveAndMerge()
        #expect(changes.infos.map { $0.keys.sorted() } == [["refreshed"]])
        #expect(changes.infos.last?["refreshed"] as? Set<NSManagedObject> == [first])
        #expect(second.isFault && second.text("name") == "y" && first.text("name") == "x")
        #expect(pair.mine.registeredObject(for: unregistered.objectID) == nil)
        #expect(!pair.mine.hasChanges)
    }

    @Test func deleted_objects_leave_without_a_save() throws {
        let pair = try Pair()
        let department = pair.mine.make("Department", ["name": "d"])
        let ann = pair.mine.make("Person", ["name": "Ann", "department": department])
        let bob = pair.mine.make("Person", ["name": "Bob"])
        try pair.mine.save()
        #expect(department.names("employees") == ["Ann"])
        ann.setValue("edited", forKey: "name")
        bob.setValue(ann, forKey: "spouse")
        let id = ann.objectID
        pair.theirs.delete(pair.twin(ann))
        let changes = Saves(.NSManagedObjectContextObjectsDidChange, of: pair.mine)
        try pair.saveAndMerge()
        #expect(
            changes.infos.map { $0.keys.sorted() }.suffix(2) == [
                ["deleted", "refreshed"], ["updated"],
            ])
        #expect(changes.infos.suffix(2).first?["deleted"] as? Set<NSManagedObject> == [ann])
        #expect(
            changes.infos.suffix(2).first?["refreshed"] as? Set<NSManagedObject> == [department])
        #expect(changes.infos.last?["updated"] as? Set<NSManagedObject> == [bob])
        #expect(ann.managedObjectContext == nil && !ann.isDeleted)
        #expect(pair.mine.registeredObject(for: id) == nil)
        #expect(department.names("employees") == [] && bob.one("spouse") == nil)
        #expect(pair.mine.deletedObjects.isEmpty && pair.mine.updatedObjects == [bob])
        try pair.mine.save()
    }

    @Test func inserted_objects_are_registered_only_if_used() throws {
        let pair = try Pair()
        let kept = Saves(.NSManagedObjectContextObjectsDidChange, of: pair.mine)
        let item = pair.theirs.make("Person", ["name": "new"])
        try pair.saveAndMerge()
        let found = try #require(kept.infos.last?["inserted"] as? Set<NSManagedObject>)
        #expect(found.map(\.objectID) == [item.objectID])
        #expect(found.allSatisfy { $0.isFault && $0.managedObjectContext === pair.mine })
        #expect(pair.mine.registeredObjects == found)
        #expect(pair.mine.insertedObjects.isEmpty && !pair.mine.hasChanges)
    }

    @Test func a_merge_tells_ids() throws {
        let pair = try Pair()
        let ann = pair.mine.make("Person", ["name": "Ann"])
        let bob = pair.mine.make("Person", ["name": "Bob"])
        try pair.mine.save()
        let merges = Saves(.NSManagedObjectContextDidMergeChangesObjectIDs, of: pair.mine)
        pair.twin(ann).setValue("Anne", forKey: "name")
        let bobID = bob.objectID
        pair.theirs.delete(pair.twin(bob))
        let new = pair.theirs.make("Person")
        try pair.saveAndMerge()
        let info = try #require(merges.infos.last)
        #expect(
            info.keys.sorted() == [
                "deleted_objectIDs", "inserted_objectIDs", "refreshed_objectIDs",
                "updated_objectIDs",
            ])
        #expect(info["inserted_objectIDs"] as? Set<NSManagedObjectID> == [new.objectID])
        #expect(info["updated_objectIDs"] as? Set<NSManagedObjectID> == [ann.objectID])
        #expect(info["refreshed_objectIDs"] as? Set<NSManagedObjectID> == [ann.objectID])
        #expect(info["deleted_objectIDs"] as? Set<NSManagedObjectID> == [bobID])
    }

    @Test func a_merge_from_notifications_with_ids() throws {
        let pair = try Pair()
        let ann = pair.mine.make("Person", ["name": "Ann"])
        try pair.mine.save()
        #expect(ann.text("name") == "Ann")
        let saves = Saves(.NSManagedObjectContextDidSaveObjectIDs, of: pair.theirs)
        pair.twin(ann).setValue("Anne", forKey: "name")
        try pair.theirs.save()
        #expect(
            saves.infos.last?["updated_objectIDs"] as? Set<NSManagedObjectID> == [ann.objectID])
        #expect(ann.text("name") == "Ann")
        pair.mine.mergeChanges(fromContextDidSave: try #require(saves.last))
        #expect(ann.text("name") == "Anne")
    }

    @Test func ids_and_uris_merge_into_several_contexts() throws {
        let pair = try Pair()
        let ann = pair.mine.make("Person", ["name": "Ann"])
        let bob = pair.mine.make("Person", ["name": "Bob"])
        try pair.mine.save()
        let child = Stack.child(of: pair.mine)
        let twins = [ann, bob].map { child.object(with: $0.objectID) }
        #expect(twins.map { $0.text("name") } == ["Ann", "Bob"])
        let bobURI = bob.objectID.uriRepresentation()
        pair.twin(ann).setValue("Anne", forKey: "name")
        pair.theirs.delete(pair.twin(bob))
        try pair.theirs.save()
        #expect(ann.text("name") == "Ann")
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSUpdatedObjectsKey: [ann.objectID], NSDeletedObjectsKey: [bobURI],
            ], into: [pair.mine, child])
        #expect(ann.text("name") == "Anne" && twins[0].text("name") == "Anne")
        #expect(bob.managedObjectContext == nil && twins[1].managedObjectContext == nil)
        #expect(!pair.mine.hasChanges && !child.hasChanges)
    }

    @Test func other_stores_and_the_context_itself_are_ignored() throws {
        let pair = try Pair()
        let ann = pair.mine.make("Person", ["name": "Ann"])
        try pair.mine.save()
        let other = try Stack(PeopleModel.make())
        let stranger = other.context.make("Person", ["name": "stranger"])
        try other.context.save()
        let changes = Saves(.NSManagedObjectContextObjectsDidChange, of: pair.mine)
        pair.mine.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: other.context,
                userInfo: [NSUpdatedObjectsKey: Set([stranger])]))
        pair.mine.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: pair.mine,
                userInfo: [NSUpdatedObjectsKey: Set([ann])]))
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: [stranger.objectID]], into: [pair.mine])
        #expect(changes.infos.isEmpty && ann.managedObjectContext === pair.mine)
    }
}
