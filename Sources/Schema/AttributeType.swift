// SPDX-License-Identifier: Apache-2.0

/// The type of an attribute's value, as stored.
///
/// Raw values are written to the store's catalog and are never reused; they are the numbers of
/// Core Data's `NSAttributeType`, so that a dump reads the same in both worlds.
public enum AttributeType: UInt16, Sendable, Hashable, CaseIterable {
    /// A signed 16-bit integer.
    case integer16 = 100
    /// A signed 32-bit integer.
    case integer32 = 200
    /// A signed 64-bit integer.
    case integer64 = 300
    /// A base-10 number of up to 38 digits, see ``DecimalValue``.
    case decimal = 400
    /// A 64-bit floating point number.
    case double = 500
    /// A 32-bit floating point number.
    case float = 600
    /// Unicode text, stored as UTF-8.
    case string = 700
    /// True or false.
    case boolean = 800
    /// Seconds since 2001-01-01 00:00:00 UTC, a 64-bit floating point number.
    case date = 900
    /// Bytes.
    case binaryData = 1000
    /// A 128-bit universally unique identifier.
    case uuid = 1100
    /// A uniform resource identifier, stored as its text.
    case uri = 1200
    /// Bytes that a named transformer turns into an object.
    case transformable = 1800
    /// The identity of an object in the same store.
    case objectID = 2000
}

extension AttributeType {
    /// The bytes that a value takes in a record's fixed part.
    ///
    /// Variable-length types take a 4-byte offset and a 4-byte length there, or 4 bytes in narrow
    /// layouts.
    @inlinable
    public var slotWidth: Int {
        switch self {
        case .boolean: 1
        case .integer16: 2
        case .integer32, .float: 4
        case .integer64, .double, .date, .objectID: 8
        case .uuid: 16
        case .decimal: 24
        case .string, .binaryData, .uri, .transformable: 8
        }
    }

    /// Whether the value lies in a record's heap, behind an offset and a length.
    @inlinable
    public var isVariableLength: Bool {
        switch self {
        case .string, .binaryData, .uri, .transformable: true
        default: false
        }
    }
}
