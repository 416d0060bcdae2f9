// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Nullifying a mandatory relationship of the other side makes that object invalid: 1570.
@Suite(.inBothPlaces) struct MandatoryInverseTests {
    private func stack() throws -> (Stack, NSManagedObject, NSManagedObject) {
        let stack = try Stack(PeopleModel.make(isDepartmentOptional: false))
        let department = stack.context.make("Department", ["name": "d"])
        let ann = stack.context.make("Person", ["name": "Ann", "department": department])
        try stack.context.save()
        return (stack, department, ann)
    }

    @Test func the_save_names_the_object_and_the_key() throws {
        let (stack, department, ann) = try stack()
        stack.context.delete(department)
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.errorCode == 1570)
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === ann)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "department")
        #expect(department.isDeleted && ann.one("department") == nil)
    }

    @Test func the_object_may_go_or_be_repointed() throws {
        let (stack, department, ann) = try stack()
        stack.context.delete(department)
        stack.context.processPendingChanges()
        ann.setValue(stack.context.make("Department", ["name": "e"]), forKey: "department")
        try stack.context.save()
        #expect(ann.one("department")?.text("name") == "e")
        stack.context.delete(try #require(ann.one("department")))
        stack.context.delete(ann)
        try stack.context.save()
        #expect(try stack.context.count("Person") == 0)
    }

    @Test func reviving_the_deleted_side_makes_it_valid_again() throws {
        let (stack, department, ann) = try stack()
        stack.context.delete(department)
        #expect(code { try stack.context.save() } == 1570)
        stack.context.insert(department)
        try stack.context.save()
        #expect(ann.one("department") === department)
    }
}
