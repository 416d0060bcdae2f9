// SPDX-License-Identifier: Apache-2.0

/// The argument of `@Managed("key")`.
enum MacroArguments {
    /// The key's string literal as it was written, or nil if there is none.
    ///
    /// - Throws: `Misuse` if the argument is anything but one plain literal.
    static func key(in attribute: String) throws(Misuse) -> String? {
        var cursor = TokenCursor(attribute)
        while let token = cursor.token, !token.isMark("(") { cursor.take() }
        let range = cursor.range
        guard var arguments = cursor.takeGroup(), !arguments.isEmpty else { return nil }
        if arguments.count > 2, arguments[0].isWord("key"), arguments[1].isMark(":") {
            arguments.removeFirst(2)
        }
        guard arguments.count == 1, arguments[0].kind == .string else {
            let blamed = arguments.first?.range ?? range
            throw Misuse("the key must be a string literal: '@Managed(\"key\")'", at: blamed)
        }
        let literal = arguments[0].text
        if literal.contains("\\") || literal.contains("\n") {
            throw Misuse("the key must be a plain string literal", at: arguments[0].range)
        }
        if literal.allSatisfy({ $0 == "\"" || $0 == "#" }) {
            throw Misuse("the key must not be empty", at: arguments[0].range)
        }
        return literal
    }
}
