// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MacroExpansion

@Suite struct MessageHandlerTests {
    private let handler = MessageHandler(macros: ["ManagedMacro": ManagedMacro.self])

    private func reply(_ message: String) throws -> PluginReply {
        let bytes = handler.reply(to: Array(message.utf8))
        return try JSONDecoder().decode(PluginReply.self, from: Data(bytes))
    }

    private func complaint(_ message: String) throws -> String? {
        guard case .expandMacroResult(nil, let found) = try reply(message) else { return nil }
        return found.first?.message
    }

    private static let location =
        #"{"column":0,"fileID":"","fileName":"f","line":0,"offset":5}"#

    private static func attached(_ type: String, declaration: String) -> String {
        """
        {"expandAttachedMacro":{"attributeSyntax":{"kind":"attribute","location":\(location),\
        "source":"@Managed "},"declSyntax":{"kind":"declaration","location":\(location),\
        "source":"\(declaration)"},"discriminator":"$s","lexicalContext":[{"kind":"declaration",\
        "location":\(location),"source":"class Item {}"}],"macro":{"moduleName":"LodeMacros",\
        "name":"Managed ","typeName":"\(type)"},"macroRole":"peer",\
        "staticBuildConfiguration":"{}"}}
        """
    }

    @Test func tellsItsCapability() throws {
        let asked = #"{"getCapability":{"capability":{"protocolVersion":7}}}"#
        let expected = #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#
        #expect(String(decoding: handler.reply(to: Array(asked.utf8)), as: UTF8.self) == expected)
        #expect(
            try reply(#"{"getCapability":{}}"#)
                == .getCapabilityResult(capability: .init(protocolVersion: 7)))
    }

    @Test func expandsAnAttachedMacro() throws {
        let message = Self.attached("ManagedMacro", declaration: "@Managed var a: Int")
        #expect(
            try reply(message)
                == .expandMacroResult(
                    expandedSource: "nonisolated static let __lode_a = PropertyKey(\"a\")",
                    diagnostics: []))
    }

    @Test func placesDiagnosticsInTheFile() throws {
        let message = Self.attached("ManagedMacro", declaration: "@Managed let a: Int")
        guard case .expandMacroResult("", let found) = try reply(message) else {
            Issue.record("no expansion result")
            return
        }
        #expect(found.count == 1)
        #expect(found.first?.severity == .error)
        #expect(found.first?.position == .init(fileName: "f", offset: 14))
    }

    @Test func refusesUnknownMacros() throws {
        #expect(
            try complaint(Self.attached("Other", declaration: "var a: Int"))
                == "LodeMacros has no macro 'Other'")
        let freestanding = """
            {"expandFreestandingMacro":{"macro":{"moduleName":"LodeMacros","name":"m",\
            "typeName":"M"},"discriminator":"$s","syntax":{"kind":"expression","source":"#m",\
            "location":\(Self.location)}}}
            """
        #expect(try complaint(freestanding) == "LodeMacros has no freestanding macro 'M'")
    }

    @Test func declinesLibraries() throws {
        #expect(
            try reply(#"{"loadPluginLibrary":{"libraryPath":"p","moduleName":"m"}}"#)
                == .loadPluginLibraryResult(loaded: false, diagnostics: []))
    }

    @Test(arguments: ["", "{", "[]", #"{"later":{}}"#, #"{"expandAttachedMacro":{}}"#])
    func answersWhatItCannotRead(message: String) throws {
        let found = try #require(try complaint(message))
        #expect(found.hasPrefix("LodeMacros cannot read the compiler's message: "))
    }
}
