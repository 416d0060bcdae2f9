// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

/// Which constants stand for values of other types.
struct CoercionTests {
    private static let integers: [AttributeType] = [.integer16, .integer32, .integer64]

    @Test func numerals() throws {
        let numerals: [(String, Value?)] = [
            ("5", .integer64(5)), ("-5", .integer64(-5)), ("+5", .integer64(5)),
            ("007", .integer64(7)), ("1.5", .double(1.5)), ("-1.50", .double(-1.5)),
            ("1e3", .double(1_000)), ("1.5E-3", .double(0.0015)),
            ("9223372036854775807", .integer64(.max)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1e400", nil),
            ("", nil), (" 1", nil), ("1 ", nil), ("1,000", nil), ("1_000", nil), ("0x10", nil),
            (".5", nil), ("5.", nil), ("1e", nil), ("--1", nil), ("+-1", nil), ("inf", nil),
            ("nan", nil), ("٣", nil), ("five", nil), ("true", nil),
        ]
        for (text, wanted) in numerals {
            for type in CoercionTests.integers + [.double, .float, .boolean] {
                let truth: Value? = type == .boolean && text == "true" ? .boolean(true) : wanted
                #expect(Value.string(text).coerced(to: type) == truth, "\(text) as \(type)")
                #expect(Value.uri(text).coerced(to: type) == truth, "\(text) as \(type)")
            }
        }
        #expect(
            Value.string("0.1").coerced(to: .decimal)
                == .decimal(try #require(DecimalValue("0.1"))))
        #expect(Value.string("12").coerced(to: .decimal) == .integer64(12))
        #expect(Value.string("x").coerced(to: .decimal) == nil)
    }

    @Test func truth() {
        for (text, wanted) in [
            ("true", true), ("YES", true), ("False", false), ("no", false),
        ] {
            #expect(Value.string(text).coerced(to: .boolean) == .boolean(wanted))
            #expect(Value.string(text).coerced(to: .integer16) == nil)
        }
        #expect(Value.string("t").coerced(to: .boolean) == nil)
    }

    @Test func dates() {
        let dates: [(String, Double?)] = [
            ("2001-01-01", 0), ("2001-01-01T00:00:00Z", 0), ("2001-01-01 00:00", 0),
            ("2001-01-02t00:00:00.25z", 86_400.25), ("2001-01-01T02:00+02:00", 0),
            ("2000-12-31T16:30:00-0730", 0), ("2001-01-01T05:00:00+05", 0),
            ("1970-01-01", -978_307_200), ("2024-02-29", 730_857_600),
            ("2024-05-31T18:30:15,5Z", 738_873_015.5), ("1600-02-29", -12_649_305_600),
            ("0001-01-01", -63_113_904_000),
            ("2023-02-29", nil), ("1900-02-29", nil), ("2001-13-01", nil), ("2001-00-01", nil),
            ("2001-04-31", nil), ("2001-01-01T24:00", nil), ("2001-01-01T00:60", nil),
            ("2001-01-01T00", nil), ("2001-1-1", nil), ("20010101", nil), ("2001-01-01Z", nil),
            ("2001-01-01T00:00:00.Z", nil), ("2001-01-01T00:00Zx", nil), ("", nil),
            ("2001-01-01T00:00+2", nil), ("2001-01-01T00:00+02:", nil), ("today", nil),
        ]
        for (text, seconds) in dates {
            #expect(
                Value.string(text).coerced(to: .date) == seconds.map { .date($0) }, "\(text)")
        }
        #expect(Value.integer64(5).coerced(to: .date) == nil)
    }

    @Test func texts_and_others() {
        let number = Value.integer64(5)
        #expect(number.coerced(to: .string) == .string("5"))
        #expect(number.coerced(to: .string, isOrdered: true) == nil)
        #expect(Value.boolean(true).coerced(to: .string) == nil)
        #expect(Value.double(5).coerced(to: .string) == nil)
        #expect(Value.date(5).coerced(to: .string) == nil)
        let uuid = UUIDValue(high: 1, low: 2)
        #expect(Value.string(uuid.description).coerced(to: .uuid) == .uuid(uuid))
        #expect(Value.string("1").coerced(to: .uuid) == nil)
        #expect(Value.binaryData([1]).coerced(to: .transformable) == .transformable([1]))
        #expect(Value.string("1").coerced(to: .binaryData) == nil)
        #expect(Value.string("1").coerced(to: .objectID) == nil)
        for type in CoercionTests.integers + [.string, .date, .uuid, .objectID] {
            #expect(Value.null.coerced(to: type) == .null)
        }
        #expect(Value.boolean(true).coerced(to: .integer16) == .boolean(true))
        #expect(Value.double(.nan).coerced(to: .integer16).map { "\($0)" } != nil)
    }

    @Test func an_order_of_types_that_have_none_is_an_error() throws {
        for format in ["5 < 'a'", "'a' >= 5", "5 BETWEEN {'a', 'b'}", "ANY {1, 2} > 'a'"] {
            let predicate = try Predicate(format: format)
            let error = #expect(throws: PredicateEvaluationError.self) {
                try predicate.evaluate(with: .value(.null))
            }
            #expect(error?.code == .typeMismatch)
        }
        for format in ["nil < 'a'", "'a' > nil", "5 == 'a'", "5 IN {'a'}"] {
            #expect(try !Predicate(format: format).evaluate(with: .value(.null)))
        }
    }
}
