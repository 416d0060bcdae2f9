// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// One condition in many forms gives one answer: by an index or without, on saved objects, unsaved
/// ones and those of a parent, and in memory.
@Suite struct ConstantFormTests {
    private enum Colour: String { case red = "a" }
    private enum Level: Int { case high = 70_000 }

    static let types: [(name: String, type: NSAttributeType)] = [
        ("i16", .integer16AttributeType), ("i32", .integer32AttributeType),
        ("i64", .integer64AttributeType), ("flag", .booleanAttributeType),
        ("double", .doubleAttributeType), ("float", .floatAttributeType),
        ("decimal", .decimalAttributeType), ("text", .stringAttributeType),
        ("uuid", .UUIDAttributeType), ("date", .dateAttributeType), ("uri", .URIAttributeType),
    ]

    private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private static let long = String(repeating: "\u{E9}", count: 300)
    private static let start = Date(timeIntervalSinceReferenceDate: 0)

    /// What objects have: each one value, of the attribute that is named, or none at all.
    private static var stored: [(name: String, value: Any?)] {
        let texts = [
            "a", "b", "1", "70000", "caf\u{E9}", "cafe\u{301}", "", "a\0", "a\0b", "\0", long,
            long + "x", long + "y", uuid.uuidString, uuid.uuidString.lowercased(), "true", "A",
            "\u{212B}", "\u{C5}", String(repeating: "z", count: 508),
            String(repeating: "z", count: 509), String(repeating: "z", count: 511),
        ]
        var stored: [(String, Any?)] = texts.map { ("text", $0) }
        stored += [-1, 0, 1, 32_767, -32_768].map { ("i16", $0) }
        stored += [-1, 0, 1, 70_000, Int(Int32.max), Int(Int32.min)].map { ("i32", $0) }
        stored += [0, 1, 70_000, Int.max, Int.min, 1 << 53, 1 << 53 + 1].map { ("i64", $0) }
        stored += [("flag", true), ("flag", false)]
        for number in [0, -0.0, 1, 1.5, 0.1, .infinity, .nan] as [Double] {
            stored += [("double", number), ("float", Float(number))]
        }
        stored += [0, 1, 1.5].map { ("decimal", Decimal($0)) }
        stored += [uuid, UUID(uuidString: "00000000-0000-0000-0000-000000000009")].map {
            ("uuid", $0)
        }
        stored += [("date", start), ("date", start.addingTimeInterval(1))]
        return stored + [("uri", URL(string: "http://a/b")), ("text", nil)]
    }

    private static var constants: [Any?] {
        let numbers: [Any?] = [
            0, 1, 70_000, Int.max, Int.min, 1 << 53 + 1, Int16(1), Int32(70_000), UInt64.max, true,
            1.0, 1.5, 0.1, -0.0, Double.nan, Double.infinity, Float(0.1), Decimal(1),
            NSNumber(value: 1), NSNumber(value: true), NSNumber(value: 1.5), Level.high,
        ]
        let texts: [Any?] = [
            "a", "1", "true", "caf\u{E9}", "cafe\u{301}", "\u{212B}", "", "a\0", long + "x",
            long + "z", String(repeating: "z", count: 508), String(repeating: "z", count: 511),
            NSString(string: "a"), "xa".dropFirst(), Character("a"), Colour.red,
            Optional("a") as Any, AnyHashable("a"), uuid.uuidString.lowercased(),
        ]
        let others: [Any?] = [
            nil, NSNull(), Optional<String>.none as Any, uuid, uuid as NSUUID, start,
            start as NSDate, Date(timeIntervalSinceReferenceDate: .nan), URL(string: "http://a/b"),
            "http://a/b",
            "2001-01-01T00:00:00Z",
        ]
        return numbers + texts + others
    }

    private static let entities = ["Plain", "Indexed", "Twice"]

    /// Entities without indexes, with one for each attribute, and with several.
    private func makeModel() -> NSManagedObjectModel {
        let entities = Self.entities.map { name in
            Build.entity(
                name,
                Self.types.map { Build.attribute($0.name, $0.type) }
                    + [Build.attribute("place", .integer64AttributeType)])
        }
        for (name, _) in Self.types {
            Build.index(entities[1], name)
            Build.index(entities[2], "place", name)
            Build.index(entities[2], name, "place")
            Build.index(entities[2], name)
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private func fill(_ context: NSManagedObjectContext, _ entities: [String]) {
        for entity in entities {
            for (place, (name, value)) in Self.stored.enumerated() {
                context.make(entity, ["place": place]).setValue(value, forKey: name)
            }
        }
    }

    private func predicates(_ key: String, _ constant: Any?) -> [NSPredicate] {
        let other = constant as Any
        return [
            NSPredicate(format: "%K == %@", argumentArray: [key, other]),
            NSPredicate(format: "%@ == %K", argumentArray: [other, key]),
            NSPredicate(format: "%K == %@", argumentArray: ["SELF.\(key)", other]),
            NSPredicate(format: "%K IN %@", argumentArray: [key, [other]]),
            NSPredicate(format: "NOT (%K != %@)", argumentArray: [key, other]),
            NSPredicate(format: "%K == %@ AND place >= 0", argumentArray: [key, other]),
            NSPredicate(format: "%K == $x", argumentArray: [key])
                .withSubstitutionVariables(["x": other]),
        ]
    }

    /// The places of the objects that are found, or that the condition is an error.
    private func answer(_ body: () throws -> [NSManagedObject]) -> [Int] {
        do {
            return try body().map { $0.value(forKey: "place") as? Int ?? -2 }.sorted()
        } catch {
            return [-1]
        }
    }

    @Test(arguments: types.map(\.name)) func every_form_gives_one_answer(key: String) throws {
        let (saved, unsaved) = (try Stack(makeModel()), try Stack(makeModel()))
        fill(saved.context, Self.entities)
        try saved.context.save()
        fill(unsaved.context, ["Plain", "Indexed"])
        let child = Stack.child(of: unsaved.context)
        let objects = try unsaved.context.all("Plain")
        for constant in Self.constants {
            var answers: [[Int]: String] = [:]
            for (form, predicate) in predicates(key, constant).enumerated() {
                for entity in Self.entities {
                    let inStore = answer { try saved.context.all(entity, predicate) }
                    answers[inStore] = "\(entity), saved, form \(form)"
                }
                let pending = answer { try unsaved.context.all("Indexed", predicate) }
                let below = answer {
                    try child.performAndWait { try child.all("Indexed", predicate) }
                }
                answers[pending] = "unsaved, form \(form)"
                answers[below] = "from a child, form \(form)"
                guard answers[[-1]] == nil else { continue }
                answers[answer { objects.filter { predicate.evaluate(with: $0) } }] = "in memory"
            }
            #expect(answers.count == 1, "\(key) and \(constant ?? "nil"): \(answers)")
        }
    }

    @Test func texts_equal_those_of_the_same_bytes() throws {
        let stack = try Stack(makeModel())
        fill(stack.context, ["Indexed"])
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            for (text, place) in [
                ("caf\u{E9}", 4), ("cafe\u{301}", 5), ("a\0", 7), (Self.long + "x", 11),
                ("\u{212B}", 17),
            ] {
                let predicate = NSPredicate(format: "text == %@", text)
                #expect(answer { try stack.context.all("Indexed", predicate) } == [place])
            }
        }
    }
}
