// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A context with an undo manager records one action an event.
@Suite(.inBothPlaces) struct ContextUndoTests {
    private func stack(_ model: NSManagedObjectModel = PeopleModel.make()) throws -> Stack {
        let stack = try Stack(model)
        stack.context.undoManager = UndoManager()
        return stack
    }

    private func people(_ stack: Stack, _ names: String...) throws -> [NSManagedObject] {
        let people = names.map { stack.context.make("Person", ["name": $0]) }
        try stack.context.save()
        stack.context.undoManager?.removeAllActions()
        return people
    }

    @Test func there_is_none_by_default() throws {
        let stack = try Stack(ItemModel.make())
        #expect(stack.context.undoManager == nil)
        stack.context.make("Item")
        stack.context.undo()
        stack.context.redo()
        #expect(stack.context.insertedObjects.count == 1)
    }

    @Test func an_insertion_goes_and_comes_back_as_the_same_instance() throws {
        let stack = try stack()
        let context = stack.context
        let ann = context.make("Person", ["name": "Ann", "age": 30])
        context.undo()
        #expect(context.insertedObjects.isEmpty && !context.hasChanges)
        #expect(ann.managedObjectContext == nil && !ann.isInserted)
        #expect(try context.count("Person") == 0)
        context.redo()
        #expect(context.insertedObjects == [ann] && ann.isInserted)
        #expect(ann.text("name") == "Ann" && ann.number("age") == 30)
        try context.save()
        #expect(try context.names("Person", "age == 30") == ["Ann"])
    }

    @Test func several_deletions_are_taken_back_at_once_and_done_again() throws {
        let stack = try stack()
        let context = stack.context
        let people = try people(stack, "Ann", "Bob", "Cid", "Dan")
        context.delete(people[2])
        context.processPendingChanges()
        for person in people where !person.isDeleted { context.delete(person) }
        context.processPendingChanges()
        #expect(context.deletedObjects == Set(people))
        context.undo()
        #expect(context.deletedObjects == [people[2]])
        #expect(try context.names("Person", "name != ''") == ["Ann", "Bob", "Dan"])
        context.redo()
        #expect(context.deletedObjects == Set(people))
        context.undo()
        context.undo()
        #expect(context.deletedObjects.isEmpty)
        #expect(try context.names("Person", "name != ''") == ["Ann", "Bob", "Cid", "Dan"])
        try context.save()
        #expect(try stack.reading { try $0.count("Person") } == 4)
    }

    @Test func an_update_gets_its_values_back() throws {
        let stack = try stack()
        let ann = try people(stack, "Ann")[0]
        ann.setValue("Anna", forKey: "name")
        ann.setValue(40, forKey: "age")
        stack.context.processPendingChanges()
        ann.setValue(41, forKey: "age")
        stack.context.undo()
        #expect(ann.text("name") == "Anna" && ann.number("age") == 40)
        stack.context.undo()
        #expect(ann.text("name") == "Ann" && ann.number("age") == 18)
        #expect(ann.hasChanges && !ann.hasPersistentChangedValues)
        stack.context.redo()
        stack.context.redo()
        #expect(ann.text("name") == "Anna" && ann.number("age") == 41)
        #expect(stack.context.undoManager?.canRedo == false)
    }

    @Test func nil_values_come_back_too() throws {
        let stack = try stack()
        let ann = try people(stack, "Ann")[0]
        ann.setValue(nil, forKey: "name")
        stack.context.undo()
        #expect(ann.text("name") == "Ann")
        stack.context.redo()
        #expect(ann.value(forKey: "name") == nil)
    }

