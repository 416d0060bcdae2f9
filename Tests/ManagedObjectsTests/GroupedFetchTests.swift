// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing
import _TestSupport

/// Groups that are summed while records are read.
///
/// A having predicate with `ANY` has its expressions evaluated on each group's members, so one that
/// is always true is the other way to the same answer, see ``GroupedRandomTests``.
@Suite struct GroupedFetchTests {
    private static let attributes: [(String, NSAttributeType)] = [
        ("name", .stringAttributeType), ("flag", .booleanAttributeType),
        ("small", .integer16AttributeType), ("number", .integer32AttributeType),
        ("large", .integer64AttributeType), ("rate", .doubleAttributeType),
        ("part", .floatAttributeType), ("day", .dateAttributeType),
        ("price", .decimalAttributeType),
    ]

    private func stack() throws -> Stack {
        let item = Build.entity(
            "Item", Self.attributes.map { Build.attribute($0.0, $0.1) })
        let owner = Build.entity("Owner", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("owner", of: item, to: owner, max: 1),
            Build.relationship("items", of: owner, to: item, max: 0))
        return try Stack(Build.model(item, owner))
    }

    private func column(_ name: String, _ function: String, _ key: String)
        -> NSExpressionDescription
    {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(
            forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        return column
    }

    private func rows(
        _ stack: Stack, by groups: [String], _ columns: [Any], having: NSPredicate? = nil,
        _ predicate: NSPredicate? = nil
    ) throws -> [String] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = groups
        request.propertiesToFetch = groups + columns
        request.havingPredicate = having
        request.predicate = predicate
        return try stack.context.fetch(request).map { row in
            row.map { "\($0.key)=\(type(of: $0.value)) \($0.value)" }.sorted()
                .joined(separator: "; ")
        }
    }

    private func computed(_ name: String, _ format: String) -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(format: format)
        return column
    }

    @Test func aggregates_of_what_is_computed_of_each_member() throws {
        let stack = try stack()
        for (name, number) in [("a", 1), ("bc", 5), ("a", 4), ("a", nil)] as [(String, Int?)] {
            let item = stack.context.make("Item", ["name": name])
            if let number { item.setValue(number, forKey: "number") }
        }
        try stack.context.save()
        let columns = [
            computed("double", "sum:(number * 2)"),
            computed("few", "sum:(TERNARY(number < 5, 1, 0))"),
            computed("long", "max:(length:(name))"), computed("known", "count:(number * 2)"),
        ]
        let wanted = [
            "double=NSNumber 10; few=NSNumber 2; known=NSNumber 2; long=NSNumber 1; name=String a",
            "double=NSNumber 10; few=NSNumber 0; known=NSNumber 1; long=NSNumber 2; name=String bc",
        ]
        #expect(try rows(stack, by: ["name"], columns) == wanted)
        let having = NSPredicate(format: "sum:(number * 2) == 10 AND count:(number * 2) > 1")
        #expect(try rows(stack, by: ["name"], columns, having: having) == [wanted[0]])
        let all = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
        let sum = NSExpression(format: "sum:(number * 2)")
        #expect(sum.expressionValue(with: all, context: nil) as? Int == 20)
        // A dictionary stands for itself, not for its values.
        #expect(sum.expressionValue(with: ["number": 3], context: nil) as? Int == 6)
        // These do not compute something of each member.
        func value(_ format: String) -> Any? {
            NSExpression(format: format).expressionValue(with: all, context: nil)
        }
        #expect(value("sum:(2 * 3)") as? Int == 6)
        let many = NSPredicate(format: "max:(TERNARY(count:(SELF) > 3, 7, 0)) == 7")
        #expect(many.evaluate(with: all))
        let loose = computed("loose", "sum:(number) + number")
        let error = #expect(throws: CocoaError.self) { try rows(stack, by: ["name"], [loose]) }
        #expect(error?.message.contains("number is a collection") == true)
    }

    @Test func sums_means_and_extremes_have_their_types() throws {
        let stack = try stack()
        for (name, number, rate) in [("a", 1, 0.5), ("b", 5, 2.5), ("a", 4, 1.5)] {
            stack.context.make("Item", ["name": name, "number": number, "rate": rate])
        }
        stack.context.make("Item", ["name": "b"])
        try stack.context.save()
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["name"]
        request.propertiesToFetch = [
            "name", column("sum", "sum:", "number"), column("mean", "average:", "rate"),
            column("least", "min:", "number"), column("most", "max:", "rate"),
            column("count", "count:", "number"),
        ]
        let found = try stack.context.fetch(request)
        #expect(found.map { $0["name"] as? String } == ["a", "b"])
        #expect(found.map { $0["sum"] as? Int } == [5, 5])
        #expect(found.map { $0["mean"] as? Double } == [1, 2.5])
        #expect(found.map { $0["least"] as? Int } == [1, 5])
        #expect(found.map { $0["most"] as? Double } == [1.5, 2.5])
        #expect(found.map { $0["count"] as? Int } == [2, 1])
    }

    @Test func texts_are_one_group_if_their_bytes_are_the_same() throws {
        let stack = try stack()
        for name in ["caf\u{E9}", "cafe\u{301}", "cafe", "", "\u{1F600}", "cafe"] {
            stack.context.make("Item", ["name": name, "number": 1])
        }
        stack.context.make("Item", ["number": 1])
        try stack.context.save()
        let columns = [column("sum", "sum:", "number")]
        let found = try rows(stack, by: ["name"], columns)
        // As a predicate compares them, and an index: the two forms of é are not equal.
        #expect(found.count == 6)
        #expect(
            found == (try rows(stack, by: ["name"], columns, having: GroupedRandomTests.always)))
    }

    @Test func a_sum_beyond_integers_goes_on_as_a_double() throws {
        let stack = try stack()
        for large in [Int64.max, 1, 5] { stack.context.make("Item", ["large": large]) }
        try stack.context.save()
        let columns = [column("sum", "sum:", "large"), column("mean", "average:", "large")]
        let found = try rows(stack, by: [], columns)
        #expect(found == (try rows(stack, by: [], columns, having: GroupedRandomTests.always)))
        #expect(found[0].contains("9.223372036854776e+18"))
    }

    @Test func nothing_has_one_row_without_groups_and_none_with_them() throws {
        let stack = try stack()
        let columns = [
            column("sum", "sum:", "number"), column("mean", "average:", "rate"),
            column("least", "min:", "number"), column("count", "count:", "number"),
        ]
        let found = try rows(stack, by: [], columns)
        #expect(found.count == 1)
        #expect(found == (try rows(stack, by: [], columns, having: GroupedRandomTests.always)))
        #expect(try rows(stack, by: ["number"], columns).isEmpty)
    }
}
