// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    // Coding is all that is needed; the whole of Foundation takes twice as long
    // to load (10 ms against 5), once in every run of the compiler.
    import FoundationEssentials
#else
    import Foundation
#endif

/// Answers the compiler's messages.
struct MessageHandler {
    /// The macro types by the name `#externalMacro(module:type:)` gives them.
    let macros: [String: any AttachedMacro.Type]

    /// The encoded answer to an encoded message.
    ///
    /// There is always an answer: the compiler waits for one, and reports
    /// silence as a crash of the plugin.
    func reply(to message: [UInt8]) -> [UInt8] {
        let reply: PluginReply
        do {
            reply = answer(try JSONDecoder().decode(HostMessage.self, from: Data(message)))
        } catch {
            reply = Self.failure("LodeMacros cannot read the compiler's message: \(error)")
        }
        guard let data = try? JSONEncoder().encode(reply) else {
            return Array(#"{"expandMacroResult":{"diagnostics":[]}}"#.utf8)
        }
        return Array(data)
    }

    func answer(_ message: HostMessage) -> PluginReply {
        switch message {
        case .getCapability:
            let version = PluginMessage.protocolVersion
            return .getCapabilityResult(capability: .init(protocolVersion: version))
        case .expandFreestandingMacro(let macro, let syntax):
            let misuse = Misuse(
                "LodeMacros has no freestanding macro '\(macro.typeName)'", at: 0..<0)
            return .expandMacroResult(
                expandedSource: nil, diagnostics: [Diagnostic(misuse, in: syntax)])
        case .expandAttachedMacro(let macro, let role, let attribute, let declaration, let context):
            let use = AttachedUse(
                role: role, attribute: attribute, declaration: declaration, context: context ?? [])
            return expand(use, macro)
        case .loadPluginLibrary:
            return .loadPluginLibraryResult(loaded: false, diagnostics: [])
        }
    }

    private func expand(
        _ use: AttachedUse, _ macro: PluginMessage.MacroReference
    ) -> PluginReply {
        guard let type = macros[macro.typeName] else {
            let misuse = Misuse("LodeMacros has no macro '\(macro.typeName)'", at: 0..<0)
            return .expandMacroResult(
                expandedSource: nil, diagnostics: [Diagnostic(misuse, in: use.attribute)])
        }
        let expansion = type.expand(use)
        return .expandMacroResult(
            expandedSource: expansion.source, diagnostics: expansion.diagnostics)
    }

    private static func failure(_ message: String) -> PluginReply {
        .expandMacroResult(expandedSource: nil, diagnostics: [Diagnostic(unplaced: message)])
    }
}
