// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Objects that come back by undo have the relationships from before the event, on both sides.
@Suite(.inBothPlaces) struct UndoneDeletionTests {
    @Test(arguments: [false, true], [false, true])
    func what_got_members_and_was_deleted_at_once(isSaved: Bool, isChild: Bool) throws {
        let stack = try Stack(PeopleModel.make())
        let context = isChild ? Stack.child(of: stack.context) : stack.context
        context.undoManager = UndoManager()
        let ann = context.make("Person", ["name": "ann"])
        let bob = context.make("Person", ["name": "bob"])
        let a = context.make("Department", ["name": "A"])
        let tag = context.make("Tag", ["name": "x"])
        isSaved ? try context.save() : context.processPendingChanges()
        a.setValue(Set([ann]), forKey: "employees")
        tag.setValue(Set([ann, bob]), forKey: "people")
        context.delete(a)
        context.delete(tag)
        context.processPendingChanges()
        context.undo()
        #expect(a.names("employees") == [] && ann.one("department") == nil)
        #expect(tag.names("people") == [] && ann.names("tags") == [])
        context.redo()
        #expect(a.isDeleted || a.managedObjectContext == nil)
        context.undo()
        try context.save()
        try stack.context.save()
        try stack.reopenChecked()
        #expect(try stack.context.names("Department", "employees.@count == 0") == ["A"])
    }

    /// The middle one of three contexts has an object that its parent has not saved yet.
    @Test(arguments: [false, true]) func a_pushed_deletion_of_an_unsaved_object(isChanged: Bool)
        throws
    {
        let stack = try Stack(PeopleModel.make())
        let root = stack.container.newBackgroundContext()
        let middle = Stack.child(of: root)
        let child = Stack.child(of: middle)
        child.undoManager = UndoManager()
        let ann = child.make("Person", ["name": "ann"])
        let tag = child.make("Tag", ["name": "x"])
        ann.setValue(Set([tag]), forKey: "tags")
        try child.save()
        try middle.save()
        child.delete(ann)
        try child.save()
        child.undo()
        if isChanged { ann.setValue("anna", forKey: "name") }
        try child.save()
        let name = isChanged ? "anna" : "ann"
        #expect(try middle.all("Person").map { $0.text("name") } == [name])
        #expect(try middle.all("Tag").map { $0.names("people") } == [[name]])
        try middle.save()
        try root.save()
        try stack.reopenChecked()
        #expect(try stack.context.all("Tag").map { $0.names("people") } == [[name]])
    }
}
