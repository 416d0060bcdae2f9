// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Expressions of every kind: their parts, texts, equality and values.
@Suite struct ExpressionClassTests {
    private let path = NSExpression(forKeyPath: "a.b")
    private let three = NSExpression(forConstantValue: 3)

    private func value(_ expression: NSExpression, _ object: Any? = nil) -> Any? {
        expression.expressionValue(with: object, context: nil)
    }

    @Test func plain_expressions_have_their_parts() {
        #expect(path.expressionType == .keyPath)
        #expect(path.keyPath == "a.b")
        #expect(path.operand == NSExpression.expressionForEvaluatedObject())
        #expect(three.expressionType == .constantValue)
        #expect(three.constantValue as? Int == 3)
        let own = NSExpression.expressionForEvaluatedObject()
        #expect(own.expressionType == .evaluatedObject)
        #expect("\(own)" == "SELF")
        let variable = NSExpression(forVariable: "name")
        #expect(variable.expressionType == .variable)
        #expect(variable.variable == "name")
        #expect("\(variable)" == "$name")
        #expect(NSExpression.expressionForAnyKey().expressionType == .anyKey)
        #expect("\(NSExpression.expressionForAnyKey())" == "ANYKEY")
        #expect(NSExpression(forConstantValue: nil).constantValue == nil)
        #expect("\(NSExpression(forConstantValue: nil))" == "nil")
    }

    @Test func a_constant_gives_back_what_it_was_made_with() {
        let list = NSMutableArray(array: [1, 2])
        let constant = NSExpression(forConstantValue: list)
        #expect(constant.constantValue as? NSMutableArray === list)
        #expect(value(constant) as? NSMutableArray === list)
        let url = URL(string: "https://example.org/a")
        #expect(NSExpression(forConstantValue: url).constantValue as? URL == url)
        #expect(NSExpression(forConstantValue: "x").constantValue as? String == "x")
        let odd = NSObject()
        #expect(NSExpression(forConstantValue: odd).constantValue as? NSObject === odd)
    }

    @Test func functions_have_their_parts() {
        let sum = NSExpression(forFunction: "add:to:", arguments: [path, three])
        #expect(sum.expressionType == .function)
        #expect(sum.function == "add:to:")
        #expect(sum.arguments == [path, three])
        #expect("\(sum)" == "a.b + 3")
        let call = NSExpression(
            forFunction: path, selectorName: "lowercaseString", arguments: [three])
        #expect(call.expressionType == .function)
        #expect(call.function == "lowercaseString")
        #expect(call.operand == path)
        #expect(call.arguments == [three])
        #expect(NSExpression(format: "max(a.b)").function == "max:")
    }

    @Test func collections_have_their_parts() {
        let aggregate = NSExpression(forAggregate: [path, three, 4])
        #expect(aggregate.expressionType == .aggregate)
        let members = aggregate.collection as? [NSExpression]
        #expect(members == [path, three, NSExpression(forConstantValue: 4)])
        #expect("\(aggregate)" == "{a.b, 3, 4}")
        #expect(value(aggregate, ["a": ["b": 1]]) as? [Int] == [1, 3, 4])

        let one = NSExpression(forConstantValue: [1, 2, 3])
        let two = NSExpression(forConstantValue: [3, 4])
        let union = NSExpression(forUnionSet: one, with: two)
        #expect(union.expressionType == .unionSet)
        #expect(union.left == one)
        #expect(union.right == two)
        #expect(value(union) as? Set<Int> == [1, 2, 3, 4])
        let both = NSExpression(forIntersectSet: one, with: two)
        #expect(both.expressionType == .intersectSet)
        #expect(value(both) as? Set<Int> == [3])
        let rest = NSExpression(forMinusSet: one, with: two)
        #expect(rest.expressionType == .minusSet)
        #expect(value(rest) as? Set<Int> == [1, 2])
    }

    @Test func a_subquery_filters_a_collection() {
        let large = NSPredicate(format: "$x > 1")
        let subquery = NSExpression(
            forSubquery: NSExpression(forKeyPath: "list"), usingIteratorVariable: "x",
            predicate: large)
        #expect(subquery.expressionType == .subquery)
        #expect(subquery.collection as? NSExpression == NSExpression(forKeyPath: "list"))
        #expect(subquery.variable == "x")
        #expect(subquery.predicate == large)
        #expect("\(subquery)" == "SUBQUERY(list, $x, $x > 1)")
        #expect(value(subquery, ["list": [1, 2, 3]]) as? [Int] == [2, 3])
    }

    @Test func a_conditional_chooses() {
        let isLarge = NSPredicate(format: "SELF > 10")
        let choice = NSExpression(
            forConditional: isLarge, trueExpression: NSExpression(forConstantValue: "large"),
            falseExpression: three)
        #expect(choice.expressionType == .conditional)
        #expect(choice.predicate == isLarge)
        #expect(choice.true.constantValue as? String == "large")
        #expect(choice.false == three)
        #expect(value(choice, 11) as? String == "large")
        #expect(value(choice, 10) as? Int == 3)
    }

    @Test func a_block_gets_the_object_its_arguments_and_the_context() {
        let block = NSExpression(
            block: { object, arguments, context in
                "\(object ?? "-") \(arguments) \(context?["v"] ?? "-")"
            }, arguments: [NSExpression(forVariable: "v"), three])
        #expect(block.expressionType == .block)
        #expect(block.arguments == [NSExpression(forVariable: "v"), three])
        let result = block.expressionValue(with: 7, context: ["v": "x"]) as? String
        #expect(result == #"7 ["x", 3] x"#)
        #expect(block.expressionBlock(1, [], nil) as? String == "1 [] -")
        #expect(block == block)
        #expect(block != NSExpression(block: { _, _, _ in 1 }, arguments: nil))
    }

