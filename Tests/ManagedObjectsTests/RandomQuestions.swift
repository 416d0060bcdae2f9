// SPDX-License-Identifier: Apache-2.0

import Foundation
import _TestSupport

/// A condition on an item in the format language and in SQL, which says the same of missing values
/// there: a comparison with one is false, but for `!=`.
///
/// Items have `m` (a short integer), `n` (a long one), `x` (a double), `t` (a text), `d` (a date),
/// `f` (a flag), `parent` (an item) and its inverse `children`.
struct RandomQuestion {
    var format: String
    var arguments: [Any] = []
    var sql: String
    var parameters: [SQLite.Value] = []

    /// Several conditions as one.
    static func joined(_ members: [RandomQuestion], by word: String) -> RandomQuestion {
        RandomQuestion(
            format: members.map { "(\($0.format))" }.joined(separator: " \(word) "),
            arguments: members.flatMap(\.arguments),
            sql: members.map { "(\($0.sql))" }.joined(separator: " \(word) "),
            parameters: members.flatMap(\.parameters))
    }

    var negated: RandomQuestion {
        RandomQuestion(
            format: "NOT (\(format))", arguments: arguments, sql: "NOT (\(sql))",
            parameters: parameters)
    }

    var predicate: NSPredicate { NSPredicate(format: format, argumentArray: arguments) }
}

/// Items and questions of a seed.
struct RandomQuestions {
    private var random: SplitMix64

    init(_ seed: UInt64) { random = SplitMix64(state: seed) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.below(elements.count)]
    }

    mutating func below(_ bound: Int) -> Int { random.below(bound) }

    static let columns = ["m", "n", "x", "t", "d", "f"]

    // Beyond what doubles tell apart, and beyond what keys of indexes hold.
    private static let long: [Int64] = [
        .min, .min + 1, -9_007_199_254_740_993, -1, 0, 1, 9_007_199_254_740_993, .max - 1, .max,
    ]
    private static let reals: [Double] = [
        -.infinity, -1e6, -2.5, -0.0, 0, 0.5, 1, 1.5, 3, 9_007_199_254_740_992, .infinity,
    ]
    private static let texts = [
        "", "a", "A", "ab", "aB", "abc", "b", "Bad", "bad", "a*c", "日本", "日本語", "zebra crossing",
        String(repeating: "long ", count: 120) + "a", String(repeating: "long ", count: 120) + "b",
    ]
    /// Before 1970 and after, in seconds since 2001.
    private static let dates: [Double] = [
        -6_000_000_000, -978_307_200.5, -978_307_200, -1, 0, 0.25, 86_400,
    ]

    /// The value of an item's attribute; nil where it has none.
    mutating func value(_ key: String) -> SQLite.Value {
        random.below(5) == 0 ? .null : constant(key)
    }

    private mutating func constant(_ key: String) -> SQLite.Value {
        switch key {
        case "m": .integer(Int64(random.below(7)) - 3)
        case "n": .integer(pick(Self.long))
        case "x": .real(pick(Self.reals))
        case "t": .text(pick(Self.texts))
        case "d": .real(pick(Self.dates))
        default: .integer(Int64(random.below(2)))
        }
    }

    /// A value as the library takes it.
    static func object(_ value: SQLite.Value, of key: String) -> Any? {
        switch value {
        case .null: nil
        case .integer(let number): key == "f" ? number == 1 : number
        case .real(let number):
            key == "d" ? Date(timeIntervalSinceReferenceDate: number) : number
        case .text(let text): text
        }
    }
}

extension RandomQuestions {
    mutating func question(depth: Int = 0) -> RandomQuestion {
        guard depth < 3, random.below(10) < 4 else { return leaf() }
        let members = (0...random.below(3)).map { _ in question(depth: depth + 1) }
        switch random.below(3) {
        case 0: return members[0].negated
        case 1: return .joined(members, by: "AND")
        default: return .joined(members, by: "OR")
        }
    }

    private mutating func leaf() -> RandomQuestion {
        switch random.below(10) {
        case 0, 1, 2: return comparison("", "item")
        case 3: return list()
        case 4: return between()
        case 5, 6: return text()
        case 7: return parent()
        case 8: return children()
        default: return sum()
        }
    }

    /// `key relation constant` of an attribute.
    private mutating func comparison(_ path: String, _ table: String) -> RandomQuestion {
        let key = pick(Self.columns)
        let (left, column) = ("\(path)\(key)", "\(table).\(key)")
        if random.below(8) == 0 {
            return RandomQuestion(format: "\(left) == nil", sql: "\(column) IS NULL")
        }
        let relation = pick(
            key == "f" ? ["==", "!="] : ["==", "==", "!=", "<", "<=", ">", ">="])
        let value = constant(key)
        return RandomQuestion(
            format: "\(left) \(relation) %@",
            arguments: [Self.object(value, of: key) ?? NSNull()],
            sql: Self.total("\(column)", relation), parameters: [value])
    }

