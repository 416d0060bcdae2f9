// SPDX-License-Identifier: Apache-2.0

import Foundation
import _TestSupport

/// A condition with its text and an answer that the library has no part in.
///
/// Objects are dictionaries of `num` (a double), `text`, `flag`, `inner` (a dictionary of `num`
/// and `text`) and `items` (several of such); any key may be missing.
indirect enum RandomCondition {
    case number(path: String, relation: String, Double)
    case sum(path: String, Double, relation: String, Double)
    case text(path: String, relation: String, ignoresCase: Bool, String)
    case length(path: String, relation: String, Double)
    case missing(path: String, isNegated: Bool)
    case list(path: String, [String?])
    case between(path: String, Double, Double)
    case flag(Bool)
    case items(quantifier: String, relation: String, Double)
    case count(relation: String, Double)
    case selected(relation: String, Double, count: Double)
    case total(function: String, relation: String, Double)
    case and([RandomCondition])
    case or([RandomCondition])
    case not(RandomCondition)
    case choice(RandomCondition, Double, Double, Double)

    typealias Table = [String: Any]
}

extension RandomCondition {
    /// The condition in the format language.
    var format: String {
        switch self {
        case .number(let path, let relation, let constant): "\(path) \(relation) \(constant)"
        case .sum(let path, let add, let relation, let constant):
            "\(path) + \(add) \(relation) \(constant)"
        case .text(let path, let relation, let ignoresCase, let constant):
            "\(path) \(relation)\(ignoresCase ? "[c]" : "") \"\(constant)\""
        case .length(let path, let relation, let constant):
            "length:(\(path)) \(relation) \(constant)"
        case .missing(let path, let isNegated): "\(path) \(isNegated ? "!=" : "==") nil"
        case .list(let path, let texts):
            "\(path) IN {\(texts.map { $0.map { "\"\($0)\"" } ?? "nil" }.joined(separator: ", "))}"
        case .between(let path, let low, let high): "\(path) BETWEEN {\(low), \(high)}"
        case .flag(let wanted): "flag == \(wanted ? "YES" : "NO")"
        case .items(let quantifier, let relation, let constant):
            "\(quantifier) items.num \(relation) \(constant)"
        case .count(let relation, let constant): "items.@count \(relation) \(constant)"
        case .selected(let relation, let constant, let count):
            "SUBQUERY(items, $i, $i.num \(relation) \(constant)).@count == \(count)"
        case .total(let function, let relation, let constant):
            "items.\(function).num \(relation) \(constant)"
        case .and(let members): "(" + members.map(\.format).joined(separator: ") AND (") + ")"
        case .or(let members): "(" + members.map(\.format).joined(separator: ") OR (") + ")"
        case .not(let member): "NOT (\(member.format))"
        case .choice(let condition, let first, let second, let constant):
            "TERNARY(\(condition.format), \(first), \(second)) == \(constant)"
        }
    }

    /// Whether an object satisfies the condition.
    func holds(_ object: Table) -> Bool {
        switch self {
        case .number(let path, let relation, let constant):
            Self.compare(Self.number(path, object), relation, constant)
        case .sum(let path, let add, let relation, let constant):
            Self.compare(Self.number(path, object).map { $0 + add }, relation, constant)
        case .text(let path, let relation, let ignoresCase, let constant):
            Self.compare(Self.text(path, object), relation, ignoresCase, constant)
        case .length(let path, let relation, let constant):
            Self.compare(
                Self.text(path, object).map { Double($0.utf16.count) }, relation, constant)
        case .missing(let path, let isNegated):
            (Self.value(path, object) == nil) != isNegated
        case .list(let path, let texts): texts.contains(Self.text(path, object))
        case .between(let path, let low, let high):
            Self.number(path, object).map { $0 >= low && $0 <= high } ?? false
        case .flag(let wanted): object["flag"] as? Bool == wanted
        case .items, .count, .selected, .total: holdsOfItems(object)
        case .and(let members): members.allSatisfy { $0.holds(object) }
        case .or(let members): members.contains { $0.holds(object) }
        case .not(let member): !member.holds(object)
        case .choice(let condition, let first, let second, let constant):
            (condition.holds(object) ? first : second) == constant
        }
    }

    private func holdsOfItems(_ object: Table) -> Bool {
        let items = object["items"] as? [Table] ?? []
        let numbers = items.map { $0["num"] as? Double }
        switch self {
        case .items(let quantifier, let relation, let constant):
            switch quantifier {
            case "ANY": return numbers.contains { Self.compare($0, relation, constant) }
            case "NONE": return !numbers.contains { Self.compare($0, relation, constant) }
            default: return numbers.allSatisfy { Self.compare($0, relation, constant) }
            }
        case .count(let relation, let constant):
            return Self.compare(Double(items.count), relation, constant)
        case .selected(let relation, let constant, let count):
            return Double(numbers.count { Self.compare($0, relation, constant) }) == count
        case .total(let function, let relation, let constant):
            let known = numbers.compactMap(\.self)
            let total: Double? =
                switch function {
                case "@sum": known.reduce(0, +)
                case "@min": known.min()
                default: known.max()
                }
            return Self.compare(total, relation, constant)
        default: return false
        }
    }

    private static func value(_ path: String, _ object: Table) -> Any? {
        let keys = path.split(separator: ".").map(String.init)
        if keys.count == 1 { return object[path] }
        return (object[keys[0]] as? Table)?[keys[1]]
    }

    private static func number(_ path: String, _ object: Table) -> Double? {
        value(path, object) as? Double
    }

    private static func text(_ path: String, _ object: Table) -> String? {
        value(path, object) as? String
    }

    private static func compare(_ left: Double?, _ relation: String, _ right: Double) -> Bool {
        guard let left else { return relation == "!=" }
        switch relation {
        case "==": return left == right
        case "!=": return left != right
        case "<": return left < right
        case "<=": return left <= right
        case ">": return left > right
        default: return left >= right
        }
    }

    private static func compare(
        _ left: String?, _ relation: String, _ ignoresCase: Bool, _ right: String
    ) -> Bool {
        guard let left else { return relation == "!=" }
        let text = ignoresCase ? left.lowercased() : left
        let part = ignoresCase ? right.lowercased() : right
        switch relation {
        case "==": return text == part
        case "!=": return text != part
        case "BEGINSWITH": return text.hasPrefix(part)
        case "ENDSWITH": return text.hasSuffix(part)
        case "CONTAINS": return part.isEmpty || text.contains(part)
        case "LIKE": return text == part
        case "MATCHES": return text == part
        case "<": return text < part
        default: return text >= part
        }
    }
}