    @Test func a_block_works_in_a_comparison_in_memory_and_is_refused_by_stores() throws {
        let length = NSExpression(
            block: { object, _, _ in
                ((object as? NSManagedObject)?.value(forKey: "name") as? String ?? "").count
            }, arguments: nil)
        let long = NSComparisonPredicate(
            leftExpression: length, rightExpression: three, modifier: .direct,
            type: .greaterThan)
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "four"])
        #expect(long.evaluate(with: item))
        item.setValue("one", forKey: "name")
        #expect(!long.evaluate(with: item))
        #expect(code { _ = try stack.context.all("Item", long) } == 134_070)
        let not = NSCompoundPredicate(notPredicateWithSubpredicate: long)
        #expect(not.evaluate(with: item))
        #expect(code { _ = try stack.context.all("Item", not) } == 134_070)
    }

    @Test func formats_give_expressions_with_arguments() {
        let product = NSExpression(format: "%K * %d", "price", 2)
        #expect(product == NSExpression(format: "price * 2"))
        #expect(product.function == "multiply:by:")
        #expect(value(product, ["price": 21]) as? Int == 42)
        let list = NSExpression(format: "%@", argumentArray: [[1, 2]])
        #expect(list.constantValue as? [Int] == [1, 2])
        let item = NSExpression(format: "$item.name")
        #expect(item.expressionType == .function)
        #expect(item.function == "valueForKeyPath:")
        #expect(item.operand == NSExpression(forVariable: "item"))
        #expect(item.arguments == [NSExpression(forKeyPath: "name")])
    }

    /// A walker that only knows the public parts must not turn `$item.name` into `name`.
    @Test(
        arguments: [
            "$item.name", "SUBQUERY(tags, $t, $t.weight > 3).@count", "uppercase:(title).length",
        ])
    func keys_of_other_expressions_are_rebuilt_from_their_parts(_ format: String) {
        let parsed = NSExpression(format: format)
        #expect(parsed.expressionType == .function)
        let rebuilt = NSExpression(
            forFunction: parsed.operand, selectorName: parsed.function,
            arguments: parsed.arguments)
        #expect(rebuilt == parsed)
        #expect("\(rebuilt)" == "\(parsed)")
    }

    /// A walker that makes each function anew by its target, as it makes calls of methods.
    @Test(
        arguments: [
            "a + 1", "-a", "a ** 2", "modulus:by:(a, 3)", "a & 4", "~a", "sum:(tags.weight)",
            "max:({1, a})", "count:(tags)", "uppercase:(title)", "length:(title)", "now()",
            "CAST(a, 'NSDate')", "tags[0]", "tags[FIRST]", "tags[LAST]", "tags[SIZE]",
            "noindex:(a)", "FUNCTION(title, 'lowercaseString')",
        ])
    func functions_are_rebuilt_from_their_parts(_ format: String) {
        let parsed = NSExpression(format: format)
        let rebuilt = NSExpression(
            forFunction: parsed.operand, selectorName: parsed.function,
            arguments: parsed.arguments)
        #expect(rebuilt == parsed)
        #expect("\(rebuilt)" == "\(parsed)")
    }

    @Test func a_fetch_is_the_constant_that_it_says_it_is() throws {
        let stack = try Stack(ItemModel.make())
        for number in 1...3 { stack.context.make("Item", ["number": number]) }
        let fetch = NSFetchRequestExpression.expression(
            forFetch: NSExpression(
                forConstantValue: NSFetchRequest<NSManagedObject>(entityName: "Item")),
            context: NSExpression(forConstantValue: stack.context), countOnly: true)
        let comparison = try #require(
            NSPredicate(format: "number == %@", fetch) as? NSComparisonPredicate)
        let right = comparison.rightExpression
        #expect(right.expressionType == .constantValue)
        #expect(right.constantValue as? NSExpression === fetch)
        let rebuilt = NSComparisonPredicate(
            leftExpression: comparison.leftExpression,
            rightExpression: NSExpression(forConstantValue: right.constantValue),
            modifier: .direct, type: .equalTo)
        #expect(rebuilt == comparison)
        #expect(try stack.context.all("Item", rebuilt).count == 1)
    }

    @Test func copies_and_keys_of_dictionaries() throws {
        let sum = NSExpression(forFunction: "add:to:", arguments: [path, three])
        let copy = try #require(sum.copy() as? NSExpression)
        #expect(copy == sum)
        let table = [sum: "sum", path: "path"]
        #expect(table[NSExpression(format: "a.b + 3")] == "sum")
        #expect(table[NSExpression(format: "a.b")] == "path")
        #expect(table[three] == nil)
    }

    @Test func what_an_expression_holds_goes_with_it() {
        weak var gone: NSObject?
        do {
            let kept = NSObject()
            gone = kept
            let inner = NSExpression(forConstantValue: kept)
            let outer = NSExpression(block: { _, _, _ in kept }, arguments: [three])
            #expect(inner.constantValue as? NSObject === kept)
            #expect(value(outer, nil) == nil || gone != nil)
        }
        #expect(gone == nil)
    }
}
