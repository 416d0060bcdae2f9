// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// An aggregate of what each object of a group has an aggregate or a count of.
///
/// Four bosses with 0, 1, 2 and 3 staff: the ranks of the staff are 1, then 1 and 2, then 1, 2 and
/// 3. The bosses are of the teams a, a, b and b; the staff are of no team.
@Suite struct PerObjectAggregateTests {
    /// Always true, but in need of all members, so that nothing is summed while records are read.
    private static var always: NSPredicate { NSPredicate(format: "1 == 1 OR ANY rank == 0") }

    private let stack: Stack

    init() throws {
        let item = Build.entity(
            "Item", [Build.attribute("team"), Build.attribute("rank", .integer32AttributeType)])
        Build.inverse(
            Build.relationship("boss", of: item, to: item, max: 1),
            Build.relationship("staff", of: item, to: item, max: 0))
        stack = try Stack(Build.model(item))
        for (team, count) in [("a", 0), ("a", 1), ("b", 2), ("b", 3)] {
            let boss = stack.context.make("Item", ["team": team, "rank": 10])
            for rank in 0..<count {
                stack.context.make("Item", ["rank": rank + 1, "boss": boss])
            }
        }
        try stack.context.save()
    }

    private func rows(
        _ formats: [String], by groups: [String] = [], having: NSPredicate? = nil
    ) throws -> [[Double?]] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.predicate = NSPredicate(format: "team != nil")
        request.sortDescriptors = [NSSortDescriptor(key: "team", ascending: true)]
        if !groups.isEmpty { request.propertiesToGroupBy = groups }
        request.havingPredicate = having
        request.propertiesToFetch = formats.enumerated().map { index, format in
            let column = NSExpressionDescription()
            column.name = "c\(index)"
            column.expression = NSExpression(format: format)
            column.expressionResultType = .doubleAttributeType
            return column
        }
        return try stack.context.fetch(request).map { row in
            formats.indices.map { row["c\($0)"] as? Double }
        }
    }

    @Test(
        arguments: [
            ("max:(count:(staff))", 3, [1, 3]), ("min:(count:(staff))", 0, [0, 2]),
            ("sum:(count:(staff))", 6, [1, 5]), ("average:(count:(staff))", 1.5, [0.5, 2.5]),
            ("average:(staff.@count + 0)", 1.5, [0.5, 2.5]),
            ("count:(staff.@count + 0)", 4, [2, 2]), ("sum:(staff.@count)", 6, [1, 5]),
            ("count:(staff.@count)", 4, [2, 2]), ("max:(staff.@count)", 3, [1, 3]),
            ("median:(staff.@count)", 1.5, [0.5, 2.5]),
            ("sum:(rank + staff.@count)", 46, [21, 25]),
            ("sum:(SUBQUERY(staff, $x, $x.rank > 1).@count)", 3, [0, 3]),
            ("max:(SUBQUERY(staff, $x, $x.rank > 1).@count)", 2, [0, 2]),
            ("sum:(TERNARY(staff.@count > 1, 1, 0))", 2, [0, 2]),
            ("max:(sum:(staff.rank))", 6, [1, 6]), ("sum:(max:(staff.rank))", 6, [1, 5]),
            ("sum:(staff.@max.rank)", 6, [1, 5]), ("average:(staff.@sum.rank)", 2.5, [0.5, 4.5]),
            ("sum:(staff[SIZE])", 6, [1, 5]), ("max:(abs:(count:(staff) - 3))", 3, [3, 1]),
            ("max:(count:(staff)) + count:(SELF)", 7, [3, 5]),
            ("max:(TERNARY(count:(SELF) > 3, 7, 0))", 7, [0, 0]),
            // Collections are summed up member by member, of all objects of a group.
            ("sum:(TERNARY(rank > 0, staff.rank, nil))", 10, [1, 9]),
        ] as [(String, Double, [Double])])
    func the_outer_function_sums_up(_ format: String, _ all: Double, _ teams: [Double]) throws {
        #expect(try rows([format]) == [[all]])
        #expect(try rows([format], by: ["team"]) == teams.map { [$0] })
        #expect(try rows([format], by: ["team"], having: Self.always) == teams.map { [$0] })
        let bosses = try stack.context.all("Item", NSPredicate(format: "team != nil"))
        let value = NSExpression(format: format).expressionValue(with: bosses, context: nil)
        #expect((value as? NSNumber)?.doubleValue == all)
    }

    @Test func beside_what_is_summed_of_attributes() throws {
        let formats = ["count:(staff)", "max:(count:(staff))", "sum:(rank)"]
        #expect(try rows(formats) == [[6, 3, 40]])
        #expect(try rows(formats, by: ["team"]) == [[1, 1, 20], [5, 3, 20]])
    }

    @Test(
        arguments: [
            ("max:(count:(staff)) > 1", [[5, 3]]), ("c1 == 1", [[1, 1]]),
            ("average:(staff.@count) == 0.5", [[1, 1]]),
            ("sum:(SUBQUERY(staff, $x, $x.rank > 1).@count) >= 3", [[5, 3]]),
            ("sum:(staff.@count) == 5 AND ANY rank == 10", [[5, 3]]),
        ] as [(String, [[Double]])])
    func a_condition_on_groups(_ format: String, _ wanted: [[Double]]) throws {
        let columns = ["count:(staff)", "max:(count:(staff))"]
        let having = NSPredicate(format: format)
        #expect(try rows(columns, by: ["team"], having: having) == wanted)
    }

    @Test func of_each_object_without_an_outer_function() throws {
        let one = try rows(["count:(staff)", "sum:(staff.rank) + 1", "count:(staff UNION staff)"])
        #expect(one.map { $0[0] }.sorted { $0 ?? 0 < $1 ?? 0 } == [0, 1, 2, 3])
        #expect(one.map { $0[1] }.sorted { $0 ?? 0 < $1 ?? 0 } == [1, 2, 4, 7])
        #expect(one.map { $0[2] }.sorted { $0 ?? 0 < $1 ?? 0 } == [0, 1, 2, 3])
        let some = try rows(["sum:(SUBQUERY(staff, $x, $x.rank > 1).rank)"])
        #expect(some.map { $0[0] }.sorted { $0 ?? 0 < $1 ?? 0 } == [0, 0, 2, 5])
    }
}
