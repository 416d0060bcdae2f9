// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Batch updates: values, expressions, references, versions, constraints.
@Suite struct BatchUpdateTests {
    private func update(
        _ entity: String, _ values: [AnyHashable: Any], _ format: String? = nil,
        _ context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.propertiesToUpdate = values
        request.resultType = .updatedObjectIDsResultType
        let result = try #require(try context.execute(request) as? NSBatchUpdateResult)
        return try #require(result.result as? [NSManagedObjectID])
    }

    private func people() throws -> (Stack, [NSManagedObject]) {
        let stack = try Stack(PeopleModel.make(isIndexed: true))
        let people = [("Ann", 30), ("Bob", 40), ("Cid", 50)].map {
            stack.context.make("Person", ["name": $0.0, "age": $0.1])
        }
        try stack.context.save()
        return (stack, people)
    }

    @Test func matches_change_and_contexts_follow_by_merging() throws {
        let (stack, people) = try people()
        #expect(people.map { $0.number("age") } == [30, 40, 50])
        people[2].setValue("Cyd", forKey: "name")
        let ids = try update("Person", ["age": 60], "age > 35", stack.context)
        #expect(ids == [people[1].objectID, people[2].objectID])
        #expect(people.map { $0.number("age") } == [30, 40, 50])
        #expect(try stack.context.all("Person", NSPredicate(format: "age == 60")).count == 1)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: ids], into: [stack.context])
        #expect(people.map { $0.number("age") } == [30, 60, 60])
        #expect(people[2].text("name") == "Cyd" && people[2].isUpdated)
        try stack.context.save()
        #expect(try stack.context.names("Person", "age == 60") == ["Bob", "Cyd"])
        #expect(try stack.context.names("Person", "age == 40").isEmpty)
    }

    @Test func a_stale_copy_meets_a_conflict() throws {
        let (stack, people) = try people()
        #expect(try stack.context.count("Person") == 3)
        people[0].setValue("Eve", forKey: "name")
        _ = try update("Person", ["age": 1], nil, stack.context)
        #expect(code { try stack.context.save() } == 133020)
    }

    @Test func result_types() throws {
        let (stack, _) = try people()
        let request = NSBatchUpdateRequest(entityName: "Person")
        request.propertiesToUpdate = ["age": 1]
        var result = try stack.context.execute(request) as? NSBatchUpdateResult
        #expect(result?.result as? Bool == true)
        request.resultType = .updatedObjectsCountResultType
        result = try stack.context.execute(request) as? NSBatchUpdateResult
        #expect(result?.result as? Int == 3)
        request.predicate = NSPredicate(value: false)
        let coordinator = stack.container.persistentStoreCoordinator
        let any = try coordinator.execute(request, with: stack.context) as? NSBatchUpdateResult
        #expect(any?.result as? Int == 0)
    }

    @Test func expressions_are_computed_for_each_object() throws {
        let (stack, people) = try people()
        let sum = NSExpression(
            forFunction: "add:to:", arguments: [NSExpression(forKeyPath: "age"), 5])
        let description = try #require(people[0].entity.attributesByName["age"])
        _ = try update(
            "Person", [description: sum, "name": NSExpression(forConstantValue: "x")], nil,
            stack.context)
        stack.context.refreshAllObjects()
        #expect(people.map { $0.number("age") } == [35, 45, 55])
        #expect(people.map { $0.text("name") } == ["x", "x", "x"])
    }

    @Test func texts_of_another_length_and_nil() throws {
        let (stack, people) = try people()
        _ = try update("Person", ["name": "a much longer name"], "age < 45", stack.context)
        _ = try update("Person", ["age": NSNull()], "age == 50", stack.context)
        stack.context.refreshAllObjects()
        #expect(
            people.map { $0.text("name") } == ["a much longer name", "a much longer name", "Cid"])
        #expect(people.map { $0.value(forKey: "age") == nil } == [false, false, true])
        #expect(try stack.context.names("Person", "name == 'Ann'").isEmpty)
    }

    @Test func references_keep_their_inverses() throws {
        let (stack, people) = try people()
        let old = stack.context.make("Department", ["name": "old"])
        let new = stack.context.make("Department", ["name": "new"])
        people[0].setValue(old, forKey: "department")
        try stack.context.save()
        _ = try update("Person", ["department": new.objectID], "age < 45", stack.context)
        stack.context.refreshAllObjects()
        #expect(new.names("employees") == ["Ann", "Bob"] && old.names("employees").isEmpty)
        _ = try update("Person", ["department": NSNull()], "age == 40", stack.context)
        stack.context.refreshAllObjects()
        #expect(new.names("employees") == ["Ann"] && people[1].one("department") == nil)
    }

    @Test func what_does_not_fit_changes_nothing() throws {
        let (stack, people) = try people()
        let tag = stack.context.make("Tag", ["name": "t"])
        let gone = stack.context.make("Department", ["name": "gone"])
        try stack.context.save()
        let id = gone.objectID
        stack.context.delete(gone)
        try stack.context.save()
        let wrong: [([AnyHashable: Any], Int)] = [
            (["shoe": 1], 134070), (["age": "old"], 134070), (["tags": 1], 134070),
            (["passport": NSNull()], 134070), (["department": id], 133000),
            (["department": tag.objectID], 133000), (["department": "x"], 134070),
        ]
        for (values, expected) in wrong {
            #expect(
                code { _ = try update("Person", values, nil, stack.context) } == expected,
                "\(values)")
        }
        stack.context.refreshAllObjects()
        #expect(people.map { $0.number("age") } == [30, 40, 50])
    }

    @Test func a_constraint_holds() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        for name in ["a", "b"] { stack.context.make("Item", ["name": name]) }
        try stack.context.save()
        #expect(code { _ = try update("Item", ["name": "c"], nil, stack.context) } == 133021)
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["a", "b"])
        #expect(try update("Item", ["name": "c"], "name == 'a'", stack.context).count == 1)
        stack.context.refreshAllObjects()
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["b", "c"])
    }

    @Test func a_mandatory_relationship_cannot_be_cleared() throws {
        let stack = try Stack(PeopleModel.make(isDepartmentOptional: false))
        let department = stack.context.make("Department", ["name": "d"])
        let ann = stack.context.make("Person", ["name": "Ann", "department": department])
        try stack.context.save()
        #expect(
            code { _ = try update("Person", ["department": NSNull()], nil, stack.context) } == 1570)
        stack.context.refreshAllObjects()
        #expect(ann.one("department") === department)
    }
}
