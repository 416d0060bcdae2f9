// SPDX-License-Identifier: Apache-2.0

import Schema

/// The type of an attribute, with Core Data's raw values.
public enum NSAttributeType: UInt, Sendable {
    /// No type: a transient value of any class.
    case undefinedAttributeType = 0
    /// `Int16`.
    case integer16AttributeType = 100
    /// `Int32`.
    case integer32AttributeType = 200
    /// `Int64`.
    case integer64AttributeType = 300
    /// `Decimal` and `NSDecimalNumber`.
    case decimalAttributeType = 400
    /// `Double`.
    case doubleAttributeType = 500
    /// `Float`.
    case floatAttributeType = 600
    /// `String`.
    case stringAttributeType = 700
    /// `Bool`.
    case booleanAttributeType = 800
    /// `Date`.
    case dateAttributeType = 900
    /// `Data`.
    case binaryDataAttributeType = 1000
    /// `UUID`.
    case UUIDAttributeType = 1100
    /// `URL`.
    case URIAttributeType = 1200
    /// Any value that a named transformer turns into data.
    case transformableAttributeType = 1800
    /// ``NSManagedObjectID``.
    case objectIDAttributeType = 2000

    /// The class of values as Foundation's archives name it; nil where there is none of its own.
    var valueClassName: String? {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .doubleAttributeType, .floatAttributeType, .booleanAttributeType:
            "NSNumber"
        case .decimalAttributeType: "NSDecimalNumber"
        case .stringAttributeType: "NSString"
        case .dateAttributeType: "NSDate"
        case .binaryDataAttributeType: "NSData"
        case .UUIDAttributeType: "NSUUID"
        case .URIAttributeType: "NSURL"
        case .objectIDAttributeType: "NSManagedObjectID"
        case .undefinedAttributeType, .transformableAttributeType: nil
        }
    }

    var schemaType: AttributeType? { AttributeType(rawValue: UInt16(rawValue)) }

    init(_ type: AttributeType) {
        self = NSAttributeType(rawValue: UInt(type.rawValue)) ?? .undefinedAttributeType
    }
}
