// SPDX-License-Identifier: Apache-2.0

/// A key path in the form that Swift prints, as `\Book.<computed 0x5f… (Optional<Author>)>?.…`.
struct KeyPathText: CustomStringConvertible {
    private let text: String

    init(_ path: AnyKeyPath) { text = path.debugDescription }

    private static let mark = "<computed "

    /// Whether the path leads through optionals with `?`.
    var isChained: Bool { outside.contains("?") }

    /// Whether the path may consist of a number of computed properties and nothing else.
    ///
    /// True for texts of a form that is not known.
    func mayHave(_ count: Int) -> Bool {
        let parts = pieces
        guard parts.count > 1 else { return true }
        return parts.count == count + 1 && outside.allSatisfy { ".?!".contains($0) }
    }

    /// The text with types in place of addresses.
    var description: String {
        let parts = pieces
        guard let first = parts.first else { return text }
        return parts.dropFirst().reduce(first.outside) { text, part in
            let type = part.inside.split(separator: " ", maxSplits: 1).last ?? "?"
            return text + "<a property\(type.hasPrefix("(") ? " of type " : "")"
                + type.drop { $0 == "(" }.dropLast() + ">" + part.outside
        }
    }

    /// What is between and behind the computed properties.
    private var outside: String { pieces.dropFirst().map(\.outside).joined() }

    private struct Piece {
        /// What is between the brackets.
        var inside = ""
        /// What follows them.
        var outside = ""
    }

    /// What is before the first computed property, then each of these with what follows it.
    private var pieces: [Piece] {
        var result = [Piece()]
        var rest = text[...]
        while !rest.isEmpty {
            if rest.hasPrefix(Self.mark) {
                let body = rest.dropFirst(Self.mark.count)
                let end = Self.end(of: body)
                result.append(Piece(inside: String(body[..<end])))
                rest = body[end...].dropFirst()
            } else {
                result[result.count - 1].outside.append(rest.removeFirst())
            }
        }
        return result
    }

    /// The place of the bracket that closes a computed property.
    private static func end(of body: Substring) -> Substring.Index {
        var depth = 0
        for index in body.indices {
            if body[index] == "<" { depth += 1 }
            guard body[index] == ">" else { continue }
            if depth == 0 { return index }
            depth -= 1
        }
        return body.endIndex
    }
}
