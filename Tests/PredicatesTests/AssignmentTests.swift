// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

/// Variables that a format itself gives a value, and words without a meaning for objects.
struct AssignmentTests {
    private func text(_ format: String) throws -> String { "\(try Predicate(format: format))" }

    @Test(arguments: [
        ("$x := 5 == 5", "5 == 5"),
        ("($x := 2) + a == $x", "2 + a == 2"),
        ("($x := a + 1) > 3 AND $x < 9", "a + 1 > 3 AND a + 1 < 9"),
        ("$x == 1 AND ($x := 2) == b AND $x == c", "$x == 1 AND 2 == b AND 2 == c"),
        ("($x := team).name == 'a' AND $x.year == 1", "team.name == \"a\" AND team.year == 1"),
        ("($x := 1) == ($y := $x + 1) AND $y == a", "1 == 1 + 1 AND 1 + 1 == a"),
        ("$a := $b := 3 == $a", "3 == 3"),
        ("($x := 1) == 1 OR ($x := 2) == 2 OR $x == a", "1 == 1 OR 2 == 2 OR 2 == a"),
        ("($x := -a) == 1 AND -$x == 2", "0 - a == 1 AND 0 - (0 - a) == 2"),
    ])
    func an_assignment_is_its_value_there_and_behind(_ format: String, _ expected: String) throws {
        #expect(try text(format) == expected)
    }

    @Test func members_of_subqueries_are_not_what_was_assigned() throws {
        let inner = "SUBQUERY(items, $x, $x.a == 1).@count == 1"
        #expect(try text("($x := 2) == b AND \(inner)") == "2 == b AND \(inner)")
        // Outside of the subquery the member is none, so the variable stays open.
        #expect(
            try text("SUBQUERY(items, $i, ($y := $i.a) == 1).@count == 1 AND $y == 3")
                == "SUBQUERY(items, $i, $i.a == 1).@count == 1 AND $y == 3")
        #expect(
            try text("($y := $i) == 1 AND SUBQUERY(items, $i, $i == $y).@count == 1")
                == "$i == 1 AND SUBQUERY(items, $i, $i == $y).@count == 1")
        #expect(
            try text("($y := 4) == 1 AND SUBQUERY(items, $i, $i == $y).@count == $y")
                == "4 == 1 AND SUBQUERY(items, $i, $i == 4).@count == 4")
    }

    @Test func values_that_double_with_each_use_are_refused() {
        var format = "($a0 := b + 1) == 0"
        for number in 1...60 {
            format += " AND ($a\(number) := $a\(number - 1) + $a\(number - 1)) == 0"
        }
        #expect { _ = try Predicate(format: format) } throws: { error in
            (error as? PredicateSyntaxError)?.code == .nestedTooDeeply
        }
        let chain = String(repeating: "$a := ", count: 500) + "1 == 1"
        #expect { _ = try Predicate(format: chain) } throws: { error in
            (error as? PredicateSyntaxError)?.code == .nestedTooDeeply
        }
    }

    @Test func any_key_is_read_and_has_no_value() throws {
        let predicate = try Predicate(format: "ANYKEY == 1")
        #expect("\(predicate)" == "ANYKEY == 1")
        #expect(throws: (any Error).self) {
            try PreparedPredicate(predicate).evaluate(with: .value(.integer64(1)))
        }
    }
}
