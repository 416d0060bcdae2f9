// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

import struct Foundation.Date

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

    /// Constants beside values of several types, and results of functions that have a type.
    private static let beside: [(String, [String])] = [
        ("TERNARY(number > 1, day, '2005-07-01') == '2005-07-06'", ["b"]),
        ("TERNARY(number > 1, day, nil) == '2005-07-06'", ["b"]),
        ("'2005-07-06' == TERNARY(number > 1, day, name)", ["b"]),
        ("TERNARY(number > 1, name, number) == '1'", ["a"]),
        ("TERNARY(number > 1, number, TERNARY(number == 1, day, name)) == '2005-07-05'", ["a"]),
        ("TERNARY(number > 1, number, TERNARY(number == 1, day, name)) == '2'", ["b"]),
        ("day == TERNARY(number > 1, '2005-07-06', '2005-01-01')", ["b"]),
        ("day != TERNARY(number > 1, '2005-07-06', '2005-01-01')", ["a", "c"]),
        ("number > TERNARY(name == 'b', '1.5', '2')", ["b", "c"]),
        ("TERNARY(number > 1, '7', number) == 7", ["b", "c"]),
        ("'2005-07-06' IN {day, '2005-01-01'}", ["b"]),
        ("NOT ('2005-07-06' IN {day, '2005-01-01'})", ["a", "c"]),
        ("'2' IN {number, name}", ["b"]), ("'C' IN[c] {number, name}", ["c"]),
        ("{day, number} CONTAINS '3'", ["c"]), ("{name, number} CONTAINS '3'", ["c"]),
        ("'2005-07-06' BETWEEN {day, '2005-07-31'}", ["a", "b"]),
        ("CAST('2005-07-06', 'NSDate') == '2005-07-06'", ["a", "b", "c"]),
        ("CAST(142300800 + number * 86400, 'NSDate') > '2005-07-07'", ["b", "c"]),
        ("CAST(number, 'NSString') == 2", ["b"]),
        ("CAST(price, 'NSDecimalNumber') == '1.5'", ["a"]),
        ("CAST(day, 'NSNumber') == '142300800'", ["b"]),
        ("day + 86400 == '2005-07-07'", ["b"]), ("day - 86400 >= '2005-07-05'", ["b", "c"]),
        ("day - CAST('2005-07-05', 'NSDate') == '86400'", ["b"]),
        ("max:({day, '2005-07-06'}) == '2005-07-06'", ["a", "b"]),
        ("next[0].day == '2005-07-06'", ["a"]), ("next[LAST].number == '3'", ["b"]),
        ("next[0].number IN {'2', '9'}", ["a"]), ("'b' IN next['name']", ["a"]),
        ("next['name'] CONTAINS 'c'", ["b"]),
        ("'2' BETWEEN {number, '10'}", ["a", "b"]), ("2 BETWEEN {number, '10'}", ["a", "b"]),
        ("7 IN {number, '7'}", ["a", "b", "c"]), ("{number, '07'} CONTAINS 7", ["a", "b", "c"]),
        ("'2005-07-06' BETWEEN {day, '2005-07-06T12:00:00Z'}", ["a", "b"]),
        ("'2005-07-06T00:00:00Z' IN {day, '2005-07-05'}", ["b"]),
        ("TERNARY(number > 1, day, name) IN {'2005-07-06', 'a'}", ["a", "b"]),
        ("TERNARY(number > 1, day, name) BETWEEN {'2005-07-06', '2005-07-07'}", ["b", "c"]),
        ("NOT TERNARY(number > 1, day, name) IN {'2005-07-06', 'a'}", ["c"]),
        ("day IN {'2005-07-06', former.day}", ["b"]),
        ("number IN {'2', former.number, price}", ["b"]),
        ("{'2005-07-06', former.day} CONTAINS day", ["b"]),
        ("day BETWEEN {'2005-07-06', former.day}", []),
    ]

    @Test func constants_are_converted_beside_values_of_several_types() throws {
        let event = Build.entity(
            "Event",
            [
                Build.attribute("name"), Build.attribute("number", .integer32AttributeType),
                Build.attribute("day", .dateAttributeType),
                Build.attribute("price", .doubleAttributeType),
            ])
        let next = Build.relationship("next", of: event, to: event, max: 0)
        next.isOrdered = true
        Build.inverse(next, Build.relationship("former", of: event, to: event, max: 1))
        let context = try Stack(Build.model(event)).context
        let events = ["a", "b", "c"].enumerated().map { index, name in
            let seconds = 142_214_400 + Double(index) * 86_400
            return context.make(
                "Event",
                [
                    "name": name, "number": index + 1, "price": Double(index) + 1.5,
                    "day": Date(timeIntervalSinceReferenceDate: seconds),
                ])
        }
        for index in 0..<2 { events[index + 1].setValue(events[index], forKey: "former") }
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            for (format, names) in ConstantCoercionTests.beside {
                #expect(try context.names("Event", format).sorted() == names, "\(format)")
                let predicate = NSPredicate(format: format)
                let inMemory = events.filter { predicate.evaluate(with: $0) }.map {
                    $0.text("name")
                }
                #expect(inMemory == names, "\(format) in memory")
            }
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
                "age IN {5, name}", "age BETWEEN {name, 9}", "{5, name} CONTAINS age",
                "age IN {name, parent.age}",
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
