// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

struct FunctionTests {
    static let values: [(String, Value)] = [
        ("1 + 2", .integer64(3)), ("7 / 2", .integer64(3)), ("7 / 2.0", .double(3.5)),
        ("-7 / 2", .integer64(-3)), ("7 / 0", .null), ("7.0 / 0", .double(.infinity)),
        ("2 ** 10", .double(1024)), ("1 - 2 - 3", .integer64(-4)), ("2 * 3.5", .double(7)),
        ("-(1 + 1)", .integer64(-2)), ("age + nothing", .null), ("nothing * 2", .null),
        ("9223372036854775807 + 1", .double(0x1p63)),
        ("-9223372036854775808 - 1", .double(-0x1p63)),
        ("-9223372036854775808 / -1", .double(0x1p63)),
        ("9223372036854775807 * 2", .double(0x1p64)),
        ("modulus:by:(-9223372036854775808, -1)", .integer64(0)),
        ("modulus:by:(7, 4)", .integer64(3)), ("modulus:by:(7, 0)", .null),
        ("modulus:by:(7.5, 2)", .double(1.5)), ("born + 5", .date(1005)),
        ("born - 5", .date(995)), ("5 + born", .date(1005)), ("born - born", .double(0)),
        (
            "money + money", .decimal(DecimalValue(significand: 25, exponent: 0, isNegative: false))
        ),
        ("money - money", .decimal(DecimalValue(significand: 0, exponent: 0, isNegative: false))),
        ("money * 2", .decimal(DecimalValue(significand: 25, exponent: 0, isNegative: false))),
        ("1 - money", .decimal(DecimalValue(significand: 115, exponent: -1, isNegative: true))),
        ("money / 2", .double(6.25)),
        ("abs(-3)", .integer64(3)), ("abs(-3.5)", .double(3.5)),
        ("abs(-9223372036854775808)", .double(0x1p63)), ("floor(-1.5)", .double(-2)),
        ("ceiling(1.2)", .double(2)), ("trunc(-1.5)", .double(-1)), ("floor(3)", .integer64(3)),
        ("sqrt(9)", .double(3)), ("log(1000)", .double(3)), ("ln(1)", .double(0)),
        ("exp(0)", .double(1)), ("raise:toPower:(2, 3)", .double(8)), ("abs(nil)", .null),
        ("sum(numbers)", .integer64(9)), ("sum(1, 2.5)", .double(3.5)),
        ("sum(empties)", .integer64(0)),
        ("count(numbers)", .integer64(4)), ("max(numbers)", .integer64(4)),
        ("min(3, 1, 2)", .integer64(1)), ("max('a', 'b')", .string("b")), ("max(empties)", .null),
        ("average(numbers)", .double(2.25)), ("median(numbers)", .double(2)),
        ("median(1, 2, 9)", .double(2)), ("median(empties)", .null), ("stddev(2, 4)", .double(1)),
        ("stddev(empties)", .null), ("mode(numbers)[0]", .double(2)),
        ("bitwiseAnd:with:(6, 3)", .integer64(2)), ("bitwiseOr:with:(6, 3)", .integer64(7)),
        ("bitwiseXor:with:(6, 3)", .integer64(5)), ("leftshift:by:(1, 4)", .integer64(16)),
        ("rightshift:by:(16, 2)", .integer64(4)), ("leftshift:by:(1, 400)", .integer64(0)),
        ("onesComplement(0)", .integer64(-1)), ("uppercase(owner.name)", .string("ZOË")),
        ("lowercase('AbC')", .string("abc")), ("canonical('Éa')", .string("ea")),
        ("length('héy')", .integer64(3)), ("length(data)", .integer64(3)), ("length(nil)", .null),
        ("noindex(age)", .integer16(30)), ("randomn(1)", .integer64(0)),
        ("CAST(age, 'NSDate')", .date(30)), ("CAST(born, 'NSNumber')", .double(1000)),
        ("CAST('12', 'NSNumber')", .integer64(12)), ("CAST('1.5', 'NSNumber')", .double(1.5)),
        ("CAST(age, 'NSString')", .string("30")), ("CAST(home, 'NSString')", .string("http://a/b")),
        ("CAST(nothing, 'NSDate')", .null), ("CAST(born, 'NSDate')", .date(1000)),
        ("CAST(id, 'NSUUID')", .uuid(UUIDValue(high: 1, low: 2))),
        (
            "CAST(height, 'NSDecimalNumber')",
            .decimal(DecimalValue(significand: 15, exponent: -1, isNegative: false))
        ),
        ("FUNCTION(owner.name, 'lowercaseString')", .string("zoë")),
        ("TERNARY(age > 18, 'adult', 'child')", .string("adult")),
        ("TERNARY(age > 40, 'adult', 'child')", .string("child")),
        ("name.uppercaseString.length", .integer64(11)),
    ]

