// SPDX-License-Identifier: Apache-2.0

/// One attribute value outside a record: what overlays, predicates and index keys hold.
///
/// The cases mirror ``AttributeType``; `null` stands for an absent value of any type. The lower
/// layers do not know Foundation, so dates are seconds, data is an array and a URI is its text.
@frozen
public enum Value: Sendable {
    /// No value.
    case null
    /// An `integer16` value.
    case integer16(Int16)
    /// An `integer32` value.
    case integer32(Int32)
    /// An `integer64` value.
    case integer64(Int64)
    /// A `decimal` value; boxed, as it is rare and four words wide.
    indirect case decimal(DecimalValue)
    /// A `double` value.
    case double(Double)
    /// A `float` value.
    case float(Float)
    /// A `string` value.
    case string(String)
    /// A `boolean` value.
    case boolean(Bool)
    /// A `date` value, in seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// A `binaryData` value.
    case binaryData([UInt8])
    /// A `uuid` value.
    case uuid(UUIDValue)
    /// A `uri` value.
    case uri(String)
    /// A `transformable` value, as its transformer wrote it.
    case transformable([UInt8])
    /// An `objectID` value or the destination of a to-one relationship.
    case objectID(ObjectKey)
}

extension Value {
    /// Whether there is no value.
    @inlinable
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The type of the value, or `nil` for ``null``.
    public var type: AttributeType? {
        switch self {
        case .null: nil
        case .integer16: .integer16
        case .integer32: .integer32
        case .integer64: .integer64
        case .decimal: .decimal
        case .double: .double
        case .float: .float
        case .string: .string
        case .boolean: .boolean
        case .date: .date
        case .binaryData: .binaryData
        case .uuid: .uuid
        case .uri: .uri
        case .transformable: .transformable
        case .objectID: .objectID
        }
    }

    /// Whether values of an attribute that equal this one have all the same key: texts, integers
    /// and UUIDs of the attribute's own kind.
    ///
    /// Values of other types can be equal in several forms, or have to be converted.
    package func hasOneForm(in type: AttributeType) -> Bool {
        switch self {
        case .string: type == .string
        case .uuid: type == .uuid
        case .integer16, .integer32, .integer64:
            type == .integer16 || type == .integer32 || type == .integer64
        default: false
        }
    }
}
