// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

struct SubstitutionTests {
    private let one = Operand.value(.integer64(1))

    @Test func constantsReplaceVariables() throws {
        let rows: [(String, String)] = [
            ("a == $x", "a == 1"), ("a == $y", "a == $y"), ("NOT $x == a", "NOT 1 == a"),
            ("a == $x AND (b == $x OR TRUEPREDICATE)", "a == 1 AND (b == 1 OR TRUEPREDICATE)"),
            ("a IN {$x, 2}", "a IN {1, 2}"), ("a IN {$x, $y}", "a IN {1, $y}"),
            ("a + $x == $x.b", "a + 1 == (1).b"), ("max($x, b) == 1", "max(1, b) == 1"),
            ("TERNARY(a == $x, $x, $y) == 1", "TERNARY(a == 1, 1, $y) == 1"),
            (
                "SUBQUERY($x, $i, $i == $x).@count == 1", "SUBQUERY(1, $i, $i == 1).@count == 1"
            ),
            (
                "SUBQUERY($x, $x, $x == 1).@count == $x", "SUBQUERY(1, $x, $x == 1).@count == 1"
            ),
        ]
        for (format, expected) in rows {
            let result = try Predicate(format: format).substituting(["x": one])
            #expect(result.predicateFormat == expected)
            #expect(try Predicate(format: expected) == result)
        }
    }

    @Test func freeVariables() throws {
        let predicate = try Predicate(
            format: "SUBQUERY($a, $i, $i.x == $b).@count == $i AND NOT {$c} == abs($d)")
        #expect(predicate.variables == ["a", "b", "c", "d", "i"])
        #expect(try Expression(format: "TERNARY(a == $x, $y, b)").variables == ["x", "y"])
    }

    @Test func keyPathsOfTheObject() throws {
        let predicate = try Predicate(
            format: """
                a.b == c OR SUBQUERY(items, $i, $i.x == y).@count > items.@sum.price \
                OR TERNARY(d == 1, e, 2) IN {f, g[0]} OR SELF == $v.w
                """)
        #expect(
            predicate.keyPaths == [
                ["a", "b"], ["c"], ["items"], ["y"], ["items", "@sum", "price"], ["d"], ["e"],
                ["f"], ["g"],
            ])
        #expect(try Expression(format: "a.b + c").keyPaths == [["a", "b"], ["c"]])
    }
}
