// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// What expressions give for many values: sets, ordered sets and arrays, as in Core Data.
@Suite struct ExpressionCollectionTests {
    private func owner() throws -> (Stack, NSManagedObject, [NSManagedObject]) {
        let owner = Build.entity("Owner", [Build.attribute("name")])
        let item = Build.entity("Item", [Build.attribute("rank", .integer16AttributeType)])
        Build.relationship("bag", of: owner, to: item, max: 0)
        let queue = Build.relationship("queue", of: owner, to: item, max: 0)
        queue.isOrdered = true
        let stack = try Stack(Build.model(owner, item))
        let items = [3, 1, 1].map { stack.context.make("Item", ["rank": $0]) }
        let made = stack.context.make(
            "Owner", ["name": "o", "bag": Set(items), "queue": NSOrderedSet(array: items)])
        return (stack, made, items)
    }

    private func value(
        _ format: String, _ object: Any?, _ context: NSMutableDictionary? = nil
    ) -> Any? {
        NSExpression(format: format).expressionValue(with: object, context: context)
    }

    @Test func relationships_are_sets_and_ordered_sets() throws {
        let (stack, owner, items) = try owner()
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            #expect(value("bag", owner) as? Set<NSManagedObject> == Set(items))
            #expect((value("bag", owner) as? NSSet)?.count == 3)
            #expect(value("queue", owner) as? NSOrderedSet == NSOrderedSet(array: items))
            #expect(value("bag.rank", owner) as? Set<Int> == [1, 3])
            #expect((value("queue.rank", owner) as? NSOrderedSet)?.array as? [Int] == [3, 1])
            #expect(
                (value("bag.@unionOfObjects.rank", owner) as? [Int])?.sorted() == [1, 1, 3])
            #expect(value("bag.@count", owner) as? Int == 3)
            #expect(value("sum:(bag.rank)", owner) as? Int == 5)
        }
    }

    @Test func subqueries_have_the_kind_of_what_they_filter() throws {
        let (stack, owner, items) = try owner()
        defer { withExtendedLifetime(stack) {} }
        let bag = value("SUBQUERY(bag, $i, $i.rank > 1)", owner)
        #expect(bag as? Set<NSManagedObject> == [items[0]])
        let queue = value("SUBQUERY(queue, $i, $i.rank < 2)", owner)
        #expect((queue as? NSOrderedSet)?.array as? [NSManagedObject] == [items[1], items[2]])
        let list = value("SUBQUERY($all, $i, $i.rank < 2)", owner, ["all": items])
        #expect(list as? [NSManagedObject] == [items[1], items[2]])
        let ranks = value("SUBQUERY(bag, $i, $i.rank < 2).rank", owner)
        #expect(ranks as? Set<Int> == [1])
    }

    @Test func operations_on_sets_give_sets() throws {
        let (stack, owner, items) = try owner()
        defer { withExtendedLifetime(stack) {} }
        #expect(value("{1, 2} UNION {2, 3}", nil) as? Set<Int> == [1, 2, 3])
        #expect(value("{1, 2} INTERSECT {2, 3}", nil) as? Set<Int> == [2])
        #expect((value("{1, 2} MINUS {2, 3}", nil) as? NSSet) == NSSet(array: [1]))
        let rest = value("bag MINUS $gone", owner, ["gone": [items[0]]])
        #expect(rest as? Set<NSManagedObject> == [items[1], items[2]])
        let joined = NSExpression(
            forUnionSet: NSExpression(forConstantValue: Set([1, 2])),
            with: NSExpression(forConstantValue: NSSet(array: [2, 5])))
        #expect(joined.expressionValue(with: nil, context: nil) as? Set<Int> == [1, 2, 5])
    }

    @Test func what_stands_for_the_object_comes_back() throws {
        let (stack, owner, items) = try owner()
        defer { withExtendedLifetime(stack) {} }
        let own = NSExpression.expressionForEvaluatedObject()
        #expect(own.expressionValue(with: owner, context: nil) as? NSManagedObject === owner)
        let set = NSSet(array: items)
        #expect(own.expressionValue(with: set, context: nil) as? NSSet === set)
        #expect(value("$x", nil, ["x": set]) as? NSSet == set)
        #expect(value("$x.bag", nil, ["x": owner]) as? Set<NSManagedObject> == Set(items))
        #expect(value("tags", ["tags": Set(["a"])]) as? Set<String> == ["a"])
        #expect(value("tags", ["tags": ["a", "b"]]) as? [String] == ["a", "b"])
        let chosen = value("TERNARY(name == 'o', bag, {})", owner)
        #expect(chosen as? Set<NSManagedObject> == Set(items))
        #expect(value("TERNARY(name == 'x', bag, {4})", owner) as? [Int] == [4])
    }

    @Test func sets_in_formats_come_back_as_they_are() throws {
        func constant(_ argument: Any) -> Any? {
            (NSPredicate(format: "a IN %@", argument) as? NSComparisonPredicate)?
                .rightExpression.constantValue
        }
        #expect(constant(Set([1, 2])) as? Set<Int> == [1, 2])
        let set = NSSet(array: ["x"])
        #expect(constant(set) as? NSSet === set)
        let ordered = NSOrderedSet(array: ["x", "y"])
        #expect(constant(ordered) as? NSOrderedSet === ordered)
        #expect(constant([1, 2]) as? [Int] == [1, 2])
        let predicate = NSPredicate(format: "a IN %@", Set(["x"]))
        #expect(predicate.description == "a IN {\"x\"}")
        #expect(predicate == NSPredicate(format: "a IN {'x'}"))
        #expect(predicate.hash == NSPredicate(format: "a IN {'x'}").hash)
        #expect(predicate.evaluate(with: ["a": "x"]))
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: predicate, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: archive)
        #expect(back == predicate)
    }
}
