// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

struct ParserTreeTests {
    private func int(_ value: Int64) -> Expression { .constant(.value(.integer64(value))) }

    @Test func comparison() throws {
        let expected = Comparison(
            left: .keyPath(["owner", "name"]), operator: .beginsWith,
            right: .constant(.value(.string("A"))), modifier: .any,
            options: [.caseInsensitive, .diacriticInsensitive])
        #expect(
            try Predicate(format: "ANY owner.name BEGINSWITH[cd] 'A'") == .comparison(expected))
    }

    @Test func noneNegatesAny() throws {
        let any = Comparison(
            left: .keyPath(["tags"]), operator: .equalTo, right: int(1), modifier: .any)
        #expect(try Predicate(format: "NONE tags == 1") == .not(.comparison(any)))
    }

    @Test func chainsAreFlat() throws {
        let text = "a == 1 AND a == 1 AND (a == 1 OR a == 1)"
        let one = try Predicate(format: "a == 1")
        #expect(try Predicate(format: text) == .and([one, one, .or([one, one])]))
    }

    @Test func expressionForms() throws {
        let path = Expression.keyPath(["a"])
        let forms: [(String, Expression)] = [
            ("SELF", .evaluatedObject),
            ("SELF.a", path),
            ("$x.a.b", .member(of: .variable("x"), ["a", "b"])),
            ("(a).b", .keyPath(["a", "b"])),
            ("{1, 2}", .constant(.list([.value(.integer64(1)), .value(.integer64(2))]))),
            ("{1, a}", .aggregate([int(1), path])),
            ("a[0]", .function("objectFrom:withIndex:", [path, int(0)])),
            ("a[FIRST]", .function("first:", [path])),
            ("#first", .keyPath(["first"])),
            ("-a", .function("from:subtract:", [int(0), path])),
            ("a + 1", .function("add:to:", [path, int(1)])),
            ("a * 1", .function("multiply:by:", [path, int(1)])),
            ("a / 1", .function("divide:by:", [path, int(1)])),
            ("a ** 1", .function("raise:toPower:", [path, int(1)])),
            ("now()", .function("now", [])),
            ("sum(a)", .function("sum:", [path])),
            (
                "CAST(a, 'X')",
                .function("castObject:toType:", [path, .constant(.value(.string("X")))])
            ),
            (
                "FUNCTION(a, 'x:', 1)",
                .function("FUNCTION", [path, .constant(.value(.string("x:"))), int(1)])
            ),
            ("TERNARY(TRUEPREDICATE, a, 1)", .conditional(.constant(true), path, int(1))),
            (
                "SUBQUERY(a, $i, FALSEPREDICATE).@count",
                .member(of: .subquery(path, variable: "i", .constant(false)), ["@count"])
            ),
        ]
        for (text, tree) in forms {
            #expect(try Expression(format: text) == tree, "\(text)")
        }
    }

    @Test func constantOperands() throws {
        #expect(Expression.aggregate([int(1)]).constantOperand == .list([.value(.integer64(1))]))
        #expect(Expression.aggregate([int(1), .evaluatedObject]).constantOperand == nil)
        #expect(Expression.evaluatedObject.constantOperand == nil)
    }

    @Test func rawValuesAreFoundations() {
        #expect(Operator.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99, 100])
        #expect(Modifier.allCases.map(\.rawValue) == [0, 1, 2])
        #expect(ComparisonOptions.localeSensitive.rawValue == 8)
    }
}
