// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes predicates by a grammar, and spoils some of them.
struct PredicateWriter {
    var random: FaultRandom
    /// The values for the placeholders of the text.
    private(set) var arguments: [Any?] = []

    init(_ random: FaultRandom) { self.random = random }

    static let keys = [
        "name", "value", "text", "blob", "owner", "owner.name", "owner.items", "tags", "tags.name",
        "queuedBy.name", "items", "items.value", "queue", "SELF", "step", "nothing",
        "owner.nothing",
        "items.tags.name", "@count", "tags.@count", "items.@sum.value", "name.length", "self.value",
    ]

    private static let pieces = [
        "(", ")", "{", "}", "[", "]", "\"", "'", "%@", "%K", "%d", "%", "$x", "$", "AND", "OR",
        "NOT", "ANY", "ALL", "NONE", "IN", "BETWEEN", "LIKE", "==", "!=", "<", "<=", "[cd]", "[c]",
        "[n]", "SUBQUERY(", "TERNARY(", "CAST(", "FUNCTION(", "FETCH(", "@", "@count", "@sum", ".",
        ",", "+", "-", "*", "/", "**", "#", "\\", "\0", "\n", "é", "👩‍👩‍👧", "9223372036854775808",
        "-9223372036854775808", "1e999", "0x", "0xFFFFFFFFFFFFFFFFF", "nil", "NULL", "TRUE", ":=",
        ":", "first", "last", "size", "SELF", "bit", "&&", "||", "!", "=<", "<>", "\u{202E}",
    ]

    mutating func text() -> String {
        arguments = []
        var text = predicate(3)
        guard random.chance(2) else { return text }
        for _ in 0...random.below(3) { spoil(&text) }
        return text
    }

    private mutating func spoil(_ text: inout String) {
        var scalars = Array(text.unicodeScalars)
        let place = random.below(scalars.count + 1)
        switch random.below(5) {
        case 0: if place < scalars.count { scalars.remove(at: place) }
        case 1:
            scalars.insert(contentsOf: Array(random.pick(Self.pieces).unicodeScalars), at: place)
        case 2:
            let end = min(scalars.count, place + random.below(12))
            scalars.insert(contentsOf: scalars[place..<end], at: random.below(scalars.count + 1))
        case 3: scalars.removeSubrange(place..<min(scalars.count, place + random.below(8)))
        default:
            if place < scalars.count, let other = Unicode.Scalar(UInt32(random.below(0xD7FF))) {
                scalars[place] = other
            }
        }
        text = String(String.UnicodeScalarView(scalars))
    }

    private mutating func predicate(_ depth: Int) -> String {
        guard depth > 0, random.chance(2) else { return comparison(depth) }
        switch random.below(5) {
        case 0: return "NOT (\(predicate(depth - 1)))"
        case 1: return "(\(predicate(depth - 1))) AND (\(predicate(depth - 1)))"
        case 2: return "\(comparison(depth)) OR \(predicate(depth - 1))"
        case 3: return random.pick(["TRUEPREDICATE", "FALSEPREDICATE"])
        default: return "\(predicate(depth - 1)) && !\(comparison(depth))"
        }
    }

    private mutating func comparison(_ depth: Int) -> String {
        let relation = random.pick([
            "==", "!=", "<", "<=", ">", ">=", "=", "<>", "BEGINSWITH", "ENDSWITH[c]",
            "CONTAINS[cd]",
            "LIKE", "LIKE[c]", "MATCHES", "IN", "BETWEEN",
        ])
        let quantifier = random.chance(6) ? random.pick(["ANY ", "ALL ", "NONE ", "SOME "]) : ""
        switch relation {
        case "IN": return "\(quantifier)\(expression(depth)) IN \(list(depth))"
        case "BETWEEN":
            return "\(expression(depth)) BETWEEN {\(expression(depth)), \(expression(depth))}"
        case "MATCHES":
            let pattern = random.pick([
                "i.*", "[", "(", "x+", "\\\\d{2,}", "^i(1|2)$", "(?i)I", "*",
            ])
            return "\(quantifier)\(key()) MATCHES '\(pattern)'"
        default: return "\(quantifier)\(expression(depth)) \(relation) \(expression(depth))"
        }
    }

    private mutating func list(_ depth: Int) -> String {
        if random.chance(3) {
            arguments.append(
                random.pick([[1, 2, 3], ["i1", "i2"], [Int](), NSNull()] as [Any]))
            return "%@"
        }
        return "{\((0..<random.below(4)).map { _ in expression(depth) }.joined(separator: ", "))}"
    }

    private mutating func key() -> String {
        guard random.chance(8) else { return random.pick(Self.keys) }
        arguments.append(random.pick(Self.keys))
        return "%K"
    }

    private mutating func expression(_ depth: Int) -> String {
        switch random.below(depth > 0 ? 12 : 7) {
        case 0, 1, 2: return key()
        case 3: return random.pick(["0", "1", "-7", "3.5", "1e10", "nil", "YES", "0x1F", "12"])
        case 4: return random.pick(["'i1'", "\"\"", "'xx*'", "'é?'", "\"1\\\"x\""])
        case 5:
            arguments.append(
                random.pick([
                    7 as Any?, "i3", nil, Date(timeIntervalSince1970: 0), Data([1]), 2.5, true,
                    NSNull(), Decimal(3), UUID(), Int64.min, Double.nan, Double.infinity,
                ]))
            return "%@"
        case 6: return "$\(random.pick(["x", "y"]))"
        case 7:
            let sign = random.pick(["+", "-", "*", "/", "**", "&", "|", "^", "<<", ">>", "& ~"])
            return "(\(expression(depth - 1)) \(sign) \(expression(depth - 1)))"
        case 8:
            let name = random.pick([
                "sum", "average", "min", "max", "count", "abs", "ceiling", "trunc", "sqrt", "now",
                "random", "length", "uppercase", "lowercase", "modulus:by", "onesComplement",
                "noindex",
            ])
            return "\(name)(\(expression(depth - 1)))"
        case 9:
            return "SUBQUERY(\(key()), $x, \(predicate(depth - 1))).@count"
        case 10:
            let (one, other) = (expression(depth - 1), expression(depth - 1))
            return "TERNARY(\(predicate(depth - 1)), \(one), \(other))"
        default:
            let type = random.pick(["NSDate", "NSNumber", "Nothing"])
            return "CAST(\(expression(depth - 1)), '\(type)')"
        }
    }
}
