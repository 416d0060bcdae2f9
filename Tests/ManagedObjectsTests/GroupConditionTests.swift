// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing
import _TestSupport

/// Conditions on groups by paths: a path that is grouped is the column of that name.
///
/// With `ANY` each group's members are read again, see ``GroupedFetchTests``.
@Suite struct GroupConditionTests {
    private func rows(
        _ format: String, _ arguments: [Any] = [], by path: String = "shelf.floor"
    ) throws -> [String] {
        let book = Build.entity("Book", [Build.attribute("number", .integer16AttributeType)])
        let shelf = Build.entity(
            "Shelf", [Build.attribute("name"), Build.attribute("floor", .integer16AttributeType)])
        Build.inverse(
            Build.relationship("shelf", of: book, to: shelf, max: 1),
            Build.relationship("books", of: shelf, to: book, max: 0))
        let stack = try Stack(Build.model(book, shelf))
        let low = stack.context.make("Shelf", ["name": "low", "floor": 1])
        let high = stack.context.make("Shelf", ["name": "high", "floor": 2])
        for (number, place) in [low, low, low, high, high, nil].enumerated() {
            let book = stack.context.make("Book", ["number": number])
            book.setValue(place, forKey: "shelf")
        }
        try stack.context.save()
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = NSExpression(format: "count:(SELF)")
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = [path]
        request.propertiesToFetch = [path, count]
        request.havingPredicate = NSPredicate(format: format, argumentArray: arguments)
        return try stack.context.fetch(request).map { row in
            let value = (row as? [String: Any])?[path].map { "\($0)" } ?? "nil"
            return "\(value): \((row as? [String: Any])?["count"] ?? 0)"
        }.sorted()
    }

    /// Forms that are answered while records are read, and by each group's members.
    private static let others = ["", " AND ANY number >= 0"]

    @Test(arguments: others)
    func a_path_is_the_value_of_its_group(other: String) throws {
        let low = ["1: 3"], all = ["1: 3", "2: 2"]
        #expect(try rows("shelf.floor == 1" + other) == low)
        #expect(try rows("1 == shelf.floor" + other) == low)
        #expect(try rows("shelf.floor == '1'" + other) == low)
        #expect(try rows("shelf.floor < 2" + other) == low)
        #expect(try rows("shelf.floor + 1 == 2" + other) == low)
        #expect(try rows("shelf.floor BETWEEN {1, 2}" + other) == all)
        #expect(try rows("shelf.floor IN %@" + other, [[1, 7]]) == low)
        #expect(try rows("shelf.floor != nil" + other) == all)
        #expect(try rows("shelf.floor == nil" + other) == ["nil: 1"])
        #expect(try rows("NOT shelf.floor == 1" + other) == ["2: 2", "nil: 1"])
        #expect(try rows("TERNARY(shelf.floor == 1, 5, 6) == 5" + other) == low)
    }

    @Test(arguments: others)
    func a_path_of_texts(other: String) throws {
        let path = "shelf.name"
        #expect(try rows("shelf.name BEGINSWITH[c] 'LO'" + other, by: path) == ["low: 3"])
        #expect(try rows("shelf.name == 'high'" + other, by: path) == ["high: 2"])
        #expect(try rows("shelf.name != nil" + other, by: path) == ["high: 2", "low: 3"])
    }

    @Test(arguments: others)
    func aggregates_of_the_path_are_of_all_members(other: String) throws {
        #expect(try rows("sum:(shelf.floor) == 3" + other) == ["1: 3"])
        #expect(try rows("shelf.floor == 2 AND sum:(shelf.floor) == 4" + other) == ["2: 2"])
        #expect(try rows("count:(shelf.floor) == 0" + other) == ["nil: 1"])
    }

    @Test func any_and_all_are_of_all_members() throws {
        #expect(try rows("ANY shelf.floor == 1") == ["1: 3"])
        #expect(try rows("ALL shelf.floor == 2") == ["2: 2"])
        #expect(try rows("ANY shelf.name == 'low'") == ["1: 3"])
    }

    /// The index has the columns, and not what the condition is of.
    @Test func a_condition_on_what_an_index_does_not_have() throws {
        let book = Build.entity("Book", [Build.attribute("number", .integer16AttributeType)])
        Build.index(book, "number")
        let shelf = Build.entity("Shelf", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("shelf", of: book, to: shelf, max: 1),
            Build.relationship("books", of: shelf, to: book, max: 0))
        let stack = try Stack(Build.model(book, shelf))
        let low = stack.context.make("Shelf", ["name": "low"])
        for number in 0..<2_000 {
            let book = stack.context.make("Book", ["number": number % 4])
            if number % 4 != 3 { book.setValue(low, forKey: "shelf") }
        }
        try stack.context.save()
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.predicate = NSPredicate(format: "number > 1")
        request.propertiesToGroupBy = ["number"]
        request.propertiesToFetch = ["number"]
        request.havingPredicate = NSPredicate(format: "count:(shelf.name) > 0")
        #expect(try stack.context.fetch(request).map { $0["number"] as? Int } == [2])
        request.havingPredicate = NSPredicate(format: "count:(SELF) == 500")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
        #expect(try stack.context.explain(request).contains("keys are counted"))
        #expect(try stack.context.fetch(request).map { $0["number"] as? Int } == [3, 2])
        request.fetchOffset = 1
        #expect(try stack.context.fetch(request).map { $0["number"] as? Int } == [2])
    }
}
