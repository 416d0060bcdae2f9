// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// `count:` of a key, which leaves out objects without a value, and of objects.
@Suite(.inBothPlaces) struct ColumnCountTests {
    /// Groups "a" of two numbers, "b" of one in three, "c" of none, and one without a name.
    private func stack(isIndexed: Bool = false, hasSubentity: Bool = false) throws -> Stack {
        let item = Build.entity(
            "Item",
            [Build.attribute("name"), Build.attribute("number", .integer32AttributeType)])
        let owner = Build.entity("Owner", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("owner", of: item, to: owner, max: 1),
            Build.relationship("items", of: owner, to: item, max: 0))
        if isIndexed { Build.index(item, "name", "number") }
        let model = Build.model(item, owner)
        if hasSubentity {
            let special = Build.entity("Special", [])
            item.subentities = [special]
            model.entities.append(special)
        }
        let stack = try Stack(model)
        let one = stack.context.make("Owner", ["name": "one"])
        let rows: [(String?, Int?)] = [
            ("a", 1), ("a", 2), ("b", 3), ("b", nil), ("b", nil), ("c", nil), (nil, 4),
        ]
        for (name, number) in rows {
            let item = stack.context.make("Item")
            item.setValue(name, forKey: "name")
            item.setValue(number, forKey: "number")
            item.setValue(name == "b" ? one : nil, forKey: "owner")
        }
        try stack.context.save()
        return stack
    }

