// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Names a file that goes with it, as programs write such classes.
final class StoredPicture: NSManagedObject {
    // SAFETY: the tests of the suite run one after the other, each on one thread.
    nonisolated(unsafe) static var removed: [String] = []
    var states: [Bool] = []

    override func didSave() {
        super.didSave()
        states.append(isDeleted)
        if isDeleted { Self.removed.append(value(forKey: "name") as? String ?? "nil") }
    }
}

/// What an object can tell in the `didSave()` behind its deletion.
@Suite(.serialized, .inBothPlaces) struct DidSaveDeletionTests {
    private func stack() throws -> Stack {
        StoredPicture.removed = []
        return try Stack(
            Build.model(
                Build.entity("Picture", [Build.attribute("name")], class: StoredPicture.self)))
    }

    @Test func its_last_values_are_there() throws {
        let stack = try stack()
        let made = stack.context.make("Picture", ["name": "a.png"])
        let object = try #require(made as? StoredPicture)
        try stack.context.save()
        object.setValue("b.png", forKey: "name")
        try stack.context.save()
        stack.context.delete(object)
        try stack.context.save()
        #expect(StoredPicture.removed == ["b.png"])
        #expect(object.states == [false, false, true])
        #expect(!object.isDeleted && object.managedObjectContext == nil)
        #expect(object.value(forKey: "name") == nil)
    }

    @Test func a_fault_that_was_never_read_has_them_too() throws {
        let stack = try stack()
        let saved = stack.context.make("Picture", ["name": "fault.png"])
        try stack.context.save()
        let context = stack.container.newBackgroundContext()
        context.delete(context.object(with: saved.objectID))
        try context.save()
        #expect(StoredPicture.removed == ["fault.png"])
    }

    @Test func a_child_and_its_root_tell_in_turn() throws {
        let stack = try stack()
        let root = stack.container.newBackgroundContext()
        let saved = root.make("Picture", ["name": "c.png"])
        try root.save()
        let child = Stack.child(of: root)
        child.delete(child.object(with: saved.objectID))
        try child.save()
        #expect(StoredPicture.removed == ["c.png"])
        try root.save()
        #expect(StoredPicture.removed == ["c.png", "c.png"])
    }

    @Test func a_refused_save_tells_nothing() throws {
        let stack = try stack()
        let object = stack.context.make("Picture", ["name": "d.png"])
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        try other.existingObject(with: object.objectID).setValue("e.png", forKey: "name")
        stack.context.delete(object)
        try other.save()
        #expect(code { try stack.context.save() } == 133020)
        #expect(StoredPicture.removed.isEmpty && object.isDeleted)
        #expect(object.value(forKey: "name") as? String == "d.png")
    }
}
