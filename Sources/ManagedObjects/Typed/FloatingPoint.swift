// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema

// Scalars: loaded from the record in place; see Integers.swift.

extension Double: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Double {
        if let slot = object.fastSlot(key, .double) {
            return slot.isNull ? 0 : Double(bitPattern: slot.load(UInt64.self))
        }
        return __lode_readOptional(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Double? {
        if let slot = object.fastSlot(key, .double) {
            return slot.isNull ? nil : Double(bitPattern: slot.load(UInt64.self))
        }
        switch object.value(key) {
        case .double(let number): return Self(number)
        case .float(let number): return Self(number)
        case .integer16(let number): return Self(number)
        case .integer32(let number): return Self(number)
        case .integer64(let number): return Self(number)
        default: return nil
        }
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Double, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .double) { .double(value) }
    }

    /// Writes the property, nil for no value.
    public static func __lode_writeOptional(
        _ value: Double?, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        guard let value else { return object.writeNull(key) }
        __lode_write(value, object, key)
    }
}

extension Float: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Float {
        if let slot = object.fastSlot(key, .float) {
            return slot.isNull ? 0 : Float(bitPattern: slot.load(UInt32.self))
        }
        return __lode_readOptional(object, key) ?? 0
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Float? {
        if let slot = object.fastSlot(key, .float) {
            return slot.isNull ? nil : Float(bitPattern: slot.load(UInt32.self))
        }
        switch object.value(key) {
        case .double(let number): return Self(number)
        case .float(let number): return Self(number)
        case .integer16(let number): return Self(number)
        case .integer32(let number): return Self(number)
        case .integer64(let number): return Self(number)
        default: return nil
        }
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Float, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .float) { .float(value) }
    }

    /// Writes the property, nil for no value.
    public static func __lode_writeOptional(
        _ value: Float?, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        guard let value else { return object.writeNull(key) }
        __lode_write(value, object, key)
    }
}

extension Bool: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; false for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Bool {
        if let slot = object.fastSlot(key, .boolean) {
            return slot.isNull ? false : slot.load(UInt8.self) != 0
        }
        return __lode_readOptional(object, key) ?? false
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Bool? {
        if let slot = object.fastSlot(key, .boolean) {
            return slot.isNull ? nil : slot.load(UInt8.self) != 0
        }
        switch object.value(key) {
        case .boolean(let flag): return flag
        case .integer16(let number): return number != 0
        case .integer32(let number): return number != 0
        case .integer64(let number): return number != 0
        default: return nil
        }
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Bool, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .boolean) { .boolean(value) }
    }

    /// Writes the property, nil for no value.
    public static func __lode_writeOptional(
        _ value: Bool?, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        guard let value else { return object.writeNull(key) }
        __lode_write(value, object, key)
    }
}
