// SPDX-License-Identifier: Apache-2.0

/// What the compiler asks.
///
/// The synthesised coding is the protocol's: an object with one member named
/// like the case, holding the associated values by label. Members that are not
/// listed here (the build configuration, for one) are skipped.
enum HostMessage: Codable, Equatable {
    case getCapability(capability: PluginMessage.Capability?)
    case expandFreestandingMacro(
        macro: PluginMessage.MacroReference, syntax: PluginMessage.Syntax)
    case expandAttachedMacro(
        macro: PluginMessage.MacroReference, macroRole: String,
        attributeSyntax: PluginMessage.Syntax, declSyntax: PluginMessage.Syntax,
        lexicalContext: [PluginMessage.Syntax]?)
    case loadPluginLibrary(libraryPath: String, moduleName: String)
}

/// What the plugin answers.
enum PluginReply: Codable, Equatable {
    case getCapabilityResult(capability: PluginMessage.Capability)
    case expandMacroResult(expandedSource: String?, diagnostics: [Diagnostic])
    case loadPluginLibraryResult(loaded: Bool, diagnostics: [Diagnostic])
}