    /// A comparison that is false for a missing value, and true with `!=`.
    private static func total(_ column: String, _ relation: String) -> String {
        switch relation {
        case "==": "\(column) IS ?"
        case "!=": "\(column) IS NOT ?"
        default: "coalesce(\(column) \(relation) ?, 0)"
        }
    }

    private mutating func list() -> RandomQuestion {
        let key = pick(["m", "n", "x", "t", "d"])
        let values = (0..<random.below(4)).map { _ in constant(key) }
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        return RandomQuestion(
            format: "\(key) IN %@", arguments: [values.compactMap { Self.object($0, of: key) }],
            sql: "coalesce(item.\(key) IN (\(marks)), 0)", parameters: values)
    }

    private mutating func between() -> RandomQuestion {
        let key = pick(["m", "n", "x", "t", "d"])
        let bounds = [constant(key), constant(key)]
        return RandomQuestion(
            format: "\(key) BETWEEN {%@, %@}",
            arguments: bounds.compactMap { Self.object($0, of: key) },
            sql: "coalesce(item.\(key) BETWEEN ? AND ?, 0)", parameters: bounds)
    }

    private mutating func text() -> RandomQuestion {
        let part = pick(Self.texts + ["a*", "*b*", "?", "b?d", "zeb"])
        let count = part.unicodeScalars.count
        let folds = random.below(3) == 0
        let column = folds ? "lower(item.t)" : "item.t"
        let wanted = folds ? "lower(?)" : "?"
        let (relation, sql): (String, String) =
            switch random.below(5) {
            case 0: ("BEGINSWITH", "substr(\(column), 1, \(count)) = \(wanted)")
            case 1:
                ("ENDSWITH", count == 0 ? "? = ''" : "substr(\(column), -\(count)) = \(wanted)")
            case 2: ("CONTAINS", "instr(\(column), \(wanted)) > 0")
            case 3: ("LIKE", "\(column) GLOB \(wanted)")
            default: ("==", "\(column) = \(wanted)")
            }
        return RandomQuestion(
            format: "t \(relation)\(folds ? "[c]" : "") %@", arguments: [part],
            sql: "(item.t IS NOT NULL AND coalesce(\(sql), 0))", parameters: [.text(part)])
    }

    /// Of the parent; nil without one.
    private mutating func parent() -> RandomQuestion {
        if random.below(6) == 0 {
            return RandomQuestion(format: "parent == nil", sql: "item.parent IS NULL")
        }
        let key = pick(["m", "t"])
        let relation = pick(["==", "!=", "<", ">="])
        let value = constant(key)
        return RandomQuestion(
            format: "parent.\(key) \(relation) %@",
            arguments: [Self.object(value, of: key) ?? NSNull()],
            sql: Self.total(
                "(SELECT p.\(key) FROM item p WHERE p.number = item.parent)", relation),
            parameters: [value])
    }

    /// Of the children: some, none, their number, their sum.
    private mutating func children() -> RandomQuestion {
        let value = constant("m")
        let argument = Self.object(value, of: "m") ?? NSNull()
        let relation = pick(["==", "!=", "<", ">="])
        let of = "FROM item c WHERE c.parent = item.number"
        let (format, sql): (String, String) =
            switch random.below(5) {
            case 0:
                (
                    "ANY children.m \(relation) %@",
                    "EXISTS (SELECT 1 \(of) AND \(Self.total("c.m", relation)))"
                )
            case 1:
                (
                    "NONE children.m \(relation) %@",
                    "NOT EXISTS (SELECT 1 \(of) AND \(Self.total("c.m", relation)))"
                )
            case 2:
                (
                    "children.@count \(relation) %@",
                    Self.total("(SELECT count(*) \(of))", relation)
                )
            case 3:
                (
                    "children.@sum.m \(relation) %@",
                    Self.total("(SELECT coalesce(sum(c.m), 0) \(of))", relation)
                )
            default:
                (
                    "SUBQUERY(children, $c, $c.m \(relation) %@ AND $c.f == YES).@count > 1",
                    "(SELECT count(*) \(of) AND \(Self.total("c.m", relation)) AND c.f IS 1) > 1"
                )
            }
        return RandomQuestion(format: format, arguments: [argument], sql: sql, parameters: [value])
    }

    /// Arithmetic of numbers that stay exact.
    private mutating func sum() -> RandomQuestion {
        let relation = pick(["==", "!=", "<", ">="])
        let values: [SQLite.Value] = [constant("m"), constant("m")]
        return RandomQuestion(
            format: "m * 2 + %@ \(relation) %@",
            arguments: values.compactMap { Self.object($0, of: "m") },
            sql: Self.total("(item.m * 2 + ?)", relation), parameters: values)
    }
}
