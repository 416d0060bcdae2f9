// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Setting properties of a fault whose record another context has deleted meanwhile.
@Suite(.inBothPlaces) struct LostObjectTests {
    private static let policies = [
        NSMergePolicy.error, .rollback, .overwrite, .mergeByPropertyObjectTrump,
        .mergeByPropertyStoreTrump,
    ]

    /// A fault of a person who is gone, and a department.
    private func lost(
        _ stack: Stack
    ) throws -> (person: NSManagedObject, department: NSManagedObject) {
        let context = stack.context
        let department = context.make("Department", ["name": "d"])
        let former = context.make("Department", ["name": "former"])
        let person = context.make("Person", ["name": "Ann", "department": former])
        try context.save()
        context.refreshAllObjects()
        let other = stack.container.newBackgroundContext()
        try other.performAndWait {
            other.delete(other.object(with: person.objectID))
            try other.save()
        }
        return (person, department)
    }

    @Test(arguments: policies) func what_is_set_is_no_change(policy: NSMergePolicy) throws {
        let stack = try Stack(PeopleModel.make(isDepartmentOptional: false))
        stack.context.mergePolicy = policy
        let (person, department) = try lost(stack)
        person.setValue("Anna", forKey: "name")
        person.setValue(department, forKey: "department")
        #expect(person.isDeleted && !person.isUpdated && !stack.context.hasChanges)
        #expect(person.text("name") == "Anna" && person.one("department") === department)
        #expect(department.names("employees") == [])
        department.setValue("e", forKey: "name")
        try stack.context.save()
        #expect(
            try stack.context.names("Department", "employees.@count == 0") == ["e", "former"])
        #expect(try stack.context.count("Person") == 0)
    }
}
