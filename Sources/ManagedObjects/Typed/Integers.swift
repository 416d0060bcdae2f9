// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema

// Scalars: loaded from the record in place. A missing value reads as zero, as Core Data's scalar
// accessors have it; an optional property tells the difference.

extension Int16: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int16 {
        if let slot = object.fastSlot(key, .integer16) {
            return slot.isNull ? 0 : slot.load(Int16.self)
        }
        return __lode_readOptional(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int16? {
        if let slot = object.fastSlot(key, .integer16) {
            return slot.isNull ? nil : slot.load(Int16.self)
        }
        return object.value(key).converted()
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Int16, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .integer16) { .integer16(value) }
    }

    /// Writes the property, nil for no value.
    public static func __lode_writeOptional(
        _ value: Int16?, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        guard let value else { return object.writeNull(key) }
        __lode_write(value, object, key)
    }
}

extension Int32: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int32 {
        if let slot = object.fastSlot(key, .integer32) {
            return slot.isNull ? 0 : slot.load(Int32.self)
        }
        return __lode_readOptional(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int32? {
        if let slot = object.fastSlot(key, .integer32) {
            return slot.isNull ? nil : slot.load(Int32.self)
        }
        return object.value(key).converted()
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Int32, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .integer32) { .integer32(value) }
    }

    /// Writes the property, nil for no value.
    public static func __lode_writeOptional(
        _ value: Int32?, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        guard let value else { return object.writeNull(key) }
        __lode_write(value, object, key)
    }
}

extension Int64: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int64 {
        if let slot = object.fastSlot(key, .integer64) {
            return slot.isNull ? 0 : slot.load(Int64.self)
        }
        return __lode_readOptional(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int64? {
        if let slot = object.fastSlot(key, .integer64) {
            return slot.isNull ? nil : slot.load(Int64.self)
        }
        return object.value(key).converted()
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Int64, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .integer64) { .integer64(value) }
    }

    /// Writes the property, nil for no value.
    public static func __lode_writeOptional(
        _ value: Int64?, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        guard let value else { return object.writeNull(key) }
        __lode_write(value, object, key)
    }
}

extension Int: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int {
        if let slot = object.fastSlot(key, .integer64) {
            return slot.isNull ? 0 : Int(slot.load(Int64.self))
        }
        return __lode_readOptional(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Int? {
        if let slot = object.fastSlot(key, .integer64) {
            return slot.isNull ? nil : Int(slot.load(Int64.self))
        }
        return object.value(key).converted()
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Int, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .integer64) { .integer64(Int64(value)) }
    }

    /// Writes the property, nil for no value.
    public static func __lode_writeOptional(
        _ value: Int?, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        guard let value else { return object.writeNull(key) }
        __lode_write(value, object, key)
    }
}

extension Value {
    /// The number of an attribute of another integer type; nil where it does not fit.
    fileprivate func converted<Number: FixedWidthInteger>() -> Number? {
        switch self {
        case .integer16(let number): Number(exactly: number)
        case .integer32(let number): Number(exactly: number)
        case .integer64(let number): Number(exactly: number)
        case .boolean(let flag): flag ? 1 : 0
        default: nil
        }
    }
}
