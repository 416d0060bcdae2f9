// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Expressions that a program nests thousands deep: refused where they are used, never a crash.
@Suite struct DeepExpressionTests {
    private static let levels = 2_200

    private static func functions(_ count: Int) -> NSExpression {
        var result = NSExpression(forKeyPath: "number")
        for _ in 0..<count {
            result = NSExpression(
                forFunction: "add:to:",
                arguments: [result, NSExpression(forConstantValue: 1)])
        }
        return result
    }

    private static func nested(_ kind: String) -> NSExpression {
        let one = NSExpression(forConstantValue: 1)
        var result = NSExpression(forKeyPath: "number")
        for _ in 0..<levels {
            switch kind {
            case "aggregate": result = NSExpression(forAggregate: [result])
            case "union": result = NSExpression(forUnionSet: result, with: one)
            case "selector":
                result = NSExpression(
                    forFunction: result, selectorName: "lowercaseString", arguments: nil)
            case "format": result = NSExpression(format: "%@ + 1", result)
            case "conditional":
                result = NSExpression(
                    forConditional: NSPredicate(value: true), trueExpression: result,
                    falseExpression: one)
            case "condition":
                result = NSExpression(
                    forConditional: compared(result), trueExpression: one, falseExpression: one)
            default:
                result = NSExpression(
                    forSubquery: result, usingIteratorVariable: "x", predicate: compared(one))
            }
        }
        return result
    }

    private static func compared(_ expression: NSExpression) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: expression, rightExpression: NSExpression(forConstantValue: 1),
            modifier: .direct, type: .equalTo)
    }

    private func code(_ body: () throws -> Void) -> Int? {
        do { try body() } catch { return (error as? CocoaError)?.errorCode }
        return nil
    }

    @Test func functions_are_evaluated_up_to_a_depth() throws {
        let few = Self.functions(999)
        #expect(few.expressionValue(with: ["number": 1], context: nil) as? Double == 1_000)
        #expect(few == Self.functions(999) && few.hash == Self.functions(999).hash)
        #expect(few.description.hasPrefix("number + 1 + 1"))
        let stack = try Stack(ItemModel.make())
        stack.context.make("Item", ["name": "a", "number": -998])
        #expect(try stack.context.all("Item", Self.compared(few)).count == 1)
    }

    @Test(arguments: [
        "aggregate", "union", "selector", "format", "conditional", "condition", "subquery",
        "function",
    ]) func what_is_deeper_can_be_looked_at_and_not_used(kind: String) throws {
        let deep = kind == "function" ? Self.functions(Self.levels) : Self.nested(kind)
        #expect(!deep.description.isEmpty)
        #expect((deep.copy() as? NSExpression) == deep)
        _ = deep.hash
        let predicate = Self.compared(deep)
        #expect(!predicate.description.isEmpty)
        #expect((predicate.copy() as? NSPredicate) == predicate)
        _ = predicate.hash
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a", "number": 1])
        #expect(code { _ = try stack.context.all("Item", predicate) } == 134_070)
        try stack.context.save()
        #expect(code { _ = try stack.context.all("Item", predicate) } == 134_070)
        #expect(item.text("name") == "a")
    }

    @Test func long_sums_are_planned_in_no_time() throws {
        let stack = try Stack(ItemModel.make())
        stack.context.make("Item", ["name": "a", "number": 1])
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            let sum = "number" + String(repeating: " + 1", count: 200)
            #expect(try stack.context.names("Item", "\(sum) == 201") == ["a"])
        }
    }

    @Test func its_parts_are_those_that_were_given() {
        var expression = Self.functions(Self.levels)
        var count = 0
        while expression.expressionType == .function, let first = expression.arguments?.first {
            expression = first
            count += 1
        }
        #expect(count == Self.levels && expression.keyPath == "number")
    }

    @Test func a_variable_may_be_filled_again_and_again() throws {
        var predicate = Self.compared(NSExpression(forVariable: "x"))
        for _ in 0..<20 {
            var next = NSExpression(forVariable: "x")
            for _ in 0..<900 { next = NSExpression(forFunction: "abs:", arguments: [next]) }
            predicate = predicate.withSubstitutionVariables(["x": next])
        }
        #expect(!predicate.description.isEmpty)
        let stack = try Stack(ItemModel.make())
        #expect(code { _ = try stack.context.all("Item", predicate) } == 134_070)
    }

    @Test func compounds_in_an_expression_have_the_same_bound() throws {
        var compound = NSPredicate(format: "number == 1")
        for _ in 0..<Self.levels {
            compound = NSCompoundPredicate(notPredicateWithSubpredicate: compound)
        }
        let one = NSExpression(forConstantValue: 1)
        let chosen = NSExpression(
            forConditional: compound, trueExpression: one, falseExpression: one)
        let stack = try Stack(ItemModel.make())
        #expect(code { _ = try stack.context.all("Item", Self.compared(chosen)) } == 134_070)
        #expect(code { _ = try stack.context.all("Item", compound) } == 134_070)
    }
}
