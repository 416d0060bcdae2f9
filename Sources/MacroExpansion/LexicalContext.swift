// SPDX-License-Identifier: Apache-2.0

/// What a declaration is nested in.
enum LexicalContext {
    /// Why a managed property cannot stand in `context`, or nil if it can.
    ///
    /// An extension does not show what it extends, so it passes.
    static func objection(to context: [PluginMessage.Syntax], macro: String) -> String? {
        let needs = "'@\(macro)' needs a property of an NSManagedObject subclass"
        guard let innermost = context.first else { return needs + ", not a global variable" }
        var cursor = TokenCursor(innermost.source)
        while let token = cursor.take() {
            if token.isMark("@") {
                cursor.take()
                continue
            }
            guard token.kind == .word else { continue }
            switch token.text {
            case "extension":
                return nil
            case "class":
                return cursor.peek(1)?.isMark("<") == true
                    ? needs + " that is not generic: a generic class cannot keep the key" : nil
            case "struct", "enum", "actor", "protocol":
                return needs + ", not of \(article(token.text)) \(token.text)"
            case "func", "init", "deinit", "subscript", "var", "let":
                return needs + ", not a local variable"
            default:
                continue
            }
        }
        return nil
    }

    private static func article(_ noun: String) -> String {
        noun == "enum" || noun == "actor" ? "an" : "a"
    }
}
