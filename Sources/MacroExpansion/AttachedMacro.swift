// SPDX-License-Identifier: Apache-2.0

/// A macro of this plugin that is attached to a declaration.
protocol AttachedMacro {
    /// Writes the source text `use` asks for. Never traps, whatever the text is.
    static func expand(_ use: AttachedUse) -> Expansion
}

/// One role of one attached macro at one declaration.
struct AttachedUse {
    /// The protocol's name of the role, `accessor` or `peer` for instance.
    var role: String
    var attribute: PluginMessage.Syntax
    var declaration: PluginMessage.Syntax
    /// What the declaration is nested in, innermost first, with empty bodies.
    var context: [PluginMessage.Syntax]
}

/// The result of expanding a macro use.
struct Expansion: Equatable {
    var source: String?
    var diagnostics: [Diagnostic] = []
}
