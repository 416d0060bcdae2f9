// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Batch requests that break a constraint or a required relationship: the documented error,
/// nothing half-written, the store and its contexts usable.
@Suite struct BatchMisuseTests {
    /// Departments that need an employee, in a store with a history.
    private func stack() throws -> Stack {
        let model = PeopleModel.make()
        let department = model.entitiesByName["Department"]
        department?.relationshipsByName["employees"]?.isOptional = false
        department?.relationshipsByName["employees"]?.minCount = 1
        department?.uniquenessConstraints = [["name"]]
        let stack = try Stack(model)
        try stack.reopen([NSPersistentHistoryTrackingKey])
        for (name, employees) in [("one", ["Ann", "Bob"]), ("two", ["Cid"])] {
            let department = stack.context.make("Department", ["name": name])
            for employee in employees {
                stack.context.make("Person", ["name": employee, "department": department])
            }
        }
        try stack.context.save()
        return stack
    }

    private func employees(_ stack: Stack) throws -> [[String]] {
        stack.context.refreshAllObjects()
        return try ["one", "two"].map {
            try stack.context.named($0, "Department")?.names("employees") ?? []
        }
    }

    private func move(_ format: String, to department: Any, _ stack: Stack) throws {
        let request = NSBatchUpdateRequest(entityName: "Person")
        request.predicate = NSPredicate(format: format)
        request.propertiesToUpdate = ["department": department, "age": 99]
        try stack.context.execute(request)
    }

    /// Nothing is in the file or in its history, and the next requests and saves work.
    private func checkUnharmed(_ stack: Stack) throws {
        #expect(try employees(stack) == [["Ann", "Bob"], ["Cid"]])
        #expect(try stack.story().count == 1)
        #expect(try stack.context.names("Person", "age == 99").isEmpty)
        try move("name == 'Bob'", to: stack.department("two"), stack)
        #expect(try employees(stack) == [["Ann"], ["Bob", "Cid"]])
        try stack.context.named("Ann", "Person")?.setValue("Anna", forKey: "name")
        try stack.context.save()
        #expect(try stack.story().count == 3)
    }

    @Test func moving_the_last_destination_away() throws {
        let stack = try stack()
        let two = try stack.department("two")
        let error = #expect(throws: CocoaError.self) {
            try move("department.name == 'one'", to: two, stack)
        }
        #expect(error?.errorCode == 1570)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "employees")
        // Those that are there already do not count as moved.
        #expect(code { try move("TRUEPREDICATE", to: two, stack) } == 1570)
        try checkUnharmed(stack)
    }

    @Test func clearing_the_last_destination() throws {
        let stack = try stack()
        #expect(code { try move("name == 'Cid'", to: NSNull(), stack) } == 1570)
        try checkUnharmed(stack)
        try move("name == 'Cid'", to: NSNull(), stack)
        #expect(try employees(stack) == [["Anna"], ["Bob"]])
    }

    @Test func staying_is_not_moving() throws {
        let stack = try stack()
        try move("department.name == 'two'", to: stack.department("two"), stack)
        #expect(try employees(stack) == [["Ann", "Bob"], ["Cid"]])
        #expect(try stack.context.names("Person", "age == 99") == ["Cid"])
    }

    @Test func inserting_what_needs_a_destination() throws {
        let stack = try stack()
        let request = NSBatchInsertRequest(entityName: "Department", objects: [["name": "three"]])
        #expect(code { try stack.context.execute(request) } == 1570)
        try checkUnharmed(stack)
    }

    @Test func deleting_the_last_destination() throws {
        let stack = try stack()
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        fetch.predicate = NSPredicate(format: "name IN {'Bob', 'Cid'}")
        #expect(
            code { try stack.context.execute(NSBatchDeleteRequest(fetchRequest: fetch)) } == 1570)
        try checkUnharmed(stack)
    }

    @Test func updating_into_a_constraint() throws {
        let stack = try stack()
        let request = NSBatchUpdateRequest(entityName: "Department")
        request.propertiesToUpdate = ["name": "same"]
        #expect(code { try stack.context.execute(request) } == 133021)
        try checkUnharmed(stack)
    }

    @Test func inserting_into_a_constraint() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        try stack.reopen([NSPersistentHistoryTrackingKey])
        let kept = stack.context.make("Item", ["name": "a", "number": 1])
        try stack.context.save()
        let request = NSBatchInsertRequest(
            entityName: "Item", objects: [["name": "b"], ["name": "a", "number": 2]])
        #expect(code { try stack.context.execute(request) } == 133021)
        #expect(try stack.story() == ["1 -: +Item/p1"])
        stack.context.refreshAllObjects()
        #expect(kept.number("number") == 1)
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["a"])
        request.objectsToInsert = [["name": "b"]]
        try stack.context.execute(request)
        kept.setValue(3, forKey: "number")
        try stack.context.save()
        #expect(try stack.story().count == 3)
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["a", "b"])
    }
}

extension Stack {
    fileprivate func department(_ name: String) throws -> NSManagedObjectID {
        try #require(try context.named(name, "Department")).objectID
    }
}
