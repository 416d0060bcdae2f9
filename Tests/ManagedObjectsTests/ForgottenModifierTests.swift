// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Fetches that Core Data refuses, as they would find nothing or ignore what was asked.
@Suite struct ForgottenModifierTests {
    @Test(arguments: [
        "employees.age == 18", "employees.age != 18", "18 == employees.age", "employees == nil",
        "employees.name == 'ann'", "NOT (employees.age == 18)",
    ])
    func many_values_are_not_compared_with_one(_ format: String) throws {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        stack.context.make("Person", ["name": "ann", "department": department])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
        request.predicate = NSPredicate(format: format)
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            let error = try #require(throws: CocoaError.self) { try stack.context.fetch(request) }
            #expect(error.code.rawValue == 134070)
            #expect("\(error)".contains("use ANY, ALL, NONE or @count"))
        }
    }

    @Test(arguments: [
        "employees.age > 18", "employees.name BEGINSWITH 'a'", "name BEGINSWITH employees.name",
    ])
    func an_empty_store_refuses_as_a_full_one(_ format: String) throws {
        let stack = try Stack(PeopleModel.make())
        let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
        request.predicate = NSPredicate(format: format)
        let error = try #require(throws: CocoaError.self) { try stack.context.fetch(request) }
        #expect(error.code.rawValue == 134070)
        #expect("\(error)".contains("use ANY, ALL, NONE or @count"))
    }

    @Test func an_operator_of_text_refuses_a_number_in_an_empty_store() throws {
        let stack = try Stack(PeopleModel.make())
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "age BEGINSWITH 'x'")
        let error = try #require(throws: CocoaError.self) { try stack.context.fetch(request) }
        #expect(error.code.rawValue == 134070)
        #expect("\(error)".contains("BEGINSWITH needs text"))
    }

    @Test(arguments: [
        ("ANY employees.age == 18", 1), ("employees.@count == 1", 1),
        ("ALL employees.age == 18", 1),
        ("SUBQUERY(employees, $e, $e.age == 18).@count == 1", 1),
    ])
    func the_forms_that_ask_of_members_stay(_ format: String, _ count: Int) throws {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        stack.context.make("Person", ["name": "ann", "department": department])
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
        request.predicate = NSPredicate(format: format)
        #expect(try stack.context.fetch(request).count == count)
    }

    @Test func members_may_equal_a_set() throws {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        let ann = stack.context.make("Person", ["name": "ann", "department": department])
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
        request.predicate = NSPredicate(format: "employees == %@", Set([ann]))
        #expect(try stack.context.fetch(request) == [department])
    }

    @Test func groups_need_dictionaries() throws {
        let stack = try Stack(ItemModel.make())
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.propertiesToGroupBy = ["name"]
        let error = try #require(throws: CocoaError.self) { try stack.context.fetch(request) }
        #expect(error.code.rawValue == 134070)
        #expect("\(error)".contains("dictionaryResultType"))
    }
}
