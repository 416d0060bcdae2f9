// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What has changed since the last save, and since changes were processed last.
@Suite struct ChangedValuesTests {
    private func stack() throws -> (Stack, NSManagedObject, NSManagedObject) {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann", "age": 30])
        let red = stack.context.make("Tag", ["name": "red", "people": [ann] as Set])
        try stack.context.save()
        return (stack, ann, red)
    }

    @Test func changed_values_are_new_and_committed_ones_old() throws {
        let (stack, ann, red) = try stack()
        let blue = stack.context.make("Tag", ["name": "blue"])
        #expect(ann.changedValues().isEmpty)
        ann.setValue(nil, forKey: "name")
        ann.setValue(31, forKey: "age")
        ann.setValue([blue] as Set, forKey: "tags")
        ann.setValue(blue, forKey: "favourite")
        let changed = ann.changedValues()
        #expect(changed.keys.sorted() == ["age", "favourite", "name", "tags"])
        #expect(changed["name"] is NSNull && changed["age"] as? Int == 31)
        #expect(changed["tags"] as? Set<NSManagedObject> == [blue])
        #expect(changed["favourite"] as? NSManagedObject === blue)
        let old = ann.committedValues(forKeys: Array(changed.keys))
        #expect(old.keys.sorted() == ["age", "favourite", "name", "tags"])
        #expect(old["name"] as? String == "Ann" && old["age"] as? Int == 30)
        #expect(old["tags"] as? Set<NSManagedObject> == [red] && old["favourite"] is NSNull)
        #expect(ann.committedValues(forKeys: nil).count == 11)
        #expect(ann.hasPersistentChangedValues)
        try stack.context.save()
        #expect(ann.changedValues().isEmpty && !ann.hasPersistentChangedValues)
        #expect(ann.committedValues(forKeys: ["name"])["name"] is NSNull)
    }

    @Test func an_inserted_object_lists_what_was_set() throws {
        let (stack, _, red) = try stack()
        let bob = stack.context.make("Person")
        #expect(bob.changedValues().isEmpty && !bob.hasPersistentChangedValues)
        bob.setValue("Bob", forKey: "name")
        bob.setValue([red] as Set, forKey: "tags")
        #expect(bob.changedValues().keys.sorted() == ["name", "tags"])
        #expect(bob.committedValues(forKeys: nil).isEmpty)
    }

    @Test func changes_that_cancel_out_are_none() throws {
        let (stack, ann, red) = try stack()
        ann.setValue(31, forKey: "age")
        ann.setValue(30, forKey: "age")
        ann.setValue(Set<NSManagedObject>(), forKey: "tags")
        #expect(red.hasPersistentChangedValues)
        ann.setValue([red] as Set, forKey: "tags")
        #expect(ann.changedValues().isEmpty && !ann.hasPersistentChangedValues)
        #expect(!red.hasPersistentChangedValues && ann.hasChanges && red.hasChanges)
        #expect(stack.context.updatedObjects == [ann, red])
    }

    @Test func asking_fires_no_fault() throws {
        let (stack, _, _) = try stack()
        try stack.reopen()
        let ann = try #require(try stack.context.all("Person").first)
        #expect(ann.changedValues().isEmpty && !ann.hasPersistentChangedValues)
        #expect(ann.isFault)
    }

    @Test(arguments: [false, true]) func the_event_has_old_values(hasUndoManager: Bool) throws {
        let (stack, ann, red) = try stack()
        let context = stack.context
        if hasUndoManager { context.undoManager = UndoManager() }
        #expect(ann.changedValuesForCurrentEvent().isEmpty)
        ann.setValue("Anna", forKey: "name")
        #expect(ann.changedValuesForCurrentEvent() as? [String: String] == ["name": "Ann"])
        context.processPendingChanges()
        #expect(ann.changedValuesForCurrentEvent().isEmpty)
        ann.setValue("Annie", forKey: "name")
        ann.setValue(Set<NSManagedObject>(), forKey: "tags")
        let event = ann.changedValuesForCurrentEvent()
        #expect(event["name"] as? String == "Anna" && event.count == 2)
        #expect(event["tags"] as? Set<NSManagedObject> == [red])
        let inverse = red.changedValuesForCurrentEvent()
        #expect(inverse["people"] as? Set<NSManagedObject> == [ann] && inverse.count == 1)
        try context.save()
        #expect(ann.changedValuesForCurrentEvent().isEmpty)
    }

    @Test func observers_see_the_event_they_are_told_of() throws {
        let (stack, ann, _) = try stack()
        stack.context.undoManager = UndoManager()
        // The observer runs on this thread, inside processPendingChanges.
        nonisolated(unsafe) var seen: [String: Any] = [:]
        // The same.
        nonisolated(unsafe) let person = ann
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
        ) { _ in seen = person.changedValuesForCurrentEvent() }
        defer { NotificationCenter.default.removeObserver(token) }
        ann.setValue(40, forKey: "age")
        stack.context.processPendingChanges()
        #expect(seen["age"] as? Int == 30 && seen.count == 1)
    }

    @Test func what_observers_change_is_the_next_event() throws {
        let (stack, ann, red) = try stack()
        let recorder = ChangeRecorder(stack.context)
        // The observer runs on this thread, inside processPendingChanges.
        nonisolated(unsafe) var count = 0
        // The same.
        nonisolated(unsafe) let person = ann
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
        ) { _ in
            count += 1
            if count == 1 { person.setValue(50, forKey: "age") }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        red.setValue("rouge", forKey: "name")
        ann.setValue(40, forKey: "age")
        stack.context.processPendingChanges()
        #expect(recorder.take() == [["updated": [red, ann]]])
        stack.context.processPendingChanges()
        #expect(recorder.take() == [["updated": [ann]]])
        #expect(ann.number("age") == 50)
    }
}
