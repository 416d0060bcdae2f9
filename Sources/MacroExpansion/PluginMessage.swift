// SPDX-License-Identifier: Apache-2.0

/// The values that travel inside messages of the compiler-plugin protocol.
///
/// The property names are the JSON keys, so they are not ours to choose.
enum PluginMessage {
    /// The protocol version this plugin was written for; 7 came with Swift 5.10.
    static let protocolVersion = 7

    struct Capability: Codable, Equatable {
        var protocolVersion: Int
    }

    struct MacroReference: Codable, Equatable {
        var moduleName: String
        var typeName: String
        var name: String
    }

    struct SourceLocation: Codable, Equatable {
        var fileID: String
        var fileName: String
        var offset: Int
        var line: Int
        var column: Int
    }

    /// A piece of source text; `location` is where the text starts, blanks and
    /// comments before the first token included.
    struct Syntax: Codable, Equatable {
        var kind: String
        var source: String
        var location: SourceLocation
    }
}
