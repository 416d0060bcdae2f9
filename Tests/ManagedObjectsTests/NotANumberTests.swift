// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Aggregates of numbers among which one is NaN: whichever comes first, they are the same.
@Suite(.inBothPlaces) struct NotANumberTests {
    private static func model() -> NSManagedObjectModel {
        let box = Build.entity("Box", [Build.attribute("name")])
        let part = Build.entity(
            "Part", [Build.attribute("kind"), Build.attribute("weight", .doubleAttributeType)])
        Build.inverse(
            Build.relationship("box", of: part, to: box, max: 1),
            Build.relationship("parts", of: box, to: part, max: 0))
        return Build.model(box, part)
    }

    private static let orders: [[Double]] = [
        [.nan, 2, 5], [2, .nan, 5], [5, 2, .nan], [.nan, 5, 2], [.nan, .nan, 2, 5],
    ]

    private func stack(_ weights: [Double]) throws -> (Stack, NSManagedObject) {
        let stack = try Stack(Self.model())
        let box = stack.context.make("Box", ["name": "a"])
        for weight in weights {
            stack.context.make("Part", ["kind": "k", "weight": weight])
                .setValue(box, forKey: "box")
        }
        return (stack, box)
    }

    private func aggregates(
        _ context: NSManagedObjectContext, isGrouped: Bool
    ) throws -> [String: Double] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Part")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["min:", "max:", "sum:", "median:"].map { function in
            let column = NSExpressionDescription()
            column.name = function
            column.expressionResultType = .doubleAttributeType
            column.expression = NSExpression(
                forFunction: function, arguments: [NSExpression(forKeyPath: "weight")])
            return column
        }
        if isGrouped { request.propertiesToGroupBy = ["kind"] }
        let rows = try context.fetch(request)
        #expect(rows.count == 1)
        return rows.first as? [String: Double] ?? [:]
    }

    @Test(arguments: orders)
    func extremes_pass_over_it(_ weights: [Double]) throws {
        let (stack, box) = try stack(weights)
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            #expect(box.value(forKeyPath: "parts.@max.weight") as? Double == 5)
            #expect(box.value(forKeyPath: "parts.@min.weight") as? Double == 2)
            for format in [
                "parts.@max.weight == 5", "parts.@min.weight == 2",
                "max:(parts.weight) == 5 AND min:(parts.weight) == 2",
            ] {
                let predicate = NSPredicate(format: format)
                #expect(predicate.evaluate(with: box), "\(weights): \(format)")
                #expect(try stack.context.all("Box", predicate) == [box], "\(weights): \(format)")
            }
        }
        for isGrouped in [false, true] {
            let row = try aggregates(stack.context, isGrouped: isGrouped)
            #expect(row["max:"] == 5 && row["min:"] == 2, "\(weights)")
            #expect(row["sum:"]?.isNaN == true && row["median:"]?.isNaN == true, "\(weights)")
        }
    }

    @Test func nothing_else_leaves_it() throws {
        let (stack, box) = try stack([.nan, .nan])
        try stack.context.save()
        #expect((box.value(forKeyPath: "parts.@max.weight") as? Double)?.isNaN == true)
        let row = try aggregates(stack.context, isGrouped: true)
        #expect(row["max:"]?.isNaN == true && row["min:"]?.isNaN == true)
    }
}
