// SPDX-License-Identifier: Apache-2.0

/// Writes trees as text that parses to the same tree.
struct FormatWriter {
    private(set) var text = ""

    mutating func write(_ predicate: Predicate) {
        switch predicate {
        case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .not(let operand):
            text += "NOT "
            writeMember(operand)
        case .and(let members): write(members, joinedBy: " AND ", ifEmpty: true)
        case .or(let members): write(members, joinedBy: " OR ", ifEmpty: false)
        case .comparison(let comparison): write(comparison)
        }
    }

    private mutating func write(_ members: [Predicate], joinedBy word: String, ifEmpty: Bool) {
        switch members.count {
        case 0: write(.constant(ifEmpty))
        case 1: write(members[0])
        default:
            for (index, member) in members.enumerated() {
                if index > 0 { text += word }
                writeMember(member)
            }
        }
    }

    /// Writes a member of a compound; compounds within it take parentheses.
    private mutating func writeMember(_ predicate: Predicate) {
        switch predicate {
        case .and(let members) where members.count > 1, .or(let members) where members.count > 1:
            text += "("
            write(predicate)
            text += ")"
        case .and(let members) where members.count == 1,
            .or(let members) where members.count == 1:
            writeMember(members[0])
        default: write(predicate)
        }
    }

    mutating func write(_ comparison: Comparison) {
        switch comparison.modifier {
        case .direct: break
        case .all: text += "ALL "
        case .any: text += "ANY "
        }
        write(comparison.left)
        text += " " + comparison.operator.text
        let options = comparison.options.text
        if !options.isEmpty { text += "[" + options + "]" }
        text += " "
        write(comparison.right)
    }

    mutating func write(_ expression: Expression) {
        switch expression {
        case .constant(let operand): text += operand.description
        case .evaluatedObject: text += "SELF"
        // A name that no format can have is written as it is, such as `<null>`.
        case .variable(let name): text += name.utf8.first == 0x3C ? name : "$" + name
        case .keyPath(let keys):
            text += keys.isEmpty ? "SELF" : keys.map(FormatWriter.key).joined(separator: ".")
        case .member(let base, let keys):
            writeBase(base)
            for key in keys { text += "." + FormatWriter.key(key) }
        case .aggregate(let members): write(members, "{", "}")
        case .function(let name, let arguments): writeFunction(name, arguments)
        case .subquery(let collection, let variable, let predicate):
            text += "SUBQUERY("
            write(collection)
            text += ", $" + variable + ", "
            write(predicate)
            text += ")"
        case .conditional(let predicate, let first, let second):
            text += "TERNARY("
            write(predicate)
            text += ", "
            write([first, second], "", ")")
        }
    }

    mutating func write(_ members: [Expression], _ open: String, _ close: String) {
        text += open
        for (index, member) in members.enumerated() {
            if index > 0 { text += ", " }
            write(member)
        }
        text += close
    }

    mutating func writeParenthesized(_ expression: Expression) {
        text += "("
        write(expression)
        text += ")"
    }

    /// Writes the operand of a key or an index.
    mutating func writeBase(_ base: Expression) {
        if case .constant(.value) = base { return writeParenthesized(base) }
        base.infix == nil && !base.isPrefixed ? write(base) : writeParenthesized(base)
    }

    mutating func append(_ part: String) {
        text += part
    }

    /// A key as it stands in a key path.
    private static func key(_ key: String) -> String {
        let word = key.hasPrefix("@") ? String(key.dropFirst()) : key
        let scalars = word.unicodeScalars
        guard let first = scalars.first, !("0"..."9").contains(first),
            scalars.allSatisfy(\.isWordPart)
        else { return "#" + key.predicateLiteral }
        return word == key && Keyword(word: word) != nil ? "#" + key : key
    }
}
