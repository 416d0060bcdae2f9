// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Constants of other types than the attribute's: converted or refused, wherever they are.
@Suite struct ConstantCoercionTests {
    private func stack() throws -> Stack {
        let stack = try Stack(PeopleModel.make())
        let context = stack.context
        let team = context.make("Department", ["name": "7"])
        let ann = context.make("Person", ["name": "Ann", "age": 30, "department": team])
        context.make("Person", ["name": "Bob", "age": 40, "department": team, "parent": ann])
        return stack
    }

    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "nothing was thrown"
        } catch {
            guard let error = error as? CocoaError, error.errorCode == 134_070 else {
                return "\(error)"
            }
            return error.localizedDescription + "\(error.userInfo)"
        }
    }

    @Test func the_error_names_attribute_type_and_constant() throws {
        let context = try stack().context
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let text = message { _ = try context.names("Person", "age > 'old'") }
            #expect(text.contains("Person.age"))
            #expect(text.contains("integer32"))
            #expect(text.contains("old"))
        }
    }

    @Test func paths_and_collections_are_converted() throws {
        let context = try stack().context
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            #expect(try context.names("Person", "parent.age == '30'") == ["Bob"])
            #expect(try context.names("Department", "ANY employees.age == '40'") == ["7"])
            #expect(try context.names("Department", "ALL employees.age > '30'") == [])
            #expect(try context.names("Department", "'40' IN employees.age") == ["7"])
            #expect(try context.names("Department", "employees.age CONTAINS '30'") == ["7"])
            #expect(
                try context.names(
                    "Department", "SUBQUERY(employees, $e, $e.age > '30').@count == '1'") == ["7"])
            #expect(try context.names("Department", "name == 7") == ["7"])
            #expect(try context.names("Department", "employees.@max.age == '40'") == ["7"])
            #expect(try context.names("Department", "employees.@sum.age == '70'") == ["7"])
            #expect(try context.names("Person", "age BETWEEN {parent.age, '40'}") == ["Bob"])
            #expect(try context.names("Person", "name.length == '3' AND age < '35'") == ["Ann"])
            #expect(try context.names("Person", "TERNARY(age > '35', age, 1) == '40'") == ["Bob"])
            #expect(try context.names("Person", "age + 1 == '31'") == ["Ann"])
            #expect(try context.names("Person", "age - parent.age == '10'") == ["Bob"])
            #expect(try context.names("Person", "2 * age + 1 < '62'") == ["Ann"])
        }
    }

    @Test func whatever_does_not_fit_is_refused() throws {
        let context = try stack().context
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            for format in [
                "age == 'x'", "'x' == age", "age IN {1, 'x'}", "age BETWEEN {1, 'x'}",
                "name < 5", "name == 1.5", "parent == 5", "parent == 'Ann'",
                "SELF == 'x'", "ANY children.age == 'x'", "ALL children.age < 'x'",
                "children.age CONTAINS 'x'", "SUBQUERY(children, $c, $c.age == 'x').@count > 0",
                "name == age", "name < age", "parent == age", "children.@count == 'x'",
                "NOT (age == 'x')", "name == 'Ann' OR age == 'x'", "length:(name) == 'x'",
                "TERNARY(age == 'x', 1, 2) == 1", "age == CAST(5, 'NSDate')",
                "age + 1 == 'x'", "age + 1 < 'x' AND name == 'none'", "age - 1 == name",
            ] {
                #expect(
                    code { _ = try context.all("Person", NSPredicate(format: format)) } == 134_070,
                    "\(format)")
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.predicate = NSPredicate(format: format)
                #expect(code { _ = try context.count(for: request) } == 134_070, "\(format)")
            }
        }
    }

    @Test func batches_convert_and_refuse() throws {
        let stack = try stack()
        try stack.context.save()
        let update = NSBatchUpdateRequest(entityName: "Person")
        update.propertiesToUpdate = ["name": "old"]
        update.resultType = .updatedObjectsCountResultType
        update.predicate = NSPredicate(format: "age > '30'")
        let result = try stack.context.execute(update) as? NSBatchUpdateResult
        #expect(result?.result as? Int == 1)
        update.predicate = NSPredicate(format: "age > 'many'")
        #expect(code { _ = try stack.context.execute(update) } == 134_070)
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        fetch.predicate = NSPredicate(format: "age == 'many'")
        let delete = NSBatchDeleteRequest(fetchRequest: fetch)
        #expect(code { _ = try stack.context.execute(delete) } == 134_070)
        fetch.predicate = NSPredicate(format: "age == '40'")
        _ = try stack.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        #expect(try stack.context.count("Person") == 1)
    }

    @Test func having_predicates_convert_and_refuse() throws {
        let stack = try stack()
        try stack.context.save()
        let request = NSFetchRequest<NSDictionary>(entityName: "Person")
        request.resultType = .dictionaryResultType
        let oldest = NSExpressionDescription()
        oldest.name = "oldest"
        oldest.expression = NSExpression(
            forFunction: "max:", arguments: [NSExpression(forKeyPath: "age")])
        request.propertiesToFetch = ["name", oldest]
        request.propertiesToGroupBy = ["name"]
        request.havingPredicate = NSPredicate(format: "oldest > '35'")
        #expect(try stack.context.fetch(request).map { $0["name"] as? String } == ["Bob"])
        request.havingPredicate = NSPredicate(format: "$oldest == '30'")
        #expect(try stack.context.fetch(request).map { $0["name"] as? String } == ["Ann"])
        for format in ["oldest > 'old'", "name == 1.5", "count:(age) == 'x'"] {
            request.havingPredicate = NSPredicate(format: format)
            #expect(code { _ = try stack.context.fetch(request) } == 134_070, "\(format)")
        }
    }

    @Test func fetched_results_convert_and_refuse() throws {
        let stack = try stack()
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.predicate = NSPredicate(format: "age > '35'")
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil,
            cacheName: nil)
        let recorder = ResultsRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map { $0.text("name") } == ["Bob"])
        try stack.context.named("Ann", "Person")?.setValue(36, forKey: "age")
        stack.context.processPendingChanges()
        #expect(controller.fetchedObjects?.map { $0.text("name") } == ["Ann", "Bob"])
        request.predicate = NSPredicate(format: "age > 'old'")
        let refused = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil,
            cacheName: nil)
        #expect(code { try refused.performFetch() } == 134_070)
    }

    @Test func equality_in_memory_answers_and_order_traps() async throws {
        let stack = try stack()
        let ann = try #require(try stack.context.named("Ann", "Person"))
        #expect(!NSPredicate(format: "age == 'x'").evaluate(with: ann))
        #expect(NSPredicate(format: "age != 'x'").evaluate(with: ann))
        #expect(!NSPredicate(format: "age IN {'x'}").evaluate(with: ann))
        #expect(NSPredicate(format: "age == '30'").evaluate(with: ann))
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(PeopleModel.make())
            let ann = stack.context.make("Person", ["age": 30])
            _ = NSPredicate(format: "age > 'x'").evaluate(with: ann)
        }
    }
}
