// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

private final class Place: NSObject {
    let name: String
    let height: Int?

    init(_ name: String, _ height: Int?) {
        self.name = name
        self.height = height
    }
}

/// What predicates answer of values that are no managed objects.
@Suite struct AnsweredInMemoryTests {
    private func holds(_ format: String, _ object: Any?) -> Bool {
        NSPredicate(format: format).evaluate(with: object)
    }

    @Test func dictionaries() {
        let table: [String: Any] = [
            "name": "Ann", "age": 30, "empty": NSNull(), "inner": ["a": 1], "list": [1, 2, 3],
            "words": Set(["x", "y"]), "rows": [["n": 1], ["n": 5], [:]],
        ]
        for object in [table, table as NSDictionary] as [Any] {
            for format in [
                "name == 'Ann'", "missing == nil", "missing != 5", "NOT missing > 5",
                "missing.deeper == nil", "empty == nil", "empty.key == nil", "inner.a == 1",
                "inner.b == nil", "list.@count == 3", "ANY list > 2", "ALL list > 0", "3 IN list",
                "list CONTAINS 2", "list[0] == 1", "list[FIRST] == 1", "list[LAST] == 3",
                "list[SIZE] == 3", "list[9] == nil", "list.@sum.self == 6", "'x' IN words",
                "words CONTAINS 'y'", "ANY rows.n == 5", "rows.@max.n == 5", "rows.@count == 3",
                "SUBQUERY(rows, $r, $r.n > 0).@count == 2", "NOT missing BEGINSWITH 'a'",
                "NOT missing MATCHES 'a.*'", "NOT missing LIKE '*'", "NOT missing CONTAINS 'a'",
                "NOT missing IN {1, 2}", "missing IN {nil}", "NOT missing BETWEEN {1, 2}",
                "NOT name IN missing", "NOT age BETWEEN missing", "uppercase:(missing) == nil",
                "sum:(missing) == 0", "count:(missing) == 0", "abs:(missing) == nil",
                "missing + 1 == nil", "missing[0] == nil", "max:(list) == 3",
                "TERNARY(missing == nil, 1, 2) == 1", "CAST(missing, 'NSString') == nil",
                "name.length == 3", "length:(name) == 3", "inner CONTAINS 1", "ANY inner == 1",
                "1 IN inner", "SELF.name == 'Ann'", "age == 30.0", "NOT age == '30'",
                "age != 'Ann'", "NOT age IN {'30'}", "NOT list == 1", "list == {3, 2, 1}",
                "NONE list == 7", "ALL missing == 1", "NOT ANY missing == 1",
                "name IN {'Ann', 5}", "@count == 7",
            ] {
                #expect(holds(format, object), "\(format)")
            }
        }
    }

    @Test func values_collections_and_other_objects() {
        #expect(holds("SELF == 'a'", "a"))
        #expect(holds("SELF.length == 2", "ab"))
        #expect(holds("SELF BEGINSWITH[c] 'A'", "ab" as NSString))
        #expect(holds("SELF == nil", nil))
        #expect(holds("SELF == nil", NSNull()))
        #expect(holds("SELF == 3", NSNumber(value: 3)))
        #expect(holds("SELF.intValue == 3", 3.7))
        #expect(holds("ANY SELF > 2", [1, 2, 3]))
        #expect(holds("@count == 2", NSSet(array: [1, 2])))
        #expect(holds("SELF CONTAINS 'b'", NSOrderedSet(array: ["a", "b"])))
        #expect(holds("ANY name == 'x'", [Place("x", 1), Place("y", 2)]))
        #expect(holds("name == 'x' AND height == nil", Place("x", nil)))
        #expect(holds("height > 2", Place("x", 3)))
        #expect(holds("ALL height > 0", [Place("x", 3), Place("y", 1)]))
        let optional: Int?? = .some(.some(4))
        #expect(holds("SELF == 4", optional as Any))
    }

    @Test func keys_of_managed_objects() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann"])
        #expect(holds("isInserted == YES", ann))
        #expect(holds("hasChanges == YES", ann))
        #expect(holds("SELF.self.name == 'Ann'", ann))
        #expect(holds("ANY name == 'Ann'", [ann]))
        #expect(holds("who.name == 'Ann'", ["who": ann]))
        try stack.context.save()
        #expect(holds("isInserted == NO", ann))
    }

    @Test(arguments: [
        "size > 1", "name > 5", "5 BEGINSWITH 'a'", "age MATCHES '1'", "age CONTAINS 'x'",
        "name.nothing == 1", "uppercase:(age) == 'x'", "children < 5",
    ]) func what_has_no_answer_traps(format: String) async {
        await #expect(processExitsWith: .failure) { [format] in
            let stack = try Stack(PeopleModel.make())
            let ann = stack.context.make("Person", ["name": "Ann", "age": 1])
            _ = NSPredicate(format: format).evaluate(with: ann)
        }
    }
}
