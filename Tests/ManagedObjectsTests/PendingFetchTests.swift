// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Fetches see unsaved insertions, edits and deletions; cuts come after the correction.
@Suite struct PendingFetchTests {
    /// Items `a` to `e`, saved, with numbers 1 to 5.
    private func stack() throws -> (Stack, [NSManagedObject]) {
        let stack = try Stack(ItemModel.make())
        let items = ["a", "b", "c", "d", "e"].enumerated().map {
            stack.context.make("Item", ["name": $1, "number": $0 + 1])
        }
        try stack.context.save()
        return (stack, items)
    }

    private func request(_ format: String) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        return request
    }

    @Test func edits_join_and_leave_the_matches() throws {
        let (stack, items) = try stack()
        items[0].setValue(10, forKey: "number")
        items[4].setValue(0, forKey: "number")
        let found = try stack.context.fetch(request("number >= 3"))
        #expect(found == [items[2], items[3], items[0]])
        #expect(try stack.context.fetch(request("number < 3")) == [items[4], items[1]])
        #expect(try stack.context.count(for: request("number >= 3")) == 3)
    }

    @Test func deletions_leave_and_insertions_join() throws {
        let (stack, items) = try stack()
        stack.context.delete(items[1])
        let new = stack.context.make("Item", ["name": "n", "number": 3])
        let found = try stack.context.fetch(request("number BETWEEN {2, 4}"))
        #expect(Set(found) == [items[2], new, items[3]])
        #expect(found.last === items[3])
        #expect(try stack.context.count(for: request("TRUEPREDICATE")) == 5)
    }

    /// In builds with assertions, too.
    @Test(arguments: [false, true])
    func finding_among_unsaved_objects_takes_no_longer_for_more_of_them(isUnique: Bool) throws {
        let context = try Stack(ItemModel.make(isUnique: isUnique)).context
        func time(_ numbers: Range<Int>) throws -> Double {
            let start = threadSeconds()
            for number in numbers {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                request.predicate = NSPredicate(format: "name == %@", "n\(number / 2)")
                request.fetchLimit = 1
                if try context.fetch(request).isEmpty {
                    context.make("Item", ["name": "n\(number / 2)"])
                }
            }
            return threadSeconds() - start
        }
        _ = try time(0..<600)
        let few = try time(600..<1_600)
        _ = try time(1_600..<9_000)
        let many = try time(9_000..<10_000)
        #expect(many < 4 * few, "\(many) seconds after \(few)")
        #expect(context.insertedObjects.count == 5_000)
    }

    /// The processor time of this thread, which other tests do not take part in.
    private func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func all_of_no_members_are_in_an_empty_list() throws {
        let context = try Stack(PeopleModel.make()).context
        context.make("Person", ["name": "alone"])
        context.make("Person", ["name": "boss"])
            .mutableSetValue(forKey: "children").add(context.make("Person", ["name": "child"]))
        let format = "ALL children.name IN {} AND name != 'child'"
        func names(_ format: String) throws -> [String] {
            try context.all("Person", NSPredicate(format: format)).map { $0.text("name") }
        }
        for _ in 0..<2 {
            #expect(try names(format) == ["alone"])
            #expect(try names("ANY children.name IN {}") == [])
            #expect(try names("name IN {}") == [])
            try context.save()
        }
    }

    @Test func lists_of_values_find_what_is_among_many_unsaved_objects() throws {
        let (stack, items) = try stack()
        let context = stack.context
        let made = (10..<40).map { context.make("Item", ["name": "n\($0)", "number": $0]) }
        #expect(try context.fetch(request("number IN {2, 12, 99}")) == [items[1], made[2]])
        // Both what the values are now and what they were is asked for.
        made[2].setValue(13, forKey: "number")
        items[1].setValue(12, forKey: "number")
        context.delete(made[5])
        #expect(try context.fetch(request("number IN {2, 12, 15}")) == [items[1]])
        #expect(Set(try context.fetch(request("number IN {13}"))) == [made[2], made[3]])
        #expect(
            try context.fetch(request("number IN {13, 14.5, 14} AND name IN {'n12', 'n14'}"))
                == [made[2], made[4]])
        made[6].setValue(nil, forKey: "name")
        let named = request("number > 0")
        named.predicate = NSPredicate(format: "name IN %@", [NSNull(), "n17", "b"] as [Any])
        #expect(try context.fetch(named) == [items[1], made[6], made[7]])
        named.predicate = NSPredicate(format: "name IN %@", [String]())
        #expect(try context.fetch(named) == [] && context.count(for: named) == 0)
        named.predicate = NSPredicate(format: "name IN[c] %@", ["N18", "n18"])
        #expect(try context.fetch(named) == [made[8]])
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = context
        child.make("Item", ["name": "child", "number": 14])
        #expect(
            try child.fetch(request("number IN {12, 14}")).map { $0.text("name") }
                == ["b", "n14", "child"])
    }

    @Test func cuts_come_last() throws {
        let (stack, items) = try stack()
        stack.context.delete(items[0])
        items[4].setValue(-1, forKey: "number")
        let new = stack.context.make("Item", ["number": 0])
        let request = request("number < 4")
        request.fetchLimit = 2
        #expect(try stack.context.fetch(request) == [items[4], new])
        request.fetchOffset = 2
        #expect(try stack.context.fetch(request) == [items[1], items[2]])
        request.fetchOffset = 3
        #expect(try stack.context.fetch(request) == [items[2]])
        #expect(try stack.context.count(for: request) == 1)
        request.fetchOffset = 4
        #expect(try stack.context.fetch(request).isEmpty)
    }

    /// With a limit, unsaved objects do not have the context make objects of all matches.
    @Test func a_limit_reads_as_many_objects_as_may_count() throws {
        let stack = try Stack(ItemModel.make())
        for number in 0..<500 { stack.context.make("Item", ["name": "x", "number": number]) }
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        other.retainsRegisteredObjects = true
        try other.performAndWait {
            other.make("Item", ["name": "x", "number": 3])
            let request = request("name == 'x' AND number > 2")
            request.fetchLimit = 1
            #expect(try other.fetch(request).map { $0.number("number") } == [3])
            request.fetchLimit = 3
            request.fetchOffset = 1
            #expect(try other.fetch(request).map { $0.number("number") } == [3, 4, 5])
            #expect(other.registeredObjects.count <= 6)
            let last = NSSortDescriptor(key: "number", ascending: false)
            request.sortDescriptors = [last]
            (request.fetchLimit, request.fetchOffset) = (1, 0)
            try #require(try other.fetch(request).first).setValue(-1, forKey: "number")
            #expect(try other.fetch(request).map { $0.number("number") } == [498])
            #expect(other.registeredObjects.count <= 9)
        }
    }

    @Test func a_request_may_leave_pending_changes_out() throws {
        let (stack, items) = try stack()
        stack.context.delete(items[0])
        items[1].setValue(100, forKey: "number")
        stack.context.make("Item", ["number": 1])
        let request = request("number <= 2")
        request.includesPendingChanges = false
        #expect(try stack.context.fetch(request) == [items[0], items[1]])
        #expect(try stack.context.count(for: request) == 2)
    }

    @Test func fetching_applies_delete_rules_first() throws {
        let stack = try Stack(PeopleModel.make(employeesRule: .cascadeDeleteRule))
        let department = stack.context.make("Department")
        stack.context.make("Person", ["name": "Ann", "department": department])
        try stack.context.save()
        stack.context.delete(department)
        #expect(try stack.context.count("Person") == 0)
    }

    @Test func predicates_through_relationships_see_unsaved_partners() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann"])
        try stack.context.save()
        let department = stack.context.make("Department", ["name": "new"])
        ann.setValue(department, forKey: "department")
        #expect(try stack.context.names("Person", "department == %@", department) == ["Ann"])
        #expect(try stack.context.names("Person", "department.name == 'new'") == ["Ann"])
        #expect(try stack.context.names("Department", "ANY employees == %@", ann) == ["new"])
        let predicate = NSPredicate(format: "department == %@", department)
        try stack.context.save()
        #expect(try stack.context.all("Person", predicate) == [ann])
    }
}