    @Test func a_deletion_comes_back_with_both_sides() throws {
        let stack = try stack()
        let context = stack.context
        let people = try people(stack, "Ann", "Bob")
        let department = context.make("Department", ["name": "d", "employees": Set(people)])
        people[0].setValue(people[1], forKey: "spouse")
        try context.save()
        context.delete(department)
        context.delete(people[1])
        context.processPendingChanges()
        #expect(people[0].one("department") == nil && people[0].one("spouse") == nil)
        context.undo()
        #expect(context.deletedObjects.isEmpty && !people[1].isDeleted)
        #expect(department.names("employees") == ["Ann", "Bob"])
        #expect(people[0].one("department") === department)
        #expect(people[0].one("spouse") === people[1] && people[1].one("spouse") === people[0])
        try context.save()
        try stack.reopen()
        let read = try #require(try stack.context.named("d", "Department"))
        #expect(read.names("employees") == ["Ann", "Bob"])
    }

    @Test func a_cascade_comes_back_as_a_whole() throws {
        let stack = try stack(PeopleModel.make(employeesRule: .cascadeDeleteRule))
        let context = stack.context
        let people = try people(stack, "Ann", "Bob")
        let department = context.make("Department", ["name": "d", "employees": Set(people)])
        try context.save()
        context.delete(department)
        context.processPendingChanges()
        #expect(context.deletedObjects.count == 3)
        context.undo()
        #expect(context.deletedObjects.isEmpty)
        #expect(department.names("employees") == ["Ann", "Bob"])
        context.redo()
        #expect(context.deletedObjects.count == 3)
        try context.save()
        #expect(try context.count("Person") == 0)
    }

    @Test func undoing_an_insertion_does_not_cascade() throws {
        let stack = try stack(PeopleModel.make(employeesRule: .cascadeDeleteRule))
        let context = stack.context
        let people = try people(stack, "Ann")
        let department = context.make("Department", ["name": "d", "employees": Set(people)])
        context.undo()
        #expect(department.managedObjectContext == nil)
        #expect(!people[0].isDeleted && people[0].one("department") == nil)
        context.redo()
        #expect(people[0].one("department") === department)
        #expect(department.names("employees") == ["Ann"])
    }

    @Test func a_move_between_parents_is_undone_on_three_sides() throws {
        let stack = try stack()
        let context = stack.context
        let people = try people(stack, "Ann", "Bob")
        let one = context.make("Department", ["name": "one", "employees": Set(people)])
        let two = context.make("Department", ["name": "two"])
        try context.save()
        people[0].setValue(two, forKey: "department")
        context.processPendingChanges()
        people[1].setValue(two, forKey: "department")
        context.undo()
        #expect(one.names("employees") == ["Bob"] && two.names("employees") == ["Ann"])
        context.undo()
        #expect(one.names("employees") == ["Ann", "Bob"] && two.names("employees").isEmpty)
        #expect(people[0].one("department") === one)
        context.redo()
        #expect(one.names("employees") == ["Bob"] && two.names("employees") == ["Ann"])
    }

    @Test func relationships_without_inverse_come_back() throws {
        let stack = try stack()
        let context = stack.context
        let ann = try people(stack, "Ann")[0]
        let red = context.make("Tag", ["name": "red"])
        ann.setValue(red, forKey: "favourite")
        ann.setValue([red] as Set, forKey: "watched")
        context.processPendingChanges()
        context.delete(red)
        context.processPendingChanges()
        #expect(ann.one("favourite") == nil && ann.many("watched").isEmpty)
        context.undo()
        #expect(ann.one("favourite") === red && ann.many("watched") == [red])
        context.undo()
        #expect(ann.one("favourite") == nil && ann.many("watched").isEmpty)
    }

    @Test func an_equal_value_registers_nothing() throws {
        let stack = try stack()
        let ann = try people(stack, "Ann")[0]
        ann.setValue("Ann", forKey: "name")
        stack.context.processPendingChanges()
        #expect(ann.hasChanges && stack.context.undoManager?.canUndo == false)
    }

    @Test func insert_and_delete_in_one_event_register_nothing() throws {
        let stack = try stack()
        stack.context.delete(stack.context.make("Person"))
        stack.context.processPendingChanges()
        #expect(stack.context.undoManager?.canUndo == false)
    }

