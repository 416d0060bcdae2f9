// SPDX-License-Identifier: Apache-2.0

/// One lexical element of Swift source.
struct Token: Equatable {
    enum Kind: Equatable {
        /// A word, with its backticks if it has any.
        case word
        /// A string literal, delimiters included.
        case string
        case number
        /// A single character, except `->` and a row of `#`.
        case mark
    }

    var kind: Kind
    var text: String
    /// The bytes of the source it was read from.
    var range: Range<Int>
    /// Blanks or comments stand before it.
    var isSpaced: Bool
    /// A line break stands before it.
    var startsLine: Bool

    func isMark(_ text: String) -> Bool { kind == .mark && self.text == text }
    func isWord(_ text: String) -> Bool { kind == .word && self.text == text }
}
