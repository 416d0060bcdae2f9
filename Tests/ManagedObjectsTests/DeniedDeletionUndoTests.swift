// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Undo of what happened to the partners of an object whose deletion waits for its save.
@Suite(.inBothPlaces) struct DeniedDeletionUndoTests {
    private let stack: Stack
    private let department: NSManagedObject
    private let person: NSManagedObject

    init() throws {
        stack = try Stack(PeopleModel.make(employeesRule: .denyDeleteRule))
        stack.context.undoManager = UndoManager()
        department = stack.context.make("Department", ["name": "d"])
        person = stack.context.make("Person", ["name": "Ann", "department": department])
        try stack.context.save()
        stack.context.delete(department)
        stack.context.processPendingChanges()
    }

    private func expectLink() {
        #expect(person.one("department") === department)
        #expect(department.many("employees") == [person])
        #expect(department.isDeleted && !person.isDeleted)
        #expect(code { try stack.context.save() } == 1600)
    }

    @Test func a_partner_that_comes_back_is_linked_again() {
        stack.context.delete(person)
        stack.context.processPendingChanges()
        stack.context.undo()
        expectLink()
    }

    @Test func a_link_that_was_cut_is_there_again() {
        person.setValue(nil, forKey: "department")
        stack.context.processPendingChanges()
        stack.context.undo()
        expectLink()
        stack.context.redo()
        #expect(person.one("department") == nil)
        #expect(department.many("employees").isEmpty)
        stack.context.undo()
        expectLink()
    }

    @Test func a_link_that_was_made_is_gone_again() throws {
        let bob = stack.context.make("Person", ["name": "Bob"])
        stack.context.processPendingChanges()
        bob.setValue(department, forKey: "department")
        stack.context.processPendingChanges()
        stack.context.undo()
        #expect(bob.one("department") == nil)
        expectLink()
    }

    @Test func all_comes_back_in_turn() throws {
        stack.context.delete(person)
        stack.context.processPendingChanges()
        stack.context.undo()
        stack.context.undo()
        #expect(!department.isDeleted && department.many("employees") == [person])
        try stack.context.save()
        try stack.reopenChecked()
        #expect(try stack.context.names("Person", "department.name == 'd'") == ["Ann"])
    }

    @Test func a_link_that_the_rules_have_cut_stays_cut() throws {
        let stack = try Stack(PeopleModel.make())
        let manager = UndoManager()
        stack.context.undoManager = manager
        let department = stack.context.make("Department", ["name": "d"])
        let person = stack.context.make("Person", ["name": "Ann", "department": department])
        try stack.context.save()
        person.setValue(nil, forKey: "department")
        stack.context.processPendingChanges()
        manager.disableUndoRegistration()
        stack.context.delete(department)
        stack.context.processPendingChanges()
        manager.enableUndoRegistration()
        stack.context.undo()
        #expect(person.one("department") == nil)
        try stack.context.save()
        #expect(try stack.context.names("Person", "department == nil") == ["Ann"])
    }
}
