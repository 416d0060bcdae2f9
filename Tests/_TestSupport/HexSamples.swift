// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The hexadecimal samples of a document: the blocks fenced by ```` ```hex name=… ````.
///
/// Spaces and line breaks separate bytes as they like; `#` begins a comment that ends with the
/// line.
public struct HexSamples: Sendable {
    /// The bytes of each block, by name.
    public let samples: [String: [UInt8]]

    /// What is wrong with a document.
    public struct Malformed: Error, CustomStringConvertible {
        /// The line and what is wrong there.
        public let description: String
    }

    /// Reads the document that describes the file format.
    public static func ofFileFormat() throws -> HexSamples {
        try HexSamples(fileAt: packageRoot() + "/Sources/RecordFormat/FileFormat.md")
    }

    /// Reads a document.
    public init(fileAt path: String) throws {
        try self.init(String(contentsOfFile: path, encoding: .utf8))
    }

    /// Reads the text of a document.
    ///
    /// - Throws: ``Malformed`` for a digit that is none, an odd count of digits, a name that comes
    ///   twice, or a block without an end.
    public init(_ text: String) throws {
        var found: [String: [UInt8]] = [:]
        var name: String?
        var digits: [UInt8] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let current = name, line.hasPrefix("```") {
                guard digits.count.isMultiple(of: 2), found[current] == nil else {
                    throw Malformed(
                        description: "line \(index + 1): \(current) is odd or comes twice")
                }
                found[current] = stride(from: 0, to: digits.count, by: 2).map {
                    digits[$0] << 4 | digits[$0 + 1]
                }
                name = nil
            } else if name != nil {
                digits += try HexSamples.digits(line, number: index + 1)
            } else if line.hasPrefix("```hex name=") {
                name = String(line.dropFirst("```hex name=".count))
                digits = []
            }
        }
        if let name { throw Malformed(description: "\(name) has no end") }
        samples = found
    }

    private static func digits(_ line: Substring, number: Int) throws -> [UInt8] {
        let content = line.split(separator: "#", omittingEmptySubsequences: false)[0]
        return try content.filter { $0 != " " }.map { character in
            guard let digit = character.hexDigitValue else {
                throw Malformed(description: "line \(number): \(character) is no digit")
            }
            return UInt8(digit)
        }
    }
}

/// Hexadecimal text of bytes, two digits each, with spaces between.
public func hexText(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
    }.joined(separator: " ")
}
