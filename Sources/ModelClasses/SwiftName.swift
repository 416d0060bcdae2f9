// SPDX-License-Identifier: Apache-2.0

import ModelFiles

/// A name as Swift spells it: with backticks where it is a word of the language.
struct SwiftName: CustomStringConvertible {
    let description: String

    /// Takes a name of a model.
    ///
    /// - Throws: `ModelFileError` for a name that Swift cannot have.
    init(_ name: String, line: Int) throws(ModelFileError) {
        let isName =
            name.first.map { $0.isLetter || $0 == "_" } == true
            && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        guard isName, name != "_" else {
            throw ModelFileError("\(name) is no name in Swift; give it another one", line: line)
        }
        description = Self.words.contains(name) ? "`\(name)`" : name
    }

    /// The words that no declaration can have without backticks.
    private static let words: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch",
        "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension",
        "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
        "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while",
    ]
}
