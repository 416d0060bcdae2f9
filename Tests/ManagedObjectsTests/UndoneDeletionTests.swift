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
}
