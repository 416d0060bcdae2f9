// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Fetches as parts of predicates, and the values of expressions.
@Suite struct FetchRequestExpressionTests {
    private func items() throws -> Stack {
        let stack = try Stack(ItemModel.make())
        for number in 1...5 { stack.context.make("Item", ["name": "\(number)", "number": number]) }
        try stack.context.save()
        return stack
    }

    private func fetch(
        _ format: String, _ context: NSManagedObjectContext, countOnly: Bool = false
    ) throws -> NSFetchRequestExpression {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: format)
        let made = NSFetchRequestExpression.expression(
            forFetch: NSExpression(forConstantValue: request),
            context: NSExpression(forConstantValue: context), countOnly: countOnly)
        return try #require(made as? NSFetchRequestExpression)
    }

    @Test func a_fetch_takes_the_place_of_a_list() throws {
        let stack = try items()
        let large = try fetch("number > 3", stack.context)
        #expect(!large.isCountOnlyRequest && NSFetchRequestExpressionType == 50)
        #expect(try stack.context.names("Item", "SELF IN %@", large) == ["4", "5"])
        #expect(try stack.context.names("Item", "NOT SELF IN %@", large) == ["1", "2", "3"])
    }

    @Test func it_runs_whenever_the_predicate_is_used() throws {
        let stack = try items()
        let predicate = NSPredicate(
            format: "SELF IN %@", try fetch("number > 3", stack.context))
        let six = stack.context.make("Item", ["name": "6", "number": 6])
        #expect(try stack.context.all("Item", predicate).count == 3)
        #expect(predicate.evaluate(with: six))
        six.setValue(0, forKey: "number")
        #expect(!predicate.evaluate(with: six))
        #expect(try stack.context.all("Item", predicate).count == 2)
    }

    @Test func a_count_takes_the_place_of_a_number() throws {
        let stack = try items()
        let count = try fetch("number > 3", stack.context, countOnly: true)
        #expect(count.expressionValue(with: nil, context: nil) as? Int == 2)
        #expect(try stack.context.names("Item", "number == %@", count) == ["2"])
    }

    @Test func a_format_may_write_it_out() throws {
        let stack = try items()
        let context = stack.context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: "number > 3")
        for _ in 0..<2 {
            #expect(
                try context.names("Item", "SELF IN FETCH(%@, %@, NO)", request, context)
                    == ["4", "5"])
            #expect(
                try context.names("Item", "number == FETCH(%@, %@, YES)", request, context)
                    == ["2"])
            #expect(
                try context.names(
                    "Item", "number < %@ AND NOT SELF IN fetch(%@, %@, %@)", 5, request, context,
                    false) == ["1", "2", "3"])
        }
        for no in [Int16(0), Int32(0), 0, false] as [Any] {
            #expect(
                try context.names("Item", "SELF IN FETCH(%@, %@, %@)", request, context, no)
                    == ["4", "5"])
        }
        let count = NSExpression(format: "FETCH(%@, %@, TRUE)", request, context)
        #expect(count is NSFetchRequestExpression || count.expressionType == .constantValue)
        #expect(count.expressionValue(with: nil, context: nil) as? Int == 2)
        request.predicate = NSPredicate(format: "number > 4")
        #expect(count.expressionValue(with: nil, context: nil) as? Int == 1)
        #expect(
            NSPredicate(format: "SELF IN FETCH(%@, %@, NO)", request, context)
                == NSPredicate(format: "SELF IN FETCH(%@, %@, FALSE)", request, context))
        #expect(
            NSPredicate(format: "SELF IN FETCH(%@, %@, NO)", request, context)
                != NSPredicate(format: "SELF IN FETCH(%@, %@, YES)", request, context))
    }

    @Test func its_parts_stand_nowhere_else() throws {
        let stack = try items()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        let wrong: [(String, [Any?])] = [
            ("SELF == %@", [request]), ("SELF == %@", [stack.context]),
            ("FETCH(%@, %@, NO) == 1", [stack.context, request]),
            ("FETCH(%@, %@, 'a') == 1", [request, stack.context]),
            ("FETCH(%@, %@, NO) == 1", [request]), ("FETCH(%@, NO) == 1", [request]),
        ]
        for (format, arguments) in wrong {
            #expect(throws: PredicateSyntaxError.self, "\(format)") {
                try NSPredicate.parse(format, arguments: arguments)
            }
        }
    }

    @Test func any_key_is_read_and_refused_by_fetches() throws {
        let stack = try items()
        #expect(NSPredicate(format: "ANYKEY == 1").description == "ANYKEY == 1")
        #expect { try stack.context.names("Item", "ANYKEY == 1") } throws: { error in
            (error as? CocoaError)?.errorCode == 134070
        }
    }

    @Test func variables_may_be_assigned_within_a_format() throws {
        let stack = try items()
        let format = "($twice := number * 2) > 4 AND $twice < 9"
        for _ in 0..<2 {
            #expect(try stack.context.names("Item", format) == ["3", "4"])
            stack.context.make("Item", ["name": "0", "number": 0])
        }
        let four = try stack.context.all("Item", NSPredicate(format: "number == 4"))[0]
        #expect(NSPredicate(format: format).evaluate(with: four))
    }

    @Test func a_failing_fetch_finds_nothing() throws {
        let stack = try items()
        let wrong = try fetch("shoe == 43", stack.context)
        #expect(try stack.context.names("Item", "SELF IN %@", wrong).isEmpty)
        #expect((stack.context.lastReadError as? CocoaError)?.errorCode == 134070)
    }

    @Test func expressions_have_values() throws {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        let ann = stack.context.make(
            "Person", ["name": "Ann", "age": 30, "department": department])
        func value(_ expression: NSExpression) -> Any? {
            expression.expressionValue(with: ann, context: ["N": 4])
        }
        #expect(value(NSExpression(forKeyPath: "department.name")) as? String == "d")
        #expect(value(NSExpression(forKeyPath: "department")) as? NSManagedObject === department)
        #expect(value(NSExpression.expressionForEvaluatedObject()) as? NSManagedObject === ann)
        #expect(value(NSExpression(forVariable: "N")) as? Int == 4)
        #expect(value(NSExpression(forConstantValue: nil)) == nil)
        let sum = NSExpression(
            forFunction: "add:to:",
            arguments: [NSExpression(forKeyPath: "age"), NSExpression(forVariable: "N")])
        #expect(value(sum) as? Int == 34)
    }
}
