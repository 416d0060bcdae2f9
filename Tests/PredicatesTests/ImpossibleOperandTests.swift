// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

/// Formats that no object could be evaluated with are refused when they are read.
struct ImpossibleOperandTests {
    typealias Code = PredicateSyntaxError.Code

    static let formats: [(String, Code, Int, String, String)] = [
        (
            "name IN 3", .operandKind, 8, "a collection or a text after IN",
            "a value of type integer64"
        ),
        (
            "a == 1 AND x IN CAST(0, 'NSDate')", .operandKind, 16,
            "a collection or a text after IN", "a value of type date"
        ),
        (
            "a BETWEEN 1", .operandKind, 10, "two bounds such as {1, 5} after BETWEEN",
            "a value of type integer64"
        ),
        (
            "a BETWEEN {1, 2, 3}", .operandKind, 10, "two bounds such as {1, 5} after BETWEEN",
            "a list of 3"
        ),
        (
            "a BETWEEN {b}", .operandKind, 10, "two bounds such as {1, 5} after BETWEEN",
            "a list of 1"
        ),
        (
            "ANY tags.@count > 1", .operandKind, 4, "a collection after ANY",
            "the one value of @count"
        ),
        (
            "NONE tags.@max.rank == 1", .operandKind, 5, "a collection after ANY",
            "the one value of @max"
        ),
        ("ALL 3 == a", .operandKind, 4, "a collection after ALL", "a value of type integer64"),
        ("SOME a + 1 == 2", .operandKind, 5, "a collection after ANY", "the one value of add:to:"),
        (
            "nosuch:(a) == 1", .unknownFunction, 0, "a function such as sum: or modulus:by:",
            "“nosuch:”"
        ),
        (
            "1 == nosuch(a)", .unknownFunction, 5, "a function such as sum: or modulus:by:",
            "“nosuch:”"
        ),
        ("sum:() == 1", .unknownFunction, 0, "an argument of sum:", "none"),
        ("sqrt:(a, b) == 1", .unknownFunction, 0, "one argument of sqrt:", "2"),
        ("modulus:by:(a) == 1", .unknownFunction, 0, "two arguments of modulus:by:", "1"),
        (
            "uppercase() == 1", .unknownFunction, 0, "a function such as sum: or modulus:by:",
            "“uppercase”"
        ),
        (
            "distanceToLocation:fromLocation:(a, b) < 1", .unknownFunction, 0,
            "a function such as sum: or modulus:by:", "“distanceToLocation:fromLocation:”"
        ),
    ]

    @Test(arguments: formats)
    func refused(
        _ text: String, _ code: Code, _ offset: Int, _ expected: String, _ found: String
    ) throws {
        let error = try #require(throws: PredicateSyntaxError.self) { try Predicate(format: text) }
        #expect(error.code == code)
        #expect(error.offset == offset)
        #expect(error.expected == expected)
        #expect(error.found == found)
    }

    @Test(
        arguments: [
            "name IN 'abc'", "name IN nil", "name IN {}", "name IN $list", "name IN tags",
            "a BETWEEN nil", "a BETWEEN {b, 2}", "a BETWEEN $bounds", "ANY tags == 'x'",
            "ANY tags.@unionOfObjects.rank > 1", "ANY {1, a} == 2", "ANY a UNION b == 1",
            "max(a, b) == 1", "sum:({1, 2}) == 3", "now() > day", "random() < 2",
            "FUNCTION(a, \"lowercaseString\") == 'x'",
        ])
    func allowed(_ text: String) throws {
        let tree = try Predicate(format: text)
        #expect(try Predicate(format: tree.predicateFormat) == tree)
    }

    @Test func templates_refuse_other_arguments() throws {
        let list = Argument.operand(.list([.value(.integer64(1)), .value(.integer64(2))]))
        for format in ["a IN %@", "a BETWEEN %@"] {
            let template = try #require(PredicateTemplate(format: format, arguments: [list]))
            #expect(template.predicate([list]) != nil)
            #expect(template.predicate([.operand(.value(.integer64(3)))]) == nil)
        }
    }

    /// The sum of one property has no meaning, and `ANY` of one value says nothing; nil stands for
    /// no members.
    @Test func one_value_is_no_collection() throws {
        let subject = TestSubject(["one": .value(.integer64(3)), "empty": .value(.null)])
        for format in ["sum:(one) == 3", "max:(one) == 3"] {
            let error = try #require(throws: PredicateEvaluationError.self, "\(format)") {
                try Predicate(format: format).evaluate(with: subject)
            }
            #expect(error.code == .typeMismatch)
            #expect(error.message.contains("needs a collection, and one is a value of type"))
        }
        #expect(try Predicate(format: "ANY one == 3").evaluate(with: subject))
        #expect(try !Predicate(format: "ALL one == 4").evaluate(with: subject))
        #expect(try !Predicate(format: "NONE one IN {3, 4}").evaluate(with: subject))
        #expect(try !Predicate(format: "ANY empty == 3").evaluate(with: subject))
        #expect(try Predicate(format: "ALL empty == 3").evaluate(with: subject))
        #expect(try Predicate(format: "sum:(empty) == 0").evaluate(with: subject))
        #expect(try Predicate(format: "sum:(one * 2) == 6").evaluate(with: subject))
    }

    @Test func numbers_may_begin_with_a_point_and_end_at_a_word() throws {
        for (format, text) in [
            ("a == .5", "a == 0.5"), ("a == -.25e1", "a == -2.5"),
            ("a IN {.5,.75}", "a IN {0.5, 0.75}"),
            ("a>5and b<6or c==1", "(a > 5 AND b < 6) OR c == 1"), ("5in{a,1}", "5 IN {a, 1}"),
            ("a[0].b == 1", "a[0].b == 1"),
        ] {
            #expect(try Predicate(format: format).predicateFormat == text)
        }
    }
}
