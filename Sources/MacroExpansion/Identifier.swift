// SPDX-License-Identifier: Apache-2.0

/// A declared name without its backticks.
struct Identifier: Equatable {
    let text: String

    init(_ text: String) {
        let isTicked = text.utf8.count > 2 && text.hasPrefix("`") && text.hasSuffix("`")
        self.text = isTicked ? String(text.dropFirst().dropLast()) : text
    }

    /// The name with its first letter in upper case, as method names spell it.
    var capitalized: String { text.prefix(1).uppercased() + text.dropFirst() }

    /// Whether the name is that of the raw value of another property, as `primitiveName` is.
    var namesPrimitive: Bool {
        let letters = text.utf8.dropFirst("primitive".utf8.count)
        return text.hasPrefix("primitive") && letters.first.map { $0 < 0x61 || $0 > 0x7A } == true
    }

    /// `name` as it must be written in source: a raw identifier, one with
    /// characters no plain identifier has, keeps its backticks.
    func spelled(_ name: String) -> String {
        text.utf8.allSatisfy(Ascii.continuesWord) ? name : "`\(name)`"
    }
}
