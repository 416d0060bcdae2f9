// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Conditions behind a relationship without an index: the far smaller side is scanned.
@Suite struct FilteredWalkTests {
    private func filled(_ count: Int = 1_200) throws -> Stack {
        let stack = try Stack(PeopleModel.make())
        let departments = (0..<40).map { number in
            stack.context.make("Department", ["name": "d\(number)"])
        }
        let tags = (0..<5).map { stack.context.make("Tag", ["name": "t\($0)"]) }
        for number in 0..<count {
            let person = stack.context.make("Person", ["name": "p\(number)", "age": number % 90])
            if number % 7 != 0 {
                person.setValue(departments[number % 40], forKey: "department")
            }
            person.setValue(NSSet(object: tags[number % 5]), forKey: "tags")
        }
        try stack.context.save()
        return stack
    }

    private func request(_ format: String) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: format)
        return request
    }

    /// The explanation without its last line, the estimate.
    private func plan(
        _ stack: Stack, _ request: NSFetchRequest<NSManagedObject>
    ) throws -> String {
        let lines = try stack.context.explain(request).split(separator: "\n")
        #expect(lines.last?.hasPrefix("  estimate: reads ") == true)
        return lines.dropLast().joined(separator: "\n")
    }

    /// All owners may have as many members: then the walk reads everything.
    @Test func a_count_of_members_is_taken_for_a_common_one() throws {
        let year = Build.attribute("year", .integer64AttributeType)
        let item = Build.entity("Item", [year])
        let shelf = Build.entity("Shelf", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("shelf", of: item, to: shelf, max: 1),
            Build.relationship("items", of: shelf, to: item, max: 0))
        Build.index(item, "year")
        let stack = try Stack(Build.model(item, shelf))
        let shelves = (0..<20).map { stack.context.make("Shelf", ["name": "\($0)"]) }
        for number in 0..<4_000 {
            stack.context.make("Item", ["year": number % 120, "shelf": shelves[number % 20]])
        }
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: "shelf.items.@count == 200 AND year == 5")
        let lines = try stack.context.explain(request).split(separator: "\n")
        #expect(lines[1].contains("index range") && lines[1].contains("year == 5"))
        #expect(lines.last == "  estimate: reads 34 of 4000")
        #expect(try stack.context.count(for: request) == 34)
    }

    @Test func the_plan_says_so() throws {
        let stack = try filled()
        #expect(
            try plan(stack, request("department.name == 'd3' AND age > 10")) == """
                fetch Person where department.name == "d3" AND age > 10
                  relationship walk: employees of Department
                    scan Department (entity scan)
                    filter name == "d3"
                  filter age > 10
                """)
        #expect(
            try plan(stack, request("ANY tags.name == 't1'")) == """
                fetch Person where ANY tags.name == "t1"
                  relationship walk: people of Tag
                    scan Tag (entity scan)
                    filter name == "t1"
                """)
    }

    /// An object is among the members, whichever side of the comparison it is on.
    @Test(arguments: ["%@ IN tags", "tags CONTAINS %@"])
    func an_object_that_is_a_member_is_walked_from(format: String) throws {
        let stack = try filled()
        let tag = try #require(try stack.context.named("t1", "Tag"))
        let request = request("TRUEPREDICATE")
        request.predicate = NSPredicate(format: format, tag)
        let text = try plan(stack, request)
        #expect(text.contains("relationship walk: people of 1 Tag"), "\(text)")
        let wanted = tag.many("people")
        #expect(try Set(stack.context.fetch(request)) == wanted && !wanted.isEmpty)
        request.predicate = NSCompoundPredicate(
            notPredicateWithSubpredicate: NSPredicate(format: format, tag))
        let others = try stack.context.fetch(request)
        #expect(others.count == (try stack.context.count("Person")) - wanted.count)
    }

    @Test(arguments: [
        "department.name == 'd3'", "department.name BEGINSWITH[c] 'D1'",
        "department.name IN {'d1', 'd2', 'none'}", "department.name != 'd3'",
        "NOT (department.name == 'd3')", "department.name == nil", "department.name > 'd38'",
        "department.name == 'd3' OR age == 5", "department.name == 'd3' AND ANY tags.name == 't3'",
        "ANY tags.name IN {'t1', 't2'}", "NONE tags.name == 't1'", "department.name == 'none'",
        "ANY department.employees.name == 'p41'", "department.name LIKE 'd?'",
        "department.name MATCHES 'd[12]'", "department.employees.@count > 25",
    ])
    func finds_what_memory_finds(format: String) throws {
        let stack = try filled()
        let request = request(format)
        let found = try stack.context.fetch(request).map { $0.text("name") }
        let all = try stack.context.all("Person")
        let predicate = try #require(request.predicate)
        let expected = all.filter { predicate.evaluate(with: $0) }.map { $0.text("name") }
        #expect(found.sorted() == expected.sorted())
        #expect(try stack.context.count(for: request) == expected.count)
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
        request.fetchLimit = 3
        let ages = try stack.context.fetch(request).compactMap { $0.value(forKey: "age") as? Int }
        let allAges = all.filter { predicate.evaluate(with: $0) }
            .compactMap { $0.value(forKey: "age") as? Int }
        #expect(ages == Array(allAges.sorted(by: >).prefix(3)))
    }

    @Test func few_objects_are_scanned() throws {
        let stack = try filled(100)
        #expect(
            try plan(stack, request("department.name == 'd3'")) == """
                fetch Person where department.name == "d3"
                  scan Person (entity scan)
                  filter department.name == "d3"
                """)
    }

    @Test func unsaved_changes_count() throws {
        let stack = try filled()
        let request = request("department.name == 'd3'")
        let before = try stack.context.fetch(request)
        let department = try #require(try stack.context.named("d3", "Department"))
        stack.context.make("Person", ["name": "new", "department": department])
        let first = try #require(before.first)
        first.setValue(nil, forKey: "department")
        let after = try stack.context.fetch(request)
        #expect(after.count == before.count && !after.contains(first))
        #expect(after.contains { $0.text("name") == "new" })
    }
}