    @Test(arguments: values)
    func value(_ text: String, _ expected: Value) throws {
        let result = try Expression(format: text).value(with: TestSubject.player)
        #expect(result.scalar == expected)
    }

    @Test func clocksAndChance() throws {
        let now = try Expression(format: "now()").value(with: TestSubject.player).scalar
        guard case .date(let seconds) = now else {
            Issue.record("now() gave no date")
            return
        }
        #expect(seconds > 700_000_000)
        let random = try Predicate(format: "random() >= 0 AND random() < 1 AND randomn(5) < 5")
        #expect(try random.evaluate(with: TestSubject.player))
    }

    static let failures: [(String, PredicateEvaluationError.Code)] = [
        ("age CONTAINS 'a'", .typeMismatch), ("age LIKE 'a'", .typeMismatch),
        ("name CONTAINS 1", .typeMismatch), ("name IN age", .typeMismatch),
        ("owner BEGINSWITH 'a'", .typeMismatch), ("items > 3", .typeMismatch),
        ("3 < items.price", .typeMismatch), ("age BETWEEN height", .typeMismatch),
        ("age BETWEEN items", .typeMismatch), ("sum:(age) == 1", .typeMismatch),
        ("name.@count == 1", .typeMismatch), ("items.@sum.name == 1", .typeMismatch),
        ("items.@median.price == 1", .unknownFunction), ("age.x == 1", .invalidKey),
        ("name.x == 1", .invalidKey),
        ("abs('a') == 1", .typeMismatch), ("1 + 'a' == 1", .typeMismatch),
        ("items + 1 == 1", .typeMismatch), ("born + born == 1", .typeMismatch),
        ("bitwiseAnd:with:(1.5, 1) == 1", .typeMismatch), ("lowercase(1) == 1", .typeMismatch),
        ("age[FIRST] == 1", .typeMismatch), ("numbers[1.5] == 1", .unknownFunction),
        ("CAST(age, 'Class') == 1", .typeMismatch), ("CAST(items, 'NSDate') == 1", .typeMismatch),
        ("CAST(age, 5) == 1", .typeMismatch), ("max({items}) == 1", .typeMismatch),
        ("FUNCTION(age, 'x:', 1) == 1", .unknownFunction), ("name MATCHES '('", .invalidPattern),
        ("name MATCHES 'a)|(b'", .invalidPattern), ("name MATCHES $p", .invalidPattern),
        ("$none == 1", .missingVariable),
    ]

    @Test(arguments: failures)
    func failure(_ text: String, _ code: PredicateEvaluationError.Code) throws {
        let predicate = try Predicate(format: text)
        let error = try #require(throws: PredicateEvaluationError.self) {
            try predicate.evaluate(
                with: TestSubject.player, variables: ["p": .value(.string("["))])
        }
        #expect(error.code == code)
        #expect(!error.message.isEmpty)
    }

    @Test func subjectErrorsPass() throws {
        let error = try #require(throws: TestSubject.UnknownKey.self) {
            try Predicate(format: "owner.missing == 1").evaluate(with: TestSubject.player)
        }
        #expect(error == TestSubject.UnknownKey(key: "missing"))
    }
}
