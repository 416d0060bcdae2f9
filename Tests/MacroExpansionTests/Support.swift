// SPDX-License-Identifier: Apache-2.0

@testable import MacroExpansion

/// One use of `@Managed`, as the compiler would describe it.
func use(
    _ declaration: String, role: String = "peer", attribute: String = "@Managed",
    in context: String? = "class Item: NSManagedObject {}"
) -> AttachedUse {
    AttachedUse(
        role: role, attribute: syntax("attribute", attribute, offset: 90),
        declaration: syntax("declaration", declaration, offset: 100),
        context: context.map { [syntax("declaration", $0, offset: 0)] } ?? [])
}

func syntax(_ kind: String, _ source: String, offset: Int) -> PluginMessage.Syntax {
    PluginMessage.Syntax(
        kind: kind, source: source,
        location: .init(
            fileID: "App/Item.swift", fileName: "Item.swift", offset: offset, line: 1, column: 1))
}

func peers(_ declaration: String, attribute: String = "@Managed") -> String? {
    let expansion = ManagedMacro.expand(use(declaration, attribute: attribute))
    return expansion.diagnostics.isEmpty ? expansion.source : nil
}

func accessors(_ declaration: String) -> String? {
    ManagedMacro.expand(use(declaration, role: "accessor")).source
}

/// The lines that declare a method, without their opening brace.
func signatures(_ declaration: String) -> [String] {
    (peers(declaration) ?? "").split(separator: "\n").map(String.init)
        .filter { $0.contains("func ") }.map { $0.replacing(" {", with: "") }
}

/// What the peer role complains about: the message and the text it points at.
func complaint(
    _ declaration: String, attribute: String = "@Managed",
    in context: String? = "class Item: NSManagedObject {}"
) -> (message: String, text: String)? {
    let expansion = ManagedMacro.expand(use(declaration, attribute: attribute, in: context))
    guard expansion.diagnostics.count == 1, let found = expansion.diagnostics.first else {
        return nil
    }
    let isInAttribute = found.position.offset < 100
    let bytes = Array((isInAttribute ? attribute : declaration).utf8)
    let base = isInAttribute ? 90 : 100
    guard let range = found.highlights.first, range.startOffset == found.position.offset,
        range.startOffset >= base, range.endOffset - base <= bytes.count
    else { return nil }
    let blamed = bytes[(range.startOffset - base)..<(range.endOffset - base)]
    return (found.message, String(decoding: blamed, as: UTF8.self))
}