/// A limit beside unsaved changes asks the store for no more than it takes.
@Suite struct PendingLimitTests {
    @Test func few_faults_are_made() throws {
        let stack = try Stack(ItemModel.make())
        for number in 0..<500 { stack.context.make("Item", ["name": "i\(1000 + number)"]) }
        try stack.context.save()
        let context = stack.container.newBackgroundContext()
        context.make("Item", ["name": "i1001a"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchLimit = 3
        request.fetchOffset = 1
        #expect(
            try context.fetch(request).map { $0.text("name") } == ["i1001", "i1001a", "i1002"])
        #expect(context.registeredObjects.count <= 6)
    }

    @Test func an_object_that_was_changed_anew_is_found_once() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        for name in ["b", "c"] {
            item.setValue(name, forKey: "name")
            stack.context.processPendingChanges()
            if name == "b" { stack.context.refresh(item, mergeChanges: false) }
        }
        #expect(try stack.context.all("Item") == [item])
        #expect(try stack.context.count("Item") == 1)
        #expect(try stack.context.names("Item", "name == 'c'") == ["c"])
    }

    @Test func one_text_is_found_among_many_unsaved() throws {
        let parent = Build.entity("Parent", [Build.attribute("code")])
        let child = Build.entity("Child", [Build.attribute("added"), Build.attribute("aaa")])
        parent.subentities = [child]
        let stack = try Stack(Build.model(parent, child))
        for number in 0..<50 {
            stack.context.make("Parent", ["code": "p\(number % 25)"])
            stack.context.make("Child", ["code": "p\(number % 25)", "aaa": "x", "added": "y"])
        }
        stack.context.make("Parent", ["code": "cafe\u{301}"])
        stack.context.make("Parent", ["code": "caf\u{E9}"])
        func count(_ format: String, _ arguments: Any...) throws -> Int {
            try stack.context.all("Parent", NSPredicate(format: format, argumentArray: arguments))
                .count
        }
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            #expect(try count("code == %@", "p3") == 4)
            #expect(try count("code == %@ AND self != nil", "p3") == 4)
            #expect(try count("code == %@", "caf\u{E9}") == 1)
            #expect(try count("code == %@", "none") == 0)
            #expect(try count("code ==[c] %@", "P3") == 4)
            #expect(try count("code == nil") == 0)
            #expect(try count("NOT (code == %@)", "p3") == 98)
        }
    }

    @Test func what_changes_take_away_is_made_up_for() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let items = (0..<20).map { context.make("Item", ["name": "i\(10 + $0)"]) }
        try context.save()
        for item in items[0..<5] { context.delete(item) }
        for item in items[5..<9] { item.setValue("z", forKey: "name") }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchLimit = 2
        #expect(try context.fetch(request).map { $0.text("name") } == ["i19", "i20"])
        request.fetchOffset = 10
        #expect(try context.fetch(request).map { $0.text("name") } == ["i29", "z"])
        request.sortDescriptors = nil
        request.fetchOffset = 0
        request.predicate = NSPredicate(format: "name != 'i19'")
        #expect(try context.fetch(request).map { $0.text("name") } == ["i20", "i21"])
    }
}