    @Test func changes_can_be_kept_out() throws {
        let stack = try stack()
        let context = stack.context
        let manager = try #require(context.undoManager)
        let ann = try people(stack, "Ann")[0]
        context.processPendingChanges()
        manager.disableUndoRegistration()
        ann.setValue(50, forKey: "age")
        context.processPendingChanges()
        manager.enableUndoRegistration()
        #expect(!manager.canUndo)
        ann.setValue("Anna", forKey: "name")
        context.undo()
        #expect(ann.text("name") == "Ann" && ann.number("age") == 50)
    }

    @Test func a_change_that_was_kept_out_leaves_sides_that_agree() throws {
        let stack = try stack()
        let context = stack.context
        let manager = try #require(context.undoManager)
        let ann = try people(stack, "Ann")[0]
        let departments = ["a", "b", "c"].map { context.make("Department", ["name": $0]) }
        ann.setValue(departments[0], forKey: "department")
        context.processPendingChanges()
        ann.setValue(departments[1], forKey: "department")
        context.processPendingChanges()
        manager.disableUndoRegistration()
        ann.setValue(departments[2], forKey: "department")
        context.processPendingChanges()
        manager.enableUndoRegistration()
        context.undo()
        #expect(ann.one("department") === departments[0])
        #expect(departments.map { $0.names("employees") } == [["Ann"], [], []])
    }

    @Test func explicit_groups_hold_several_events() throws {
        let stack = try stack()
        let context = stack.context
        let manager = try #require(context.undoManager)
        let ann = try people(stack, "Ann")[0]
        ann.setValue(20, forKey: "age")
        manager.beginUndoGrouping()
        ann.setValue(21, forKey: "age")
        context.processPendingChanges()
        ann.setValue("Anna", forKey: "name")
        manager.endUndoGrouping()
        manager.setActionName("Rename")
        #expect(manager.undoCount == 2 && manager.undoMenuItemTitle == "Undo Rename")
        manager.undo()
        #expect(ann.text("name") == "Ann" && ann.number("age") == 20)
        manager.undo()
        #expect(ann.number("age") == 18)
    }

    @Test func what_a_program_registers_by_itself_is_an_event_without_changed_objects() throws {
        let stack = try Stack(PeopleModel.make())
        let context = stack.context
        let manager = UndoManager()
        context.undoManager = manager
        var log: [String] = []
        func act(_ name: String) {
            manager.registerUndo(withTarget: stack) { _ in log.append(name) }
        }
        act("a")
        context.processPendingChanges()
        act("b")
        act("c")
        _ = try context.count("Person")
        act("d")
        try context.save()
        #expect(manager.undoCount == 3)
        context.undo()
        #expect(log == ["d"])
        context.undo()
        #expect(log == ["d", "c", "b"])
        // What is registered beside changes of objects is of one event with them.
        let ann = context.make("Person", ["name": "Ann"])
        act("e")
        context.processPendingChanges()
        act("f")
        context.undo()
        context.undo()
        #expect(log == ["d", "c", "b", "f", "e"] && ann.managedObjectContext == nil)
    }

    @Test func each_perform_block_is_an_event() async throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.container.newBackgroundContext()
        // Used in blocks of its context only.
        nonisolated(unsafe) let item = await context.perform {
            context.undoManager = UndoManager()
            return context.make("Item", ["name": "a"])
        }
        await context.perform { item.setValue("b", forKey: "name") }
        await context.perform { item.setValue("c", forKey: "name") }
        await context.perform {
            #expect(context.undoManager?.undoCount == 3)
            context.undo()
            #expect(item.text("name") == "b")
        }
    }

    @Test func reviving_by_hand_is_undone_too() throws {
        let stack = try stack()
        let context = stack.context
        let people = try people(stack, "Ann", "Bob")
        people[0].setValue(people[1], forKey: "spouse")
        try context.save()
        context.delete(people[0])
        context.processPendingChanges()
        context.insert(people[0])
        context.processPendingChanges()
        #expect(people[1].one("spouse") === people[0])
        context.undo()
        #expect(people[0].isDeleted && people[1].one("spouse") == nil)
        context.undo()
        #expect(!people[0].isDeleted && people[1].one("spouse") === people[0])
    }
}
