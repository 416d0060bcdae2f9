// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema

// Scalars: loaded from the record in place. A missing value reads as zero, as Core Data's scalar
// accessors have it; an optional property tells the difference.

extension Int16: ManagedValue, ManagedOptionalWrapped, FixedWidthValue {
    static var attributeType: AttributeType { .integer16 }
    static func value(of slot: Int16) -> Int16 { slot }

    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int16 {
        loaded(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int16? {
        loaded(object, key)
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Int16, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .integer16) { .integer16(value) }
    }
}

extension Int32: ManagedValue, ManagedOptionalWrapped, FixedWidthValue {
    static var attributeType: AttributeType { .integer32 }
    static func value(of slot: Int32) -> Int32 { slot }

    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int32 {
        loaded(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int32? {
        loaded(object, key)
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Int32, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .integer32) { .integer32(value) }
    }
}

extension Int64: ManagedValue, ManagedOptionalWrapped, FixedWidthValue {
    static var attributeType: AttributeType { .integer64 }
    static func value(of slot: Int64) -> Int64 { slot }

    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int64 {
        loaded(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int64? {
        loaded(object, key)
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Int64, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .integer64) { .integer64(value) }
    }
}

extension Int: ManagedValue, ManagedOptionalWrapped, FixedWidthValue {
    static var attributeType: AttributeType { .integer64 }
    static func value(of slot: Int64) -> Int { Int(slot) }

    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int {
        loaded(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int? {
        loaded(object, key)
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Int, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .integer64) { .integer64(Int64(value)) }
    }
}

extension FixedWidthValue where Self: FixedWidthInteger {
    /// The number of an attribute of another integer type; nil where it does not fit.
    static func converted(_ value: Value) -> Self? {
        switch value {
        case .integer16(let number): Self(exactly: number)
        case .integer32(let number): Self(exactly: number)
        case .integer64(let number): Self(exactly: number)
        case .boolean(let flag): flag ? 1 : 0
        default: nil
        }
    }
}
