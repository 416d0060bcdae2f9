// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

struct SyntaxErrorTests {
    typealias Code = PredicateSyntaxError.Code

    static let errors: [(String, Code, Int, String)] = [
        ("", .unexpectedText, 0, "an expression"),
        ("name", .unexpectedText, 4, "a comparison operator"),
        ("name ==", .unexpectedText, 7, "an expression"),
        ("name == 1 1", .unexpectedText, 10, "AND, OR or the end"),
        ("name == 1 == 2", .unexpectedText, 10, "AND, OR or the end"),
        ("é == 'ü' x", .unexpectedText, 9, "AND, OR or the end"),
        ("a == 1 AND", .unexpectedText, 10, "an expression"),
        ("a == 1 AND b", .unexpectedText, 12, "a comparison operator"),
        ("a OR b == 1", .unexpectedText, 2, "a comparison operator"),
        ("NOT a", .unexpectedText, 5, "a comparison operator"),
        (
            "a NOT IN {1}", .unexpectedText, 2,
            "a comparison operator; NOT stands before the whole comparison"
        ),
        ("(a == 1", .unexpectedText, 7, "“)”"),
        ("a == 1)", .unexpectedText, 6, "AND, OR or the end"),
        ("a IN {1, 2", .unexpectedText, 10, "“}”"),
        ("a IN {1,}", .unexpectedText, 8, "an expression"),
        ("a IN {1, b == 2}", .unexpectedText, 9, "an expression"),
        ("a[0 == 1", .unexpectedText, 2, "an expression"),
        ("(a == 1) + 1 == 2", .unexpectedText, 9, "AND, OR or the end"),
        ("1 + (a == 1) == 2", .unexpectedText, 4, "an expression"),
        ("a == (b == 1)", .unexpectedText, 5, "an expression"),
        ("ANY (a == 1)", .unexpectedText, 4, "a comparison after ANY, ALL or NONE"),
        ("ANY a", .unexpectedText, 5, "a comparison operator"),
        ("a == in", .unexpectedText, 5, "an expression; a key of this name is written #IN"),
        ("a. == 1", .unexpectedText, 3, "the name of a key"),
        ("a.1 == 1", .unexpectedText, 2, "the name of a key"),
        ("a ==[x] 1", .unexpectedText, 5, "options of the letters c, d, n and l"),
        ("a ==[] 1", .unexpectedText, 5, "options of the letters c, d, n and l"),
        ("a ==[c 1", .unexpectedText, 7, "“]”"),
        ("$ == 1", .unexpectedText, 1, "a name after $"),
        ("a.@ == 1", .unexpectedText, 3, "a name after @"),
        ("# == 1", .unexpectedText, 1, "a name after #"),
        ("a: == 1", .unexpectedText, 3, "“(” after the function a:"),
        ("sum(a == 1", .unexpectedText, 4, "an expression"),
        ("sum(a", .unexpectedText, 5, "“)”"),
        ("CAST(a) == 1", .unexpectedText, 6, "“,”"),
        ("SUBQUERY(a, b, c == 1)", .unexpectedText, 12, "a variable such as $item"),
        ("SUBQUERY(a, $b, c)", .unexpectedText, 17, "a comparison operator"),
        ("TERNARY(a, b, c) == 1", .unexpectedText, 9, "a comparison operator"),
        ("FUNCTION(a) == 1", .unexpectedText, 0, "FUNCTION(target, \"selector:\", …)"),
        ("FETCH(a, b, NO) == 1", .unexpectedText, 6, "%@ for a fetch request"),
        ("FETCH(%@, b, NO) == 1", .argumentType, 6, "a fetch request as argument 1"),
        ("type UTI-CONFORMS-TO 'a'", .unsupported, 5, "== or IN, of the names of types"),
        ("$a := 1", .unexpectedText, 7, "a comparison operator"),
        ("$a := b == 1) == 2", .unexpectedText, 12, "AND, OR or the end"),
        ("($a := (b == 1)) == 2", .unexpectedText, 7, "an expression"),
        ("a := 1", .unexpectedText, 2, "a comparison operator"),
        ("($a := 1 $b) == 1", .unexpectedText, 9, "“)”"),
        ("a == 'b", .unterminatedString, 5, "a closing '"),
        ("a == \"b\\", .invalidEscape, 7, "an escape such as \\n or \\\""),
        ("a == '\\q'", .invalidEscape, 6, "an escape such as \\n or \\\""),
        ("a == '\\ud800'", .invalidEscape, 6, "the code of a character"),
        ("a == '\\x'", .invalidEscape, 6, "the code of a character"),
        ("a == ?", .unknownCharacter, 5, "a known character"),
        ("a ; b", .unknownCharacter, 2, "a known character"),
        ("a & b", .unexpectedText, 5, "a comparison operator"),
        ("“a” == 1", .unknownCharacter, 0, "a known character"),
        ("a == 1x", .invalidNumber, 5, "a number"),
        ("a == 0x", .invalidNumber, 5, "a number"),
        ("a == 1e999", .invalidNumber, 5, "a number that fits 64 bits"),
        ("a == 0x1FFFFFFFFFFFFFFFF", .invalidNumber, 5, "a number that fits 64 bits"),
        ("a == 1.5x", .invalidNumber, 5, "a number"),
        ("a == .", .unexpectedText, 5, "an expression"),
        ("a .5 == 1", .unexpectedText, 2, "a comparison operator"),
        ("a == %q", .unknownConversion, 5, "a conversion such as %@, %K or %d"),
        ("a == %%", .unknownConversion, 5, "a conversion such as %@, %K or %d"),
        ("a == %", .unknownConversion, 5, "a conversion such as %@, %K or %d"),
        ("a == %@", .tooFewArguments, 5, "an argument for each conversion"),
    ]

