// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// One attribute of each type, and what constants of all kinds mean for it.
enum TypedLiterals {
    static let types: [(name: String, type: NSAttributeType)] = [
        ("short", .integer16AttributeType), ("whole", .integer64AttributeType),
        ("real", .doubleAttributeType), ("money", .decimalAttributeType),
        ("flag", .booleanAttributeType), ("text", .stringAttributeType),
        ("date", .dateAttributeType), ("mark", .UUIDAttributeType),
        ("bytes", .binaryDataAttributeType),
    ]

    static func model(isIndexed: Bool) -> NSManagedObjectModel {
        let thing = Build.entity(
            "Thing", [Build.attribute("name")] + types.map { Build.attribute($0.name, $0.type) })
        if isIndexed {
            for (name, type) in types where type != .binaryDataAttributeType {
                Build.index(thing, name)
            }
        }
        return Build.model(thing)
    }

    static let marks = [
        UUID(uuidString: "00000000-0000-0000-0000-000000000001"),
        UUID(uuidString: "A0000000-0000-0000-0000-00000000000B"),
    ].compactMap(\.self)

    static let dates = [0, 86_400, 700_000_000].map { Date(timeIntervalSinceReferenceDate: $0) }

    /// The values of the objects, by the names of the attributes.
    static let objects: [(name: String, values: [String: any Sendable])] = [
        ("nothing", [:]),
        (
            "first",
            [
                "short": 5, "whole": 5, "real": 5.0, "money": Decimal(5), "flag": true,
                "text": "5", "date": dates[0], "mark": marks[0], "bytes": Data([1]),
            ]
        ),
        (
            "second",
            [
                "short": -7, "whole": 12, "real": 1.5, "money": Decimal(1.5), "flag": false,
                "text": "abc", "date": dates[1], "mark": marks[1], "bytes": Data([2, 3]),
            ]
        ),
        (
            "third",
            [
                "short": 0, "whole": 1, "real": 0.0, "money": Decimal(0), "flag": true,
                "text": "2001-01-02", "date": dates[2], "mark": marks[0], "bytes": Data(),
            ]
        ),
    ]

    static let literals: [(any Sendable)?] = [
        nil, 5, 12, 0, -7, 1.5, 5.0, Decimal(1.5), true, false, "5", "-7", "1.5", "+12", "5.0",
        "15e-1", " 5", "5 ", "0x5", "", "inf", "abc", "yes", "FALSE", "2001-01-02",
        "2001-01-01T00:00:00Z", "2001-01-02T02:00+02:00", "2001-02-30", dates[0], dates[2],
        marks[0], "a0000000-0000-0000-0000-00000000000b", Data([1]), Data(),
    ]

    /// What is compared: a value of one of these kinds, in place of the library's own.
    enum Meaning: Equatable {
        case null
        case number(Double)
        case text(String)
        case mark(UUID)
        case bytes([UInt8])
    }

    static func meaning(of value: Any?) -> Meaning {
        switch value {
        case nil: .null
        case let number as NSNumber: .number(number.doubleValue)
        case let flag as Bool: .number(flag ? 1 : 0)
        case let number as Int: .number(Double(number))
        case let number as Double: .number(number)
        case let number as Decimal: .number(NSDecimalNumber(decimal: number).doubleValue)
        case let text as String: .text(text)
        case let date as Date: .number(date.timeIntervalSinceReferenceDate)
        case let mark as UUID: .mark(mark)
        case let bytes as Data: .bytes(Array(bytes))
        default: .null
        }
    }

    private static let numerals: [String: Double] = [
        "5": 5, "-7": -7, "1.5": 1.5, "+12": 12, "5.0": 5, "15e-1": 1.5,
    ]
    private static let dateTexts: [String: Double] = [
        "2001-01-02": 86_400, "2001-01-01T00:00:00Z": 0, "2001-01-02T02:00+02:00": 86_400,
    ]

    /// What a literal means for an attribute; `nil` where a comparison of both is refused.
    static func meaning(
        of literal: Any?, for type: NSAttributeType, isOrdered: Bool
    ) -> Meaning? {
        let plain = meaning(of: literal)
        if plain == .null { return plain }
        switch type {
        case .dateAttributeType:
            if literal is Date { return plain }
            return (literal as? String).flatMap { dateTexts[$0] }.map { .number($0) }
        case .stringAttributeType:
            if case .text = plain { return plain }
            guard !isOrdered, let number = literal as? Int, !(literal is Bool) else { return nil }
            return .text(String(number))
        case .UUIDAttributeType:
            if case .mark = plain { return plain }
            return (literal as? String).flatMap { UUID(uuidString: $0) }.map { .mark($0) }
        case .binaryDataAttributeType:
            if case .bytes = plain { return plain }
            return nil
        default:
            if literal is Date { return nil }
            if case .number = plain { return plain }
            guard let text = literal as? String else { return nil }
            if type == .booleanAttributeType, text == "yes" { return .number(1) }
            if type == .booleanAttributeType, text == "FALSE" { return .number(0) }
            return numerals[text].map { .number($0) }
        }
    }

    /// Whether a comparison holds.
    static func holds(_ left: Meaning, _ relation: String, _ right: Meaning) -> Bool {
        switch relation {
        case "==": return left == right
        case "!=": return left != right
        default: break
        }
        let isLess: Bool
        switch (left, right) {
        case (.number(let a), .number(let b)): isLess = a < b
        case (.text(let a), .text(let b)): isLess = a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.mark(let a), .mark(let b)): isLess = a.uuidString < b.uuidString
        case (.bytes(let a), .bytes(let b)): isLess = a.lexicographicallyPrecedes(b)
        default: return false
        }
        switch relation {
        case "<": return isLess
        case "<=": return isLess || left == right
        case ">": return !isLess && left != right
        default: return !isLess
        }
    }
}
