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
