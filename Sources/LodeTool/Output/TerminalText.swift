// SPDX-License-Identifier: Apache-2.0

/// Text for a terminal, which would obey some characters instead of showing them.
///
/// Names and values come from untrusted files: escape sequences in them could overwrite earlier
/// output or fake keyboard input, and direction marks could make a text look like another one. They
/// are shown as `\u{1B}`. CSV and JSON are for programs and keep every character, JSON in its own
/// escapes.
enum TerminalText {
    /// A text of one line.
    static func escaped(_ text: String) -> String {
        if isPlain(text) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isObeyed(scalar) {
                result.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether a text has letters, digits and signs of ASCII alone, as nearly all do.
    static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }

    /// A text whose lines are meant as such.
    static func escapedLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { escaped(String($0)) }.joined(separator: "\n")
    }

    /// Whether a terminal does something other than showing a character.
    static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Joiners make emoji and letters of some languages; the others are out of sight.
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
}
