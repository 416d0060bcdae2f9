// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Testing

/// What no value can make right is refused by the plan, so that an empty store answers as a full
/// one does.
@Suite struct OperandTests {
    private let library: TestLibrary

    init() throws { library = try TestLibrary() }

    static let refused: [(String, String)] = [
        ("plays CONTAINS '1'", "CONTAINS needs text or a collection, and plays is of the type "),
        ("album CONTAINS 'x'", "CONTAINS needs text or a collection, and album is an object"),
        ("name CONTAINS plays", "CONTAINS needs text, and plays is of the type integer16"),
        ("ANY tags.tracks.plays CONTAINS 'x'", "CONTAINS needs text or a collection, and tags."),
        ("'x' IN price", "IN needs text or a collection, and price is of the type double"),
        ("plays IN name", "IN needs text, and plays is of the type integer16"),
        ("price BETWEEN plays", "BETWEEN needs a collection, and plays is of the type integer16"),
        ("price <= {1}", "<= needs one value, and {1} is a list"),
        ("name <[c] {}", "< needs one value, and {} is a list"),
        ("{plays, 1} >= price", ">= needs one value, and {plays, 1} is a list"),
        ("SUBQUERY(tags, $t, $t.label > {'a'}).@count == 1", "> needs one value, and {\"a\"} is"),
        ("name BETWEEN {{'a'}, {'b'}}", "BETWEEN needs one value, and {\"a\"} is a list"),
        ("tags.label BETWEEN {'a', 'b'}", "BETWEEN needs one value, and tags.label is a "),
        ("mark LIKE '1*'", "LIKE needs text, and mark is of the type uuid"),
        ("album LIKE 'x'", "LIKE needs text, and album is an object"),
        ("{} LIKE ''", "LIKE needs text, and {} is a list"),
        ("added MATCHES '2.*'", "MATCHES needs text, and added is of the type date"),
        ("length:(name) BEGINSWITH '1'", "BEGINSWITH needs text, and length(name) is of the type "),
        ("uppercase:(plays) == 'X'", "uppercase: needs text, and plays is of the type integer16"),
        ("length:(price) == 1", "length: needs text or data, and price is of the type double"),
        ("floor:(name) == 1", "floor: needs numbers, and name is of the type string"),
        ("price * name == 1", "multiply:by: needs numbers, and name is of the type string"),
        ("added + now() == 1", "add:to: adds seconds to a date, and no date"),
        ("plays - added == 1", "from:subtract: takes a date from a date, not from a number"),
        ("price + mark == 1", "add:to: needs numbers or dates, and mark is of the type uuid"),
        ("average:(tags.label) == 1", "average: needs numbers, and tags.label is of the type "),
        ("name[FIRST] == 'x'", "first: needs a collection, and name is of the type string"),
        ("name[0] == 'x'", "objectFrom:withIndex: needs a collection, and name is of the type "),
        ("CAST(plays, 'Foo') == 1", "CAST cannot make \"Foo\"; it makes NSString, NSNumber, "),
        ("CAST(tags, 'NSString') == 'x'", "castObject:toType: needs one value, and tags is a "),
        ("SUBQUERY(tags, $t, $t.label[SIZE] == 1).@count == 1", "size: needs a collection, and "),
    ]

    @Test(arguments: refused)
    func areRefused(_ format: String, _ message: String) {
        let error = #expect(throws: QueryError.self) { try library.plan("Track", format) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    static let operands = [
        "name", "plays", "length", "serial", "price", "weight", "isLive", "cost", "mark", "link",
        "art", "added", "album", "album.title", "album.year", "tags", "tags.label",
        "tags.tracks.plays", "SELF", "tags.@count", "tags.@max.label", "name.length",
        "length(name)", "uppercase(name)", "plays + 1", "'x'", "'2'", "5", "2.5",
        "{'x'}", "{}", "now()",
    ]

    /// Operands whose types only evaluation knows.
    static let open = [
        "TERNARY(isLive == YES, plays, name)", "{plays, name}[LAST]", "{name, plays}[FIRST]",
        "(TERNARY(isLive == YES, plays, added) + 60)", "{plays, name}[plays - 1]",
    ]

