// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

/// Every form of the language, read and written again.
struct FormatGoldenTests {
    static let comparisons: [(String, String)] = [
        ("name == 'a'", #"name == "a""#),
        ("name = \"a\"", #"name == "a""#),
        ("age != 3", "age != 3"),
        ("age <> 3", "age != 3"),
        ("age<3", "age < 3"),
        ("age <= 3", "age <= 3"),
        ("age =< 3", "age <= 3"),
        ("age > 3", "age > 3"),
        ("age >= 3", "age >= 3"),
        ("age => 3", "age >= 3"),
        ("age between {1, 2}", "age BETWEEN {1, 2}"),
        ("name in {'a','b'}", #"name IN {"a", "b"}"#),
        ("name IN {}", "name IN {}"),
        ("name contains 'a'", #"name CONTAINS "a""#),
        ("name BeginsWith[c] 'a'", #"name BEGINSWITH[c] "a""#),
        ("name ENDSWITH [cd] 'a'", #"name ENDSWITH[cd] "a""#),
        ("name LIKE[dc] 'a*?'", #"name LIKE[cd] "a*?""#),
        ("name MATCHES[nl] '.*'", #"name MATCHES[nl] ".*""#),
        ("name ==[cd] 'a'", #"name ==[cd] "a""#),
        ("a == b", "a == b"),
        ("3 < age", "3 < age"),
        ("ANY items.price > 3", "ANY items.price > 3"),
        ("some items.price > 3", "ANY items.price > 3"),
        ("ALL items.price > 3", "ALL items.price > 3"),
        ("NONE items.price > 3", "NOT ANY items.price > 3"),
        ("SELF == 'a'", #"SELF == "a""#),
        ("self.name == 'a'", #"name == "a""#),
        ("$x == name", "$x == name"),
        ("$x.name.first == 1", "$x.name.#first == 1"),
    ]

    static let logic: [(String, String)] = [
        ("TRUEPREDICATE", "TRUEPREDICATE"),
        ("falsepredicate", "FALSEPREDICATE"),
        ("(((a == 1)))", "a == 1"),
        ("a == 1 AND b == 2 && c == 3", "a == 1 AND b == 2 AND c == 3"),
        ("a == 1 OR b == 2 || c == 3", "a == 1 OR b == 2 OR c == 3"),
        ("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
        ("(a == 1 OR b == 2) AND c == 3", "(a == 1 OR b == 2) AND c == 3"),
        ("(a == 1 AND b == 2) AND c == 3", "(a == 1 AND b == 2) AND c == 3"),
        ("NOT a == 1", "NOT a == 1"),
        ("!a == 1 AND b == 2", "NOT a == 1 AND b == 2"),
        ("NOT (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
        ("NOT NOT a == 1", "NOT NOT a == 1"),
        ("!(a == 1 or TRUEPREDICATE)", "NOT (a == 1 OR TRUEPREDICATE)"),
        (
            "name == 'a' AND (age > 3 OR NOT x IN {1, 2})",
            #"name == "a" AND (age > 3 OR NOT x IN {1, 2})"#
        ),
    ]

    static let expressions: [(String, String)] = [
        ("1 + 2 * 3", "1 + 2 * 3"),
        ("(1 + 2) * 3", "(1 + 2) * 3"),
        ("1 - (2 - 3)", "1 - (2 - 3)"),
        ("1 - 2 - 3", "1 - 2 - 3"),
        ("2 ** 3 ** a", "2 ** 3 ** a"),
        ("2 ** (3 ** a)", "2 ** (3 ** a)"),
        ("a / b / -2", "a / b / -2"),
        ("-a", "0 - a"),
        ("--5", "5"),
        ("- -5", "5"),
        ("-5", "-5"),
        ("a-5", "a - 5"),
        ("a - -5", "a - -5"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", #"CAST("9223372036854775808", "NSDecimalNumber")"#),
        ("0x1F", "31"),
        ("-0x10", "-16"),
        ("1.5", "1.5"),
        ("1e3", "1000.0"),
        ("1.5E-3", "0.0015"),
        ("1e+300", "1e+300"),
        ("TRUE", "1"),
        ("yes", "1"),
        ("NO", "0"),
        ("False", "0"),
        ("nil", "nil"),
        ("NULL", "nil"),
        ("a.b.c", "a.b.c"),
        ("#in.#and", "#in.#and"),
        ("a.in", "a.#in"),
        ("first", "#first"),
        ("ключ.naïve", "ключ.naïve"),
        (##"#"two words".#'é!'"##, ##"#"two words".#"é!""##),
        ("items.@count", "items.@count"),
        ("@sum.price", "@sum.price"),
        ("items.@sum.price", "items.@sum.price"),
        ("a[0]", "a[0]"),
        ("a[b + 1].c", "a[b + 1].c"),
        ("a.b[FIRST]", "a.b[FIRST]"),
        ("a[last].name", "a[LAST].name"),
        ("a[SIZE]", "a[SIZE]"),
        ("(a + b)[0]", "(a + b)[0]"),
        ("{1, a, {2, 3}}", "{1, a, {2, 3}}"),
        ("sum(a)", "sum(a)"),
        ("max:(a, b)", "max(a, b)"),
        ("now()", "now()"),
        ("modulus:by:(a, 2)", "modulus:by:(a, 2)"),
        ("add:to:(a, 2)", "a + 2"),
        ("CAST(a, 'NSDate')", #"CAST(a, "NSDate")"#),
        ("cast(5, 'NSDate')", #"CAST(5.000000, "NSDate")"#),
        ("FUNCTION(a, 'lowercaseString')", #"FUNCTION(a, "lowercaseString")"#),
        ("TERNARY(a == 1, b, 'c')", #"TERNARY(a == 1, b, "c")"#),
        (
            "SUBQUERY(items, $i, $i.done == NO AND $i.price > 5).@count",
            "SUBQUERY(items, $i, $i.done == 0 AND $i.price > 5).@count"
        ),
        ("a UNION b MINUS {1} INTERSECT c", "a UNION b MINUS {1} INTERSECT c"),
        ("a UNION (b MINUS c)", "a UNION (b MINUS c)"),
        ("union", "#union"),
        (#"'it\'s \x41\u00e9\101\n'"#, #""it's AéA\n""#),
        ("'%@'", #""%@""#),
        ("'?'", #""?""#),
        (#""say \"hi\" \\""#, #""say \"hi\" \\""#),
    ]

    @Test(arguments: comparisons + logic)
    func predicate(_ text: String, _ golden: String) throws {
        let tree = try Predicate(format: text)
        #expect(tree.predicateFormat == golden)
        #expect(try Predicate(format: golden) == tree)
    }

    @Test(arguments: expressions)
    func expression(_ text: String, _ golden: String) throws {
        let tree = try Expression(format: text)
        #expect(tree.description == golden)
        #expect(try Expression(format: golden) == tree)
    }

    static let constants: [(Value, String)] = [
        (.null, "nil"),
        (.integer16(-3), "-3"),
        (.integer32(7), "7"),
        (.integer64(.max), "9223372036854775807"),
        (.boolean(true), "1"),
        (.boolean(false), "0"),
        (.float(0.1), "0.10000000149011612"),
        (.double(0.1), "0.1"),
        (.double(-0.0), "-0.0"),
        (.double(.leastNonzeroMagnitude), "5e-324"),
        (.double(.infinity), #"CAST("inf", "double")"#),
        (.date(123), #"CAST(123.000000, "NSDate")"#),
        (.date(-1.5), #"CAST(-1.500000, "NSDate")"#),
        (.date(1e-7), #"CAST(1e-07, "NSDate")"#),
        (.date(.infinity), #"CAST(CAST("inf", "double"), "NSDate")"#),
        (
            .decimal(DecimalValue(significand: 125, exponent: -2, isNegative: true)),
            #"CAST("-1.25", "NSDecimalNumber")"#
        ),
        (
            .decimal(DecimalValue(significand: 1, exponent: 1000, isNegative: false)),
            #"CAST("1e1000", "NSDecimalNumber")"#
        ),
        (.binaryData([0, 255]), #"CAST("00ff", "NSData")"#),
        (.transformable([]), #"CAST("", "Transformable")"#),
        (
            .uuid(UUIDValue(high: 1, low: 2)),
            #"CAST("00000000-0000-0001-0000-000000000002", "NSUUID")"#
        ),
        (.uri("http://a"), #"CAST("http://a", "NSURL")"#),
        (
            .objectID(ObjectKey(entity: EntityNumber(rawValue: 3), row: 17)),
            #"CAST("3/p17", "NSManagedObjectID")"#
        ),
        (
            .objectID(ObjectKey(rawValue: 3 << 48 | ObjectKey.temporaryBit | 4)),
            #"CAST("3/t4", "NSManagedObjectID")"#
        ),
        (.string("a\u{0}\u{7F}\r"), #""a\u0000\u007f\r""#),
    ]

    @Test(arguments: constants)
    func constant(_ value: Value, _ golden: String) throws {
        let expression = Expression.constant(.value(value))
        #expect(expression.description == golden)
        let back = try Expression(format: golden)
        switch value {
        case .integer16, .integer32, .boolean, .float: #expect(back.description == golden)
        default: #expect(back == expression)
        }
    }

    @Test func handMadeCompounds() {
        let one = Predicate.comparison(
            Comparison(left: .keyPath(["a"]), operator: .equalTo, right: .variable("x")))
        #expect(Predicate.and([]).predicateFormat == "TRUEPREDICATE")
        #expect(Predicate.or([]).predicateFormat == "FALSEPREDICATE")
        #expect(Predicate.and([one]).predicateFormat == "a == $x")
        #expect(Predicate.not(.or([.and([one, one])])).description == "NOT (a == $x AND a == $x)")
        #expect(Operand.list([.value(.null), .list([])]).description == "{nil, {}}")
        #expect(Expression.keyPath([]).description == "SELF")
        #expect(Expression.function("now:", []).description == "now:()")
        #expect(Expression.path([], of: .variable("x")) == .variable("x"))
    }
}