    private func column(
        _ name: String, _ function: String, _ argument: NSExpression,
        _ type: NSAttributeType = .undefinedAttributeType
    ) -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(forFunction: function, arguments: [argument])
        column.expressionResultType = type
        return column
    }

    private func counts(_ key: String) -> NSExpressionDescription {
        column("count", "count:", NSExpression(forKeyPath: key))
    }

    private func request(
        _ columns: [Any], by groups: [String] = [], having: String? = nil
    ) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = groups + columns
        if !groups.isEmpty { request.propertiesToGroupBy = groups }
        request.havingPredicate = having.map { NSPredicate(format: $0) }
        return request
    }

    /// The groups' names with their counts, sorted.
    private func groups(
        _ stack: Stack, _ column: NSExpressionDescription, having: String? = nil
    ) throws -> [String] {
        try stack.context.fetch(request([column], by: ["name"], having: having)).map {
            "\($0["name"] ?? "-"): \($0["count"] ?? "none")"
        }.sorted()
    }

    private let objects = NSExpression.expressionForEvaluatedObject()

    /// As the records are summed up, or an index alone; as members are evaluated, for a having
    /// predicate, and with subentities.
    @Test(arguments: [false, true], [false, true])
    func nil_is_not_counted(isIndexed: Bool, hasSubentity: Bool) throws {
        let stack = try stack(isIndexed: isIndexed, hasSubentity: hasSubentity)
        let rows = column("count", "count:", objects)
        for having in [nil, "TRUEPREDICATE"] {
            #expect(
                try groups(stack, counts("number"), having: having)
                    == ["-: 1", "a: 2", "b: 1", "c: 0"])
            #expect(
                try groups(stack, counts("owner"), having: having)
                    == ["-: 0", "a: 0", "b: 3", "c: 0"])
            #expect(
                try groups(stack, counts("owner.name"), having: having)
                    == ["-: 0", "a: 0", "b: 3", "c: 0"])
            for column in [rows, counts("objectID"), counts("self")] {
                #expect(
                    try groups(stack, column, having: having) == ["-: 1", "a: 2", "b: 3", "c: 1"])
            }
        }
        func count(_ column: NSExpressionDescription) throws -> [Int?] {
            try stack.context.fetch(request([column])).map { $0["count"] as? Int }
        }
        #expect(try count(counts("number")) == [4])
        #expect(try count(counts("name")) == [6])
        #expect(try count(rows) == [7])
    }

    @Test func in_memory_as_in_the_store() throws {
        let stack = try stack()
        let owner = try #require(try stack.context.all("Owner").first)
        stack.context.make("Item", ["number": 9, "owner": owner])
        func value(_ format: String) -> Int? {
            NSExpression(format: format).expressionValue(with: owner, context: nil) as? Int
        }
        for _ in 0..<2 {
            #expect(value("count:(items.number)") == 2)
            #expect(value("count:(items.name)") == 3)
            #expect(value("count:(items)") == 4)
            #expect(value("items.@count") == 4)
            #expect(value("items.number.@count") == 4)
            for (format, matches) in [
                ("count:(items.number) == 2", 1), ("count:(items.number) == 4", 0),
                ("count:(items) == 4", 1),
            ] {
                let predicate = NSPredicate(format: format)
                #expect(try stack.context.all("Owner", predicate).count == matches, "\(format)")
                #expect(predicate.evaluate(with: owner) == (matches == 1), "\(format)")
            }
            try stack.context.save()
        }
        #expect(
            NSExpression(format: "count:({1, nil, 3})").expressionValue(with: nil, context: nil)
                as? Int == 2)
    }

    /// As a subselect of each object counts in Core Data.
    @Test func many_of_each_object_are_counted_without_groups() throws {
        let stack = try stack()
        stack.context.make("Owner", ["name": "p"])
        let second = try #require(try stack.context.named("p", "Owner"))
        stack.context.make("Item", ["number": 9, "owner": second])
        try stack.context.save()
        func rows(_ format: String, _ others: [Any] = ["name"]) throws -> [String] {
            let request = NSFetchRequest<NSDictionary>(entityName: "Owner")
            request.resultType = .dictionaryResultType
            let column = NSExpressionDescription()
            column.name = "value"
            column.expression = NSExpression(format: format)
            column.expressionResultType = .integer64AttributeType
            request.propertiesToFetch = others + [column]
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try stack.context.fetch(request).map {
                "\($0["name"] ?? "-"): \($0["value"] ?? "none")"
            }
        }
        #expect(try rows("count:(items)") == ["one: 3", "p: 1"])
        #expect(try rows("count:(items)", []) == ["-: 3", "-: 1"])
        #expect(try rows("count:(items.number)") == ["one: 1", "p: 1"])
        #expect(try rows("max:(items.number) + 1").last == "p: 10")
        #expect(try rows("count:(SUBQUERY(items, $i, $i.number == 9))") == ["one: 0", "p: 1"])
        #expect(try rows("count:(SELF)", []) == ["-: 2"])
        #expect(code { _ = try rows("count:(SELF)") } == 134_070)
        #expect(code { _ = try rows("sum:(items.number * 2)") } == 134_070)
    }

    @Test func a_having_predicate_sees_the_objects_of_a_group() throws {
        let stack = try stack()
        let answers: [(String, [String])] = [
            ("count:(SELF) > 1", ["a: 2", "b: 1"]), ("count:(number) > 1", ["a: 2"]),
            ("@count == 1", ["-: 1", "c: 0"]), ("SELF.@count == 3", ["b: 1"]),
            ("@sum.number == 3", ["a: 2", "b: 1"]), ("@max.number == nil", ["c: 0"]),
            ("number.@count == 3", ["b: 1"]), ("count == 0", ["c: 0"]),
            ("name == 'b' AND count:(SELF) == 3", ["b: 1"]),
            ("ANY number == 4 OR count:(owner) == 3", ["-: 1", "b: 1"]),
        ]
        for (having, wanted) in answers {
            #expect(try groups(stack, counts("number"), having: having) == wanted, "\(having)")
        }
    }

    @Test func a_mean_as_an_integer_is_one() throws {
        let stack = try stack()
        let number = NSExpression(forKeyPath: "number")
        for (type, wanted) in [
            (NSAttributeType.integer64AttributeType, 2 as NSNumber), (.integer16AttributeType, 2),
            (.doubleAttributeType, 2.5), (.undefinedAttributeType, 2.5),
        ] {
            let rows = try stack.context.fetch(request([column("mean", "average:", number, type)]))
            #expect(rows.map { $0["mean"] as? NSNumber } == [wanted], "\(type)")
        }
        let sum = column("sum", "sum:", number, .integer32AttributeType)
        #expect(try stack.context.fetch(request([sum])).map { $0["sum"] as? Int } == [10])
    }
}
