// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

@testable import Predicates

/// Formats that are read once and used with other arguments.
@Suite struct TemplateTests {
    private static let operands: [Argument] = [
        .operand(.value(.integer64(5))), .operand(.value(.string("a.b"))), .operand(.value(.null)),
        .operand(.value(.double(-1.5))), .operand(.list([.value(.integer64(1)), .value(.null)])),
        .operand(.value(.boolean(true))), .expression(.keyPath(["year"])),
        .expression(.variable("later")), .standIn(variable: "%0", summary: "an object"),
        .keyPath("other.key"), .unusable("a dictionary"),
    ]

    private static let formats = [
        "a == %@", "a.b.c BEGINSWITH[cd] %@", "%@ != a", "a == %d", "a < %f", "a == %s", "a == %c",
        "%K == %@", "ANY %K.name IN %@", "a BETWEEN {%@, %@}", "a IN {1, %@, 'x'}",
        "NOT (a == %@ OR b > %d) AND NOT c LIKE %@", "a == %@ AND a == '%@'", "%@ == %@",
        "a IN {%@, b}", "a == 3", "TRUEPREDICATE", "a == $name AND b == %@", "NONE a.b == %@",
        "a == {%@, {%@}}",
    ]

    private func read(_ format: String, _ arguments: [Argument]) -> Result<Predicate, any Error> {
        Result { try Predicate(format: format, arguments: arguments) }
    }

    /// As many arguments as a format wants, counted in another way than templates do.
    private func count(_ format: String) -> Int {
        format.replacing("'%@'", with: "").count { $0 == "%" }
    }

    @Test(arguments: formats)
    func a_template_gives_what_reading_gives(format: String) throws {
        let count = count(format)
        let all = Self.operands
        func choice(_ seed: Int) -> [Argument] {
            (0..<count).map { all[(seed / [1, 11, 121][min($0, 2)]) % all.count] }
        }
        let choices = (0..<(count == 0 ? 1 : count == 1 ? 11 : 121)).map(choice)
        var made = 0
        for first in choices {
            guard let template = PredicateTemplate(format: format, arguments: first) else {
                continue
            }
            made += 1
            for arguments in choices {
                guard let filled = template.predicate(arguments) else { continue }
                let read = try Predicate(format: format, arguments: arguments)
                #expect(filled == read, "\(format) with \(arguments) after \(first)")
            }
            // What it was made with, it takes again, if that can be read at all.
            if case .success(let read) = read(format, first) {
                #expect(template.predicate(first) == read, "\(format) with \(first)")
            } else {
                #expect(template.predicate(first) == nil, "\(format) with \(first)")
            }
        }
        #expect(made > 0, "\(format) has no template")
    }

    /// Where the tree depends on what an argument is, or the text is no predicate.
    @Test(arguments: [
        "a == -%@", "a == %@ + 1", "a == max(%@, 1)", "a == CAST(%@, 'NSDate')",
        "FUNCTION(a, %@) == 1", "SUBQUERY(a, $x, $x.b == %@).@count > 0", "a[%@] == 1",
        "%@.b == 1", "TERNARY(a == %@, 1, 2) == 1", "a == %@ AND", "a == 'open", "a %@ b",
    ])
    func other_formats_have_none(format: String) {
        let five = Argument.operand(.value(.integer64(5)))
        #expect(PredicateTemplate(format: format, arguments: [five]) == nil)
        #expect(PredicateTemplate(format: "a == %@", arguments: []) == nil)
        #expect(PredicateTemplate(format: "a == %@", arguments: [five, five]) == nil)
    }

    @Test func key_paths_are_told_by_their_bytes() throws {
        let composed: [Argument] = [.operand(.value(.string("caf\u{E9}")))]
        let decomposed: [Argument] = [.operand(.value(.string("cafe\u{301}")))]
        let template = try #require(PredicateTemplate(format: "%K == 1", arguments: composed))
        #expect(template.predicate(composed) != nil)
        #expect(template.predicate(decomposed) == nil)
    }
}