/// Conditions and objects of a seed.
struct RandomConditions {
    private var random: SplitMix64

    init(_ seed: UInt64) { random = SplitMix64(state: seed) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.below(elements.count)]
    }

    private mutating func number() -> Double { pick([-2, -0.5, 0, 1, 1.5, 2, 3, 40]) }
    private mutating func word() -> String { pick(["", "a", "A", "ab", "Ba", "abc", "c1", "Zz"]) }
    private mutating func relation() -> String { pick(["==", "!=", "<", "<=", ">", ">="]) }

    /// An object, of which any value may be missing.
    mutating func object() -> [String: Any] {
        var object = part()
        if random.below(4) > 0 { object["flag"] = random.below(2) == 0 }
        if random.below(4) > 0 { object["inner"] = part() }
        if random.below(4) > 0 { object["items"] = (0..<random.below(4)).map { _ in part() } }
        return object
    }

    private mutating func part() -> [String: Any] {
        var part: [String: Any] = [:]
        if random.below(4) > 0 { part["num"] = number() }
        if random.below(4) > 0 { part["text"] = word() }
        return part
    }

    mutating func condition(depth: Int = 0) -> RandomCondition {
        if depth < 3, random.below(10) < 4 {
            let members = (0...random.below(3)).map { _ in condition(depth: depth + 1) }
            switch random.below(4) {
            case 0: return .and(members)
            case 1: return .or(members)
            case 2: return .not(members[0])
            default: return .choice(members[0], number(), number(), number())
            }
        }
        let numberPath = pick(["num", "inner.num"])
        let textPath = pick(["text", "inner.text"])
        switch random.below(12) {
        case 0: return .number(path: numberPath, relation: relation(), number())
        case 1: return .sum(path: numberPath, number(), relation: relation(), number())
        case 2, 3:
            return .text(
                path: textPath,
                relation: pick([
                    "==", "!=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "<", ">=",
                ]), ignoresCase: random.below(2) == 0, word())
        case 4: return .length(path: textPath, relation: relation(), number())
        case 5:
            return .missing(
                path: pick([numberPath, textPath, "inner", "flag"]), isNegated: random.below(2) == 0
            )
        case 6:
            return .list(path: textPath, (0..<random.below(4)).map { _ in pick([nil, word()]) })
        case 7: return .between(path: numberPath, number(), number())
        case 8: return .flag(random.below(2) == 0)
        case 9:
            return .items(
                quantifier: pick(["ANY", "ALL", "NONE"]), relation: relation(), number())
        case 10:
            if random.below(2) == 0 { return .count(relation: relation(), number()) }
            return .selected(
                relation: relation(), number(), count: Double(random.below(3)))
        default:
            return .total(
                function: pick(["@sum", "@min", "@max"]), relation: relation(), number())
        }
    }
}
