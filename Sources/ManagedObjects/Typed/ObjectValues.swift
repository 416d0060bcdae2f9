// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Traps

// Not a FixedWidthValue: Date and Double would be alike but for constants, and the compiler would
// make one function of both, which each getter of a Double had to call.
extension Date: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; the reference date for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Date {
        __lode_readOptional(object, key) ?? Date(timeIntervalSinceReferenceDate: 0)
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Date, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .date) { .date(value.timeIntervalSinceReferenceDate) }
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Date? {
        if let slot = object.fastSlot(key, .date) {
            if slot.isNull { return nil }
            return Date(
                timeIntervalSinceReferenceDate: Double(bitPattern: slot.load(UInt64.self)))
        }
        guard case .date(let seconds) = object.value(key) else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
}

extension String: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; empty for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> String {
        __lode_readOptional(object, key) ?? ""
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: consuming String, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .string, .string(value))
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> String? {
        if let slot = object.fastSlot(key, .string) {
            return slot.isNull ? nil : slot.record.string(at: slot.offset)
        }
        guard case .string(let text) = object.value(key) else { return nil }
        return text
    }
}

extension UUID: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; the zero UUID for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> UUID {
        __lode_readOptional(object, key) ?? UUID(UUIDValue(high: 0, low: 0))
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: UUID, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .uuid) { .uuid(UUIDValue(value)) }
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> UUID? {
        if let slot = object.fastSlot(key, .uuid) {
            return slot.isNull ? nil : UUID(slot.record.uuid(at: slot.offset))
        }
        guard case .uuid(let uuid) = object.value(key) else { return nil }
        return UUID(uuid)
    }
}

extension Data: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; empty for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Data {
        __lode_readOptional(object, key) ?? Data()
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Data, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .binaryData) { .binaryData(Array(value)) }
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Data? {
        switch object.value(key) {
        case .binaryData(let bytes), .transformable(let bytes): return Data(bytes)
        default: return nil
        }
    }
}

extension URL: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; `/dev/null` for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> URL {
        __lode_readOptional(object, key) ?? URL(fileURLWithPath: "/dev/null")
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: URL, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .uri) { .uri(value.absoluteString) }
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> URL? {
        guard case .uri(let text) = object.value(key) else { return nil }
        return URL(string: text)
    }
}

extension Decimal: ManagedValue, ManagedOptionalWrapped {
    /// Reads the property; zero for no value.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Decimal {
        __lode_readOptional(object, key) ?? 0
    }

    /// Writes the property.
    public static func __lode_write(
        _ value: Decimal, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.write(key, .decimal) {
            guard let number = DecimalValue(value) else {
                trap("a decimal attribute of \(object.objectID) takes a number, not \(value)")
            }
            return .decimal(number)
        }
    }

    /// Reads the property, nil for no value.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Decimal? {
        guard case .decimal(let number) = object.value(key) else { return nil }
        return Decimal(number)
    }
}