    /// Operators and functions of one operand, `§`, and of two, `§` and `¶`.
    static let ones = [
        "uppercase(§) != 'q'", "length(§) != 77", "floor(§) != 77", "abs(§) != 77", "~§ != 77",
        "§[FIRST] != nil", "§[SIZE] != 77", "§[0] != nil", "CAST(§, 'Nothing') != nil",
        "sqrt(§) != 77", "log(§) != 77", "ln(§) != 77", "exp(§) != 77", "trunc(§) != 77",
        "ceiling(§) != 77", "lowercase(§) != 'q'",
        "canonical(§) != 'q'", "sum({§, §}) != 77", "ANY § LIKE 'q'", "NONE § CONTAINS 'q'",
    ]
    static let twos = [
        "§ CONTAINS ¶", "§ IN ¶", "§ LIKE ¶", "§ BEGINSWITH ¶", "§ + ¶ != nil", "§ - ¶ != nil",
        "§ * ¶ != nil", "§ ** ¶ != nil", "modulus:by:(§, ¶) != nil", "§ & ¶ != nil",
        "§ UNION ¶ != nil", "§ INTERSECT ¶ != nil",
    ]
    /// Operators that ask for an order.
    static let orders = ["§ < ¶", "ALL § >= ¶", "§ BETWEEN {¶, ¶}"]
    /// Operands that an attribute gives their type, or that have no order among themselves.
    static let constants = ["'x'", "'2'", "5", "2.5", "{'x'}", "{}"]

    /// A track that has everything, and knows tags that know it.
    private func fullTrack() -> TestObject {
        let track = library.add(
            "Track",
            [
                "name": .string("x"), "serial": .integer64(1), "added": .date(1),
                "length": .integer32(1), "plays": .integer16(2), "price": .double(1.5),
                "weight": .float(1), "isLive": .boolean(true), "cost": .decimal(DecimalValue(3)),
                "mark": .uuid(UUIDValue(high: 1, low: 2)), "link": .uri("http://x"),
                "art": .binaryData([1]), "note": .string("y"),
            ])
        let album = library.add("Album", ["title": .string("x"), "year": .integer16(3)])
        library.relate(track, "album", album)
        library.relate(track, "tags", library.add("Tag", ["label": .string("x")]))
        return track
    }

    /// Why a plan is refused; nil if it is not.
    private func refusal(_ format: String) -> String? {
        do {
            _ = try library.plan("Track", format)
            return nil
        } catch { return "\(error)" }
    }

    private func fails(_ predicate: Predicate, _ object: TestObject) -> Bool {
        do {
            _ = try predicate.evaluate(with: object)
            return false
        } catch { return true }
    }

    /// Whatever fails for an object that has all values is refused without any object, where the
    /// model tells the types, and what is refused fails; but for members of types that are never
    /// equal, which are no members.
    @Test func plansRefuseWhatFailsForFullObjects() throws {
        let track = fullTrack()
        let other = fullTrack()
        other.values["isLive"] = .boolean(false)
        var compared = 0
        for one in Self.operands + Self.open {
            var formats = Self.ones.map { $0.replacing("§", with: one) }
            for second in Self.operands + Self.open {
                let isOrdered =
                    ![one, second].contains("'2'")
                    && !(Self.constants.contains(one) && Self.constants.contains(second))
                formats += (Self.twos + (isOrdered ? Self.orders : [])).map {
                    $0.replacing("§", with: one).replacing("¶", with: second)
                }
            }
            for format in formats {
                guard let predicate = try? Predicate(format: format) else { continue }
                compared += 1
                let always = fails(predicate, track) && fails(predicate, other)
                if let refusal = refusal(format) {
                    // There is no member to compare.
                    if format.hasPrefix("ALL {}") { continue }
                    if refusal.contains("cannot be compared") { continue }
                    #expect(always, "\(format) is refused: \(refusal)")
                } else if !Self.open.contains(where: format.contains) {
                    #expect(!always, "\(format) passes and fails in evaluation")
                }
            }
        }
        #expect(compared > 13_000)
    }

    /// What a cast to each of the types that a refusal lists makes a value of.
    static let casts = [
        "NSString": "5", "NSNumber": "'5'", "NSDecimalNumber": "5", "NSDate": "5",
        "NSUUID": "mark", "NSURL": "link", "NSData": "art", "boolean": "'1'", "float": "'1.5'",
        "double": "'1.5'", "Transformable": "'00'", "NSManagedObjectID": "SELF",
    ]

    @Test(arguments: FunctionName.castTypes)
    func castsAreKnown(type: String) throws {
        let operand = try #require(Self.casts[type])
        let format = "CAST(\(operand), '\(type)') != nil"
        let predicate = try Predicate(format: format)
        #expect(try predicate.evaluate(with: fullTrack()))
        #expect(refusal(format) == nil)
    }
}
