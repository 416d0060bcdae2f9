// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// One table of predicates, asked of objects, of dictionaries with the same values, and by fetches.
@Suite struct SameAnswerTests {
    private static func model() -> NSManagedObjectModel {
        let thing = Build.entity(
            "Thing",
            [
                Build.attribute("name"), Build.attribute("text"),
                Build.attribute("number", .integer32AttributeType),
                Build.attribute("ratio", .doubleAttributeType),
            ])
        let part = Build.entity(
            "Part",
            [Build.attribute("label"), Build.attribute("weight", .integer64AttributeType)])
        let owner = Build.relationship("thing", of: part, to: thing, max: 1)
        Build.inverse(Build.relationship("parts", of: thing, to: part, max: 0), owner)
        return Build.model(thing, part)
    }

    private typealias Row = (
        name: String, text: String?, number: Int?, ratio: Double?,
        parts: [(label: String?, weight: Int?)]
    )

    private static let rows: [Row] = [
        ("a", "Straße", 1, 0.5, [("x", 1), ("y", 2)]),
        ("b", "STRASSE", 2, nil, []),
        ("c", "İstanbul", nil, 2, [("ß", 3)]),
        ("d", "istanbul", -7, -0.0, [("x", nil)]),
        ("e", "e\u{301}cole", 40, 0.1, []),
        ("f", "\u{E9}cole", 41, 0.3, []),
        ("g", "日本語", 5, nil, []),
        ("h", "👩‍👩‍👧 ok", 6, nil, []),
        ("i", nil, nil, nil, [(nil, nil)]),
        ("j", "", 0, 0, []),
        ("k", #"a*b?c\d"#, 8, 1e300, [("z", 10), ("z", 20)]),
        ("l", String(repeating: "a", count: 5_000) + "b", 9, nil, []),
    ]

    private static func dictionary(_ row: Row) -> [String: Any] {
        var table: [String: Any] = ["name": row.name]
        table["text"] = row.text
        table["number"] = row.number
        table["ratio"] = row.ratio
        table["parts"] = row.parts.map { part in
            var inner: [String: Any] = [:]
            inner["label"] = part.label
            inner["weight"] = part.weight
            return inner
        }
        return table
    }

    /// Formats and the names of the rows that satisfy them.
    static let table: [(String, String)] = [
        // Texts are compared by their scalars, unless an option says otherwise.
        ("text == 'Straße'", "a"), ("text ==[c] 'STRASSE'", "ab"), ("text ==[c] 'straße'", "ab"),
        ("text == 'e\u{301}cole'", "e"), ("text == '\u{E9}cole'", "f"),
        ("text ==[c] 'É\u{63}OLE'", "ef"), ("text ==[d] 'ecole'", "ef"),
        ("text ==[cd] 'ECOLE'", "ef"), ("text ==[d] 'istanbul'", "d"),
        ("text ==[cd] 'ISTANBUL'", "cd"), ("text BEGINSWITH '日'", "g"),
        ("text ENDSWITH '語'", "g"), ("text CONTAINS '本'", "g"), ("text BEGINSWITH '👩'", "h"),
        ("text CONTAINS '👧'", "h"), ("text CONTAINS 'ß'", "a"), ("text CONTAINS[c] 'SS'", "ab"),
        ("text CONTAINS ''", "abcdefghjkl"), ("text BEGINSWITH[cd] 'É'", "ef"),
        ("text == ''", "j"), ("text < 'b'", "abjkl"), ("text > 'z'", "cfgh"),
        ("text IN {'日本語', 'İstanbul', nil}", "cgi"), ("text IN[c] {'strasse'}", "ab"),
        ("'tan' IN text", "cd"), ("text BETWEEN {'a', 'f'}", "ekl"),
        ("text LIKE '日?語'", "g"), ("text LIKE '👩*ok'", "h"), ("text LIKE[c] 'stra*e'", "ab"),
        (#"text LIKE 'a\\*b\\?c*'"#, "k"), ("text LIKE '*'", "abcdefghjkl"),
        ("text LIKE '?????'", "f"), ("text LIKE '??????'", "ae"),
        ("text MATCHES '[0-9]+'", ""), ("text MATCHES '\\\\p{Han}+'", "g"),
        ("text MATCHES[c] 'STRA(ß|SS)E'", "ab"), ("text MATCHES 'a+b'", "l"),
        // No pattern takes long: these would, tried one way after the other.
        ("text LIKE '*a*a*a*a*a*a*a*a*a*c'", ""), ("text LIKE '*a*a*a*a*a*a*a*a*a*b'", "l"),
        ("text.length == 6", "ae"), ("length:(text) == 8", "cd"),
        ("uppercase:(text) == 'ISTANBUL'", "d"), ("text == nil", "i"),
        ("text != nil", "abcdefghjkl"),
        ("text != 'Straße'", "bcdefghijkl"), ("NOT text CONTAINS 'a'", "befghij"),
        // Nil satisfies no order, and differs from every number.
        ("number > -100", "abdefghjkl"), ("number != 5", "abcdefhijkl"), ("number == nil", "ci"),
        ("NOT number > 5", "abcdgij"), ("number BETWEEN {5, 9}", "ghkl"),
        ("number IN {1, 2.0, '5', nil}", "abcgi"), ("number + 1 == 6", "g"),
        ("number * ratio == 0.5", "a"), ("number / 2 == 20", "ef"), ("-number == 7", "d"),
        ("modulus:by:(number, 2) == 1", "afgl"), ("number & 4 != 0", "cghi"),
        ("abs(number) == 7", "d"), ("ratio == 0", "dj"), ("ratio == 0.1", "e"),
        ("ratio + 0.2 == 0.3", ""), ("ratio > 1", "ck"), ("ratio == nil", "bghil"),
        ("number == ratio", "ij"), ("number < ratio", "dk"), ("number == $n", "g"),
        ("TERNARY(number == nil, 'none', text) == 'none'", "ci"),
        ("CAST(number, 'NSString') == '41'", "f"),
        // Collections, also empty ones and those whose members lack the value.
        ("ANY parts.label == 'x'", "ad"), ("ALL parts.label == 'x'", "bdefghjl"),
        ("NONE parts.label == 'x'", "bcefghijkl"), ("ANY parts.label ==[c] 'SS'", "c"),
        ("ANY parts.weight > 1", "ack"), ("ALL parts.weight > 0", "abcefghjkl"),
        ("ANY parts.weight == nil", "di"), ("ANY parts.label IN {'y', 'z'}", "ak"),
        ("'y' IN parts.label", "a"), ("parts.label CONTAINS 'z'", "k"),
        ("parts.@count == 0", "befghjl"), ("parts.@count > 1", "ak"),
        ("parts.@sum.weight == 30", "k"), ("parts.@max.weight == 3", "c"),
        ("parts.@min.weight == nil", "bdefghijl"), ("parts.@avg.weight == 1.5", "a"),
        ("SUBQUERY(parts, $p, $p.label == 'z' AND $p.weight > 10).@count == 1", "k"),
        ("SUBQUERY(parts, $p, $p.weight == nil).@count > 0", "di"),
    ]

    @Test func objects_dictionaries_and_fetches_agree() throws {
        let stack = try Stack(Self.model())
        let objects = Self.rows.map { row in
            let thing = stack.context.make("Thing", ["name": row.name])
            for (key, value) in [
                ("text", row.text as Any?), ("number", row.number), ("ratio", row.ratio),
            ] {
                thing.setValue(value, forKey: key)
            }
            for part in row.parts {
                let object = stack.context.make("Part")
                object.setValue(part.label, forKey: "label")
                object.setValue(part.weight, forKey: "weight")
                object.setValue(thing, forKey: "thing")
            }
            return thing
        }
        let tables = Self.rows.map(Self.dictionary)
        let trees = tables.map { NSDictionary(dictionary: $0) }
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            for (format, wanted) in Self.table {
                let predicate = NSPredicate(format: format)
                    .withSubstitutionVariables(["n": 5])
                func names(_ subjects: [Any]) -> String {
                    zip(Self.rows, subjects).filter { predicate.evaluate(with: $1) }
                        .map(\.0.name).joined()
                }
                #expect(names(objects) == wanted, "\(format), objects")
                let fetched = try stack.context.all("Thing", predicate).map { $0.text("name") }
                #expect(fetched.sorted().joined() == wanted, "\(format), fetched, \(isSaved)")
                // A dictionary does not say of which type its numbers should be.
                if format.contains("'5'") { continue }
                #expect(names(tables) == wanted, "\(format), dictionaries")
                #expect(names(trees) == wanted, "\(format), NSDictionary")
            }
        }
    }

    /// A pattern of nested repetitions ends with an error, or with the program where none can be.
    @Test func endless_patterns_are_given_up() throws {
        let stack = try Stack(Self.model())
        stack.context.make("Thing", ["text": String(repeating: "a", count: 40)])
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            #expect(
                code { _ = try stack.context.names("Thing", "text MATCHES '(a+)+(a+)+b'") }
                    == 134_070)
        }
    }

    private struct Size {
        var width = 3
        var name = "s"
    }

    /// Members that are dictionaries are found by their equality.
    @Test func sets_of_dictionaries_are_told_apart() {
        let (one, two) = (["x": 1], ["x": 2])
        let table: [String: Any] = ["a": [one, two, one], "b": [two], "c": [[String: Int]]()]
        func holds(_ format: String) -> Bool { NSPredicate(format: format).evaluate(with: table) }
        #expect(holds("(a INTERSECT b).@count == 1"))
        #expect(holds("(a MINUS b).@count == 2"))
        #expect(holds("(a MINUS c).@count == 3"))
        #expect(holds("(a UNION b).@count == 2"))
        #expect(holds("ANY (a INTERSECT b).x == 2"))
        #expect(holds("({0.5, 1} INTERSECT {CAST('0.5', 'NSDecimalNumber')}).@count == 1"))
        #expect(holds("({CAST('0.5', 'NSDecimalNumber'), 1} MINUS {0.5, 1.0}).@count == 0"))
        #expect(holds("({0.5, 1} UNION {CAST('0.5', 'NSDecimalNumber'), 2}).@count == 3"))
    }

    private final class Knot {
        let name: String
        var next: Knot?
        var others: [Knot] = []

        init(_ name: String) { self.name = name }
    }

    /// Objects of a class without an equality of its own are the same or not.
    @Test func objects_without_an_equality_are_equal_to_themselves() {
        let (one, two) = (Knot("1"), Knot("2"))
        (one.next, two.next) = (one, one)
        one.others = [one, two]
        let knots = [one, two]
        func names(_ format: String, _ arguments: Any?...) -> [String] {
            let predicate = NSPredicate(format: format, argumentArray: arguments)
            return knots.filter { predicate.evaluate(with: $0) }.map(\.name)
        }
        #expect(names("next == SELF") == ["1"])
        #expect(names("next != SELF") == ["2"])
        #expect(names("SELF IN others") == ["1"])
        #expect(names("ANY others == next") == ["1"])
        #expect(names("SUBQUERY(others, $o, $o == SELF).@count == 1") == ["1"])
        #expect(names("(others MINUS {SELF}).@count == 1") == ["1"])
        #expect(names("(others INTERSECT {next}).@count == 1") == ["1"])
        #expect(names("(others UNION {next}).@count == 2") == ["1"])
        #expect(names("others.@distinctUnionOfObjects.next.@count == 1") == ["1"])
        #expect(names("SELF == %@", two) == ["2"])
        #expect(names("next IN %@", [two, one]) == ["1", "2"])
        #expect(names("SELF IN %@", [two]) == ["2"])
    }

    /// Structures have no keys on Apple's systems; here their stored properties are read.
    @Test func structures_show_their_stored_properties_and_no_others() async throws {
        #expect(NSPredicate(format: "width == 3 AND name BEGINSWITH 's'").evaluate(with: Size()))
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = NSPredicate(format: "height == 3").evaluate(with: Size())
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("of type Size has no stored property height"))
    }
}
