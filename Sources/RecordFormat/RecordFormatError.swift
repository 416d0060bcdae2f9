// SPDX-License-Identifier: Apache-2.0

/// Bytes that do not have the form that `FileFormat.md` describes.
public struct RecordFormatError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of malformed bytes.
    public enum Code: Sendable, Hashable {
        /// The bytes end before the structure does.
        case truncated
        /// Bytes follow where the structure has ended.
        case trailingBytes
        /// A number names something that does not exist.
        case unknownNumber
        /// A checksum does not match.
        case badChecksum
        /// Text is not valid UTF-8.
        case badText
    }

    /// The kind of damage.
    public let code: Code
    /// What was read, where, and what was expected.
    public let description: String

    /// Makes an error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
