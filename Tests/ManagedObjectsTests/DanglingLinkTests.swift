// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Store
import Testing
import _TestSupport

/// Links that lead to objects which are gone, as the rule "no action" leaves them.
@Suite struct DanglingLinkTests {
    private func open(
        _ path: String, _ rule: NSDeleteRule, _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: PeopleModel.make(employeesRule: rule))
        try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
    }

    private func links(_ context: NSManagedObjectContext) throws -> [NSPersistentStore.DanglingLink]
    {
        try #require(context.persistentStoreCoordinator?.persistentStores.first).danglingLinks()
    }

    /// Fills a file with two people of a department and one of none.
    private func fill(_ path: String, _ rule: NSDeleteRule, isDeleted: Bool) throws {
        try open(path, rule) { context in
            let department = context.make("Department", ["name": "d"])
            for name in ["p", "q"] {
                context.make("Person", ["name": name]).setValue(department, forKey: "department")
            }
            context.make("Person", ["name": "r"])
            try context.save()
            let found = try links(context)
            #expect(found.isEmpty)
            guard isDeleted else { return }
            context.delete(department)
            try context.save()
        }
    }

    /// Deletes the record of the department as no context does it, without the delete rules.
    private func deleteDepartment(_ path: String) throws {
        let store = try Store.open(
            at: path, schema: nil, uuid: UUIDValue(high: 0, low: 0), options: StoreOptions())
        let table = try #require(store.table(named: "Department"))
        try store.write { try $0.delete(ObjectKey(entity: table.number, row: 1), in: table) }
    }

    @Test func they_are_found_and_can_be_taken_out() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/people.lode"
            try fill(path, .nullifyDeleteRule, isDeleted: false)
            try deleteDepartment(path)
            try open(path, .nullifyDeleteRule) { context in
                let found = try links(context)
                #expect(found.map(\.relationshipName) == ["department", "department"])
                #expect(found.map(\.owner.path) == ["/Person/p1", "/Person/p2"])
                #expect(found.map(\.destination.path) == ["/Department/p1", "/Department/p1"])
                let coordinator = try #require(context.persistentStoreCoordinator)
                for link in found {
                    let id = coordinator.managedObjectID(forURIRepresentation: link.owner)
                    let person = try context.existingObject(with: try #require(id))
                    person.setValue(nil, forKey: link.relationshipName)
                }
                try context.save()
                let rest = try links(context)
                #expect(rest.isEmpty)
            }
        }
    }

    @Test func those_of_the_rule_no_action_are_left_out() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/people.lode"
            try fill(path, .noActionDeleteRule, isDeleted: true)
            try open(path, .noActionDeleteRule) { context in
                let found = try links(context)
                #expect(found.isEmpty)
                let people = try context.all("Person").filter { $0.one("department") != nil }
                #expect(people.count == 2)
            }
        }
    }

    @Test func a_store_that_was_removed_says_so() throws {
        let stack = try Stack(PeopleModel.make())
        let coordinator = stack.container.persistentStoreCoordinator
        let store = try #require(coordinator.persistentStores.first)
        try coordinator.remove(store)
        #expect(code { _ = try store.danglingLinks() } == 134070)
    }
}
