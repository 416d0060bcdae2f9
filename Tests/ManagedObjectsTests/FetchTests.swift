// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Predicates, orders and cuts: saved or not, with an index or without, the answer is the same.
@Suite struct FetchTests {
    /// Four people in two departments.
    private func stack(isIndexed: Bool, isSaved: Bool) throws -> Stack {
        let stack = try Stack(PeopleModel.make(isIndexed: isIndexed))
        let context = stack.context
        let sales = context.make("Department", ["name": "Sales"])
        let lab = context.make("Department", ["name": "Lab"])
        let ann = context.make("Person", ["name": "Ann", "age": 30, "department": sales])
        context.make("Person", ["name": "Bob", "age": 40, "department": sales])
        context.make("Person", ["name": "Zoë", "age": 30, "department": lab])
        let cid = context.make("Person", ["age": 20])
        cid.setValue([ann] as Set, forKey: "friends")
        if isSaved {
            try context.save()
            context.reset()
        }
        return stack
    }

    static let formats: [(String, [String])] = [
        ("name == 'Ann'", ["Ann"]),
        ("name != 'Ann'", ["-", "Bob", "Zoë"]),
        ("age > 30", ["Bob"]),
        ("age >= 30", ["Ann", "Bob", "Zoë"]),
        ("age < 30", ["-"]),
        ("age <= 30 AND name != nil", ["Ann", "Zoë"]),
        ("age == 20 OR age == 40", ["-", "Bob"]),
        ("NOT (age == 30)", ["-", "Bob"]),
        ("age IN {20, 40}", ["-", "Bob"]),
        ("NOT age IN {20, 40}", ["Ann", "Zoë"]),
        ("age BETWEEN {25, 35}", ["Ann", "Zoë"]),
        ("name BEGINSWITH 'A'", ["Ann"]),
        ("name BEGINSWITH[c] 'a'", ["Ann"]),
        ("name ENDSWITH 'b'", ["Bob"]),
        ("name CONTAINS[c] 'O'", ["Bob", "Zoë"]),
        ("name CONTAINS[cd] 'O'", ["Bob", "Zoë"]),
        ("name LIKE '?o*'", ["Bob", "Zoë"]),
        ("name LIKE[cd] 'zoe'", ["Zoë"]),
        ("name MATCHES '[AB].*'", ["Ann", "Bob"]),
        ("name == nil", ["-"]),
        ("name != nil", ["Ann", "Bob", "Zoë"]),
        ("department.name == 'Sales'", ["Ann", "Bob"]),
        ("department.name BEGINSWITH[c] 'l'", ["Zoë"]),
        ("department == nil", ["-"]),
        ("department != nil AND age > 30", ["Bob"]),
        ("ANY friends.name == 'Ann'", ["-"]),
        ("department.employees.@count == 2", ["Ann", "Bob"]),
        ("friends.@count > 0", ["-", "Ann"]),
        ("SUBQUERY(friends, $f, $f.age == 20).@count == 1", ["Ann"]),
        ("TRUEPREDICATE", ["-", "Ann", "Bob", "Zoë"]),
        ("FALSEPREDICATE", []),
    ]

    @Test(arguments: [false, true], [false, true])
    func formats_give_the_same_saved_or_not(isIndexed: Bool, isSaved: Bool) throws {
        let stack = try stack(isIndexed: isIndexed, isSaved: isSaved)
        for (format, expected) in Self.formats {
            #expect(try stack.context.names("Person", format) == expected, "\(format)")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: format)
            #expect(try stack.context.count(for: request) == expected.count, "\(format)")
        }
    }