    @Test(arguments: errors)
    func message(_ text: String, _ code: Code, _ offset: Int, _ expected: String) throws {
        let error = try #require(throws: PredicateSyntaxError.self) { try Predicate(format: text) }
        #expect(error.code == code)
        #expect(error.offset == offset)
        #expect(error.expected == expected)
        #expect(error.format == text)
        #expect(error.description.contains("at offset \(offset) of the predicate format:\n  "))
    }

    @Test func wholeMessage() throws {
        let error = try #require(throws: PredicateSyntaxError.self) {
            try Predicate(format: "age = 3 AND nme")
        }
        #expect(
            error.description
                == """
                expected a comparison operator but found the end at offset 15 of the predicate \
                format:
                  age = 3 AND nme
                                 ^
                """)
    }

    static let arguments: [(String, [Argument], Code, Int, String)] = [
        ("a == 1", [.keyPath("b")], .tooManyArguments, 6, "1"),
        ("a == %@ AND b == %@", [.keyPath("b")], .argumentType, 5, "the key path “b”"),
        (
            "a == %d", [.operand(.value(.string("secret")))], .argumentType, 5,
            "a value of type string"
        ),
        ("a == %d", [.operand(.value(.double(1.5)))], .argumentType, 5, "a value of type double"),
        ("a == %d", [.operand(.value(.null))], .argumentType, 5, "nil"),
        ("a == %f", [.operand(.list([]))], .argumentType, 5, "a list"),
        (
            "a == %s", [.operand(.value(.integer64(1)))], .argumentType, 5,
            "a value of type integer64"
        ),
        ("%K == 1", [.keyPath("a..b")], .argumentType, 0, "the key path “a..b”"),
        ("%K == 1", [.keyPath("")], .argumentType, 0, "the key path “”"),
        ("a.%K == 1", [.expression(.variable("x"))], .unexpectedText, 2, "“%K”"),
        ("%s == 1", [.expression(.variable("x"))], .argumentType, 0, "an expression"),
    ]

    @Test(arguments: arguments)
    func argument(
        _ text: String, _ arguments: [Argument], _ code: Code, _ offset: Int, _ found: String
    ) throws {
        let error = try #require(throws: PredicateSyntaxError.self) {
            try Predicate(format: text, arguments: arguments)
        }
        #expect(error.code == code)
        #expect(error.offset == offset)
        #expect(error.found == found)
    }

    @Test func longFormatsAreQuotedAroundThePlace() throws {
        let list = String(repeating: "a == 1 OR ", count: 100)
        let error = try #require(throws: PredicateSyntaxError.self) {
            try Predicate(format: list + "b ? 2 OR " + list + "c == 3")
        }
        #expect(error.offset > 900)
        let lines = error.description.split(separator: "\n")
        try #require(lines.count == 3)
        let (quoted, caret) = (lines[1].dropFirst(2), lines[2].dropFirst(2))
        #expect(quoted.dropFirst(caret.count - 1).hasPrefix("? 2 OR"))
        #expect(caret == String(repeating: " ", count: 61) + "^")
        #expect(quoted.hasPrefix("…"))
        #expect(quoted.hasSuffix("…"))
        #expect(quoted.contains("b ? 2"))
        #expect(quoted.count == 122)
    }

    /// The caret stands under its character where those before it are wide, and in one line.
    @Test(arguments: [
        ("a == '日本' AND\tb ?? 1", "a == '日本' AND b ?? 1", "      \u{3000}\u{3000}        ^"),
        ("e\u{301} =\n= 👍🏽", "e\u{301} = = 👍🏽", "    ^"), ("", "", "^"),
    ])
    func carets(format: String, line: String, caret: String) throws {
        let error = try #require(throws: PredicateSyntaxError.self) {
            try Predicate(format: format)
        }
        let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.dropFirst().map { String($0.dropFirst(2)) } == [line, caret])
    }

    @Test func expressionsRefusePredicates() throws {
        let first = try #require(throws: PredicateSyntaxError.self) {
            try Expression(format: "a == 1")
        }
        #expect(first.offset == 0)
        #expect(first.expected == "an expression")
        let second = try #require(throws: PredicateSyntaxError.self) {
            try Expression(format: "a b")
        }
        #expect(second.offset == 2)
    }
}
