// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

/// The operators on bits: how they are read, written and computed.
struct BitwiseTests {
    /// A text, and the same with all parentheses that it does without.
    static let precedence: [(String, String)] = [
        ("a & 4 != 0", "(a & 4) != 0"), ("0 != a & 4", "0 != (a & 4)"),
        ("a & b | c ^ d == 1", "((a & b) | (c ^ d)) == 1"),
        ("a | b & c == 1", "(a | (b & c)) == 1"), ("a ^ b & c == 1", "(a ^ (b & c)) == 1"),
        ("a | b ^ c == 1", "(a | (b ^ c)) == 1"), ("a & b << c == 1", "(a & (b << c)) == 1"),
        ("a << b + c == 1", "(a << (b + c)) == 1"), ("a >> b >> c == 1", "((a >> b) >> c) == 1"),
        ("a - b & c == 1", "((a - b) & c) == 1"), ("~a & b == 1", "((~a) & b) == 1"),
        ("~a ** b == 1", "((~a) ** b) == 1"), ("-~a == 1", "(0 - (~a)) == 1"),
        ("~~a == 1", "(~(~a)) == 1"), ("~a.b == 1", "(~(a.b)) == 1"),
        ("a & 1 == 1 && b | 2 == 2 || c == 3", "(((a & 1) == 1) AND ((b | 2) == 2)) OR c == 3"),
        ("a&1==1&&b|2==2", "((a & 1) == 1) AND ((b | 2) == 2)"),
        ("a UNION b & c == 1", "(a UNION (b & c)) == 1"),
        ("a & 1 BETWEEN {b & 2, c | 4}", "(a & 1) BETWEEN {(b & 2), (c | 4)}"),
        (
            "a & 1 == TERNARY(b & 1 == 1, c | 2, ~d)",
            "(a & 1) == TERNARY((b & 1) == 1, (c | 2), ~d)"
        ),
        ("1<<3==8", "(1 << 3) == 8"), ("a<b", "a < b"), ("a<>b", "a != b"), ("a>=b", "a >= b"),
        ("NOT a & 1 == 1", "NOT ((a & 1) == 1)"), ("!~a==1", "NOT ((~a) == 1)"),
    ]

    @Test(arguments: precedence)
    func bindsAsInC(_ text: String, _ explicit: String) throws {
        #expect(try Predicate(format: text) == Predicate(format: explicit))
    }

    static let texts: [(String, String)] = [
        ("bitwiseAnd:with:(a, 4) != 0", "a & 4 != 0"), ("(a | b) & c == 1", "(a | b) & c == 1"),
        ("a | (b & c) == 1", "a | b & c == 1"), ("~(a & b) == 1", "~(a & b) == 1"),
        ("(~a).length == 1", "(~a).length == 1"), ("~a[0] == 1", "~a[0] == 1"),
        ("~-1 == 0", "~-1 == 0"), ("onesComplement(a) == 1", "~a == 1"),
        ("a << (b << c) == 1", "a << (b << c) == 1"),
    ]

    @Test(arguments: texts)
    func isWrittenWithOperators(_ text: String, _ written: String) throws {
        #expect(try Predicate(format: text).predicateFormat == written)
    }

    static let functions: [(String, String, [String])] = [
        ("a & 4", "bitwiseAnd:with:", ["a", "4"]), ("a | 4", "bitwiseOr:with:", ["a", "4"]),
        ("a ^ 4", "bitwiseXor:with:", ["a", "4"]), ("a << 4", "leftshift:by:", ["a", "4"]),
        ("a >> 4", "rightshift:by:", ["a", "4"]), ("~a", "onesComplement:", ["a"]),
    ]

    @Test(arguments: functions)
    func isAFunction(_ text: String, _ name: String, _ arguments: [String]) throws {
        #expect(
            try Expression(format: text)
                == .function(name, arguments.map { try Expression(format: $0) }))
    }

    /// The player's age is 30, `nothing` is nil.
    static let values: [(String, Value)] = [
        ("6 & 3", .integer64(2)), ("6 | 3", .integer64(7)), ("6 ^ 3", .integer64(5)),
        ("~0", .integer64(-1)), ("~age", .integer64(-31)), ("age & 14", .integer64(14)),
        ("age & ~2", .integer64(28)), ("TRUE | 2", .integer64(3)), ("-1 & 255", .integer64(255)),
        ("1 << 62", .integer64(1 << 62)), ("1 << 63", .integer64(.min)), ("1 << 64", .integer64(0)),
        ("1 << 9223372036854775807", .integer64(0)), ("-1 >> 9223372036854775807", .integer64(-1)),
        ("-8 >> 1", .integer64(-4)), ("-8 >> 64", .integer64(-1)), ("8 >> 64", .integer64(0)),
        ("4 << -1", .integer64(2)), ("4 >> -1", .integer64(8)),
        ("4 << -9223372036854775808", .integer64(0)), ("4 >> -9223372036854775808", .integer64(0)),
        ("nothing & 4", .null), ("4 << nothing", .null), ("~nothing", .null),
    ]

    @Test(arguments: values)
    func value(_ text: String, _ expected: Value) throws {
        let result = try Expression(format: text).value(with: TestSubject.player)
        #expect(result.scalar == expected)
    }

    static let failures: [(String, String)] = [
        (
            "height & 1 == 1",
            "bitwiseAnd:with: needs integers of at most 64 bits, and height is a "
                + "value of type double"
        ),
        (
            "1 | 2.0 == 1",
            "bitwiseOr:with: needs integers of at most 64 bits, and 2.0 is a value of "
                + "type double"
        ),
        (
            "name ^ 1 == 1",
            "bitwiseXor:with: needs integers of at most 64 bits, and name is a value "
                + "of type string"
        ),
        (
            "born << 1 == 1",
            "leftshift:by: needs integers of at most 64 bits, and born is a value "
                + "of type date"
        ),
        (
            "1 >> money == 1",
            "rightshift:by: needs integers of at most 64 bits, and money is a "
                + "value of type decimal"
        ),
        (
            "~items == 1",
            "onesComplement: needs integers of at most 64 bits, and items is a "
                + "collection"
        ),
        (
            "nothing & 'a' == 1",
            "bitwiseAnd:with: needs integers of at most 64 bits, and \"a\" is a "
                + "value of type string"
        ),
    ]

    @Test(arguments: failures)
    func otherTypesAreRefused(_ text: String, _ message: String) throws {
        let predicate = try Predicate(format: text)
        let error = try #require(throws: PredicateEvaluationError.self) {
            try predicate.evaluate(with: TestSubject.player)
        }
        #expect(error.message == message)
    }

    @Test func chainsAreBounded() {
        for text in [
            String(repeating: "~", count: 401) + "a == 1",
            "a" + String(repeating: " & a", count: 400) + " == 1",
        ] {
            let error = #expect(throws: PredicateSyntaxError.self) { try Predicate(format: text) }
            #expect(error?.code == .nestedTooDeeply)
        }
    }
}