    @Test(arguments: [false, true], [false, true])
    func arguments(isIndexed: Bool, isSaved: Bool) throws {
        let stack = try stack(isIndexed: isIndexed, isSaved: isSaved)
        let context = stack.context
        let sales = try #require(try context.named("Sales", "Department"))
        let ann = try #require(try context.named("Ann", "Person"))
        #expect(try context.names("Person", "%K == %@", "name", "Ann") == ["Ann"])
        #expect(try context.names("Person", "%K == %@", "department.name", "Lab") == ["Zoë"])
        #expect(try context.names("Person", "age == %d AND age < %f", 30, 30.5) == ["Ann", "Zoë"])
        #expect(try context.names("Person", "age == %@", NSNumber(value: 40)) == ["Bob"])
        #expect(try context.names("Person", "department == %@", sales) == ["Ann", "Bob"])
        #expect(try context.names("Person", "department == %@", sales.objectID) == ["Ann", "Bob"])
        #expect(try context.names("Person", "department IN %@", [sales]) == ["Ann", "Bob"])
        #expect(try context.names("Person", "department IN %@", Set([sales])) == ["Ann", "Bob"])
        #expect(try context.names("Person", "department != %@", sales) == ["-", "Zoë"])
        #expect(try context.names("Person", "SELF == %@", ann) == ["Ann"])
        #expect(try context.names("Person", "SELF IN %@", [ann, sales]) == ["Ann"])
        #expect(try context.names("Person", "%@ IN friends", ann) == ["-"])
        #expect(
            try context.names("Person", "name IN %@", ["Ann", "Bob", "None"]) == ["Ann", "Bob"])
        #expect(try context.names("Person", "name == %@", nil) == ["-"])
        #expect(try context.names("Person", "name == %@", NSNull()) == ["-"])
    }

    @Test(arguments: [false, true], [false, true])
    func order_limit_and_offset(isIndexed: Bool, isSaved: Bool) throws {
        let stack = try stack(isIndexed: isIndexed, isSaved: isSaved)
        func names(_ keys: [(String, Bool)], limit: Int = 0, offset: Int = 0) throws -> [String] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = keys.map { NSSortDescriptor(key: $0.0, ascending: $0.1) }
            request.fetchLimit = limit
            request.fetchOffset = offset
            let found = try stack.context.fetch(request)
            #expect(try stack.context.count(for: request) == found.count)
            return found.map { $0.text("name") }
        }
        #expect(try names([("name", true)]) == ["-", "Ann", "Bob", "Zoë"])
        #expect(try names([("name", false)]) == ["Zoë", "Bob", "Ann", "-"])
        #expect(try names([("age", false), ("name", true)]) == ["Bob", "Ann", "Zoë", "-"])
        #expect(
            try names([("department.name", true), ("name", true)]) == ["-", "Zoë", "Ann", "Bob"])
        #expect(try names([("name", true)], limit: 2) == ["-", "Ann"])
        #expect(try names([("name", true)], limit: 2, offset: 1) == ["Ann", "Bob"])
        #expect(try names([("name", true)], offset: 3) == ["Zoë"])
        #expect(try names([("name", true)], limit: 5, offset: 9) == [])
        #expect(try names([], limit: 3).count == 3)
    }

    @Test(arguments: [false, true]) func result_types(isSaved: Bool) throws {
        let stack = try stack(isIndexed: false, isSaved: isSaved)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
        ids.resultType = .managedObjectIDResultType
        ids.predicate = NSPredicate(format: "name == 'Ann'")
        let ann = try #require(try stack.context.named("Ann", "Person"))
        #expect(try stack.context.fetch(ids) == [ann.objectID])
        let count = NSFetchRequest<NSNumber>(entityName: "Person")
        count.resultType = .countResultType
        #expect(try stack.context.fetch(count) == [4])
    }

    @Test func compound_predicates() throws {
        let stack = try stack(isIndexed: true, isSaved: true)
        let old = NSPredicate(format: "age >= 30")
        let named = NSPredicate(format: "name BEGINSWITH 'A'")
        func names(_ predicate: NSPredicate) throws -> [String] {
            try stack.context.all("Person", predicate).map { $0.text("name") }.sorted()
        }
        #expect(
            try names(NSCompoundPredicate(andPredicateWithSubpredicates: [old, named])) == ["Ann"])
        #expect(
            try names(NSCompoundPredicate(orPredicateWithSubpredicates: [old, named]))
                == ["Ann", "Bob", "Zoë"])
        #expect(try names(NSCompoundPredicate(notPredicateWithSubpredicate: old)) == ["-"])
        #expect(try names(NSPredicate(value: true)).count == 4)
        #expect(try names(NSPredicate(value: false)).isEmpty)
        #expect(code { _ = try names(NSPredicate { _, _ in true }) } == 134070)
    }

    @Test(arguments: [false, true]) func unknown_keys_throw(isSaved: Bool) throws {
        let stack = try stack(isIndexed: false, isSaved: isSaved)
        #expect(code { _ = try stack.context.names("Person", "height > 1") } == 134070)
        #expect(code { _ = try stack.context.names("Person", "department.height > 1") } == 134070)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "height", ascending: true)]
        #expect(code { _ = try stack.context.fetch(request) } == 134070)
    }

    @Test func a_predicate_evaluates_objects_in_memory() throws {
        let stack = try stack(isIndexed: false, isSaved: false)
        let people = try stack.context.all("Person")
        let predicate = NSPredicate(format: "department.name == 'Sales' AND age > 35")
        #expect(people.filter { predicate.evaluate(with: $0) }.map { $0.text("name") } == ["Bob"])
    }
}
