// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema

// Scalars: loaded from the record in place; see Integers.swift.

extension Double: ManagedValue, ManagedOptionalWrapped, FixedWidthValue {
    static var attributeType: AttributeType { .double }
    static func value(of slot: UInt64) -> Double { Double(bitPattern: slot) }

    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Double {
        loaded(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Double? {
        loaded(object, key)
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Double, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .double) { .double(value) }
    }
}

extension Float: ManagedValue, ManagedOptionalWrapped, FixedWidthValue {
    static var attributeType: AttributeType { .float }
    static func value(of slot: UInt32) -> Float { Float(bitPattern: slot) }

    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Float {
        loaded(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Float? {
        loaded(object, key)
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Float, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .float) { .float(value) }
    }
}

extension FixedWidthValue where Self: BinaryFloatingPoint {
    /// The number of an attribute of another numeric type.
    static func converted(_ value: Value) -> Self? {
        switch value {
        case .double(let number): Self(number)
        case .float(let number): Self(number)
        case .integer16(let number): Self(number)
        case .integer32(let number): Self(number)
        case .integer64(let number): Self(number)
        default: nil
        }
    }
}

extension Bool: ManagedValue, ManagedOptionalWrapped, FixedWidthValue {
    static var attributeType: AttributeType { .boolean }
    static func value(of slot: UInt8) -> Bool { slot != 0 }

    /// Reads the property; false for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Bool {
        loaded(object, key) ?? false
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Bool? {
        loaded(object, key)
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Bool, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .boolean) { .boolean(value) }
    }

    /// Whether the number of an integer attribute is not zero.
    static func converted(_ value: Value) -> Bool? {
        switch value {
        case .boolean(let flag): flag
        case .integer16(let number): number != 0
        case .integer32(let number): number != 0
        case .integer64(let number): number != 0
        default: nil
        }
    }
}
