// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Converts between Foundation's values and stored ones.
///
/// Key-value coding hands out `NSNumber` for numbers, as `Int32` in an `Any` does not cast to `Int`
/// on Linux.
enum ValueConversion {
    /// The stored form of a value; `nil` when it is of no class that the type takes.
    static func value(_ any: Any?, as type: AttributeType) -> Value? {
        guard let any = unwrapped(any) else { return .null }
        switch type {
        case .integer16: return integer(any).flatMap { Int16(exactly: $0) }.map { .integer16($0) }
        case .integer32: return integer(any).flatMap { Int32(exactly: $0) }.map { .integer32($0) }
        case .integer64: return integer(any).map { .integer64($0) }
        case .double: return double(any).map { .double($0) }
        case .float: return double(any).map { .float(Float($0)) }
        case .boolean: return boolean(any).map { .boolean($0) }
        case .decimal: return decimal(any).map { .decimal($0) }
        case .string: return string(any).map { .string($0) }
        case .date: return (any as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
        case .uuid: return (any as? UUID).map { .uuid(UUIDValue($0)) }
        case .uri: return (any as? URL).map { .uri($0.absoluteString) }
        case .binaryData: return data(any).map { .binaryData($0) }
        case .transformable: return data(any).map { .transformable($0) }
        case .objectID: return (any as? NSManagedObjectID).map { .objectID($0.currentKey) }
        }
    }

    /// The stored form of a number with a fraction for an integer attribute: without the fraction,
    /// as `NSNumber` gives it; `nil` for any other value, and for one that is out of range.
    static func truncated(_ any: Any?, as type: AttributeType) -> Value? {
        guard [.integer16, .integer32, .integer64].contains(type),
            let any = unwrapped(any), let number = double(any), number.isFinite
        else { return nil }
        if let decimal = any as? Decimal ?? (any as? NSDecimalNumber)?.decimalValue {
            return exact(truncated(decimal)).flatMap { value($0, as: type) }
        }
        return Int64(exactly: number.rounded(.towardZero)).flatMap { value($0, as: type) }
    }

    /// The Foundation form of a value, `nil` for null.
    static func object(_ value: Value) -> Any? {
        switch value {
        case .null, .objectID: nil
        case .integer16, .integer32, .integer64, .double, .float, .boolean, .decimal: number(value)
        case .string(let text): text
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .uuid(let uuid): UUID(uuid)
        case .uri(let text): URL(string: text)
        case .binaryData(let bytes), .transformable(let bytes): Data(bytes)
        }
    }

    /// The number of a value; `nil` for one of another type.
    static func number(_ value: Value) -> NSNumber? {
        switch value {
        case .integer16(let number): NSNumber(value: number)
        case .integer32(let number): NSNumber(value: number)
        case .integer64(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .float(let number): NSNumber(value: number)
        case .boolean(let flag): NSNumber(value: flag)
        case .decimal(let number): StoredDecimalNumber(decimal: Decimal(number))
        default: nil
        }
    }

    /// Looks through optionals and `NSNull`.
    static func unwrapped(_ any: Any?) -> Any? {
        guard let any else { return nil }
        // Casting a collection of Swift to a class would make Foundation's of it first.
        if type(of: any) is AnyClass { return isNull(any) ? nil : any }
        if isPlain(type(of: any)) { return any }
        guard let optional = any as? any OptionalValue else { return any }
        return unwrapped(optional.content)
    }

    // Generic, so that an object is cast from its own class, see `NamedObject`.
    private static func isNull<Content>(_ value: Content) -> Bool { value is NSNull }

    /// Whether a type is one of the usual ones, which the cast to an optional takes longest for.
    private static func isPlain(_ type: Any.Type) -> Bool {
        type == String.self || type == Int.self || type == Double.self || type == Bool.self
            || type == Date.self || type == Data.self || type == UUID.self
    }

    /// A value as key-value coding hands it out: numbers as `NSNumber`, nil for an empty optional.
    static func boxed(_ any: Any?) -> Any? {
        guard let any = unwrapped(any) else { return nil }
        switch any {
        case let number as NSNumber: return number
        case let flag as Bool: return NSNumber(value: flag)
        case let number as Int: return NSNumber(value: number)
        case let number as Double: return NSNumber(value: number)
        case let number as Float: return NSNumber(value: number)
        case let number as Decimal: return StoredDecimalNumber(decimal: number)
        case let number as UInt64: return NSNumber(value: number)
        case let number as any BinaryInteger: return NSNumber(value: Int64(clamping: number))
        default: return any
        }
    }

    private static func integer(_ any: Any) -> Int64? {
        let type = type(of: any)
        // Foundation tries all kinds of numbers before it finds that a number is an integer.
        if type == NSNumber.self, let number = any as? NSNumber { return exact(number) }
        switch any {
        case let number as Int where type == Int.self: return Int64(number)
        // Before the casts of other numbers, which go by way of a double.
        case let number as NSDecimalNumber: return exact(number.decimalValue)
        case let number as Decimal: return exact(number)
        case let number as Int: return Int64(number)
        case let number as any BinaryInteger: return Int64(exactly: number)
        case let number as NSNumber: return exact(number)
        default: return nil
        }
    }

    /// The integer of a number of any kind; doubles cannot hold all of them.
    private static func exact(_ number: NSNumber) -> Int64? {
        switch String(cString: number.objCType) {
        case "d", "f": Int64(exactly: number.doubleValue)
        case "Q": Int64(exactly: number.uint64Value)
        default: number.int64Value
        }
    }

    private static func truncated(_ number: Decimal) -> Decimal {
        var (number, result) = (number, Decimal())
        NSDecimalRound(&result, &number, 0, number.isSignMinus ? .up : .down)
        return result
    }

    /// The integer that a decimal is; nil for fractions and for what no integer holds.
    private static func exact(_ number: Decimal) -> Int64? {
        // As digits: `int64Value` goes by way of a double.
        Int64(number.description)
    }

    private static func double(_ any: Any) -> Double? {
        switch any {
        case let number as Double: number
        case let number as Float: Double(number)
        case let number as NSNumber: number.doubleValue
        case let number as any BinaryInteger: Double(number)
        case let number as Decimal: NSDecimalNumber(decimal: number).doubleValue
        default: nil
        }
    }

    private static func boolean(_ any: Any) -> Bool? {
        switch any {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        case let number as any BinaryInteger: Int64(clamping: number) != 0
        default: nil
        }
    }

    private static func string(_ any: Any) -> String? {
        (any as? String) ?? (any as? NSString).map { String(describing: $0) }
    }

    private static func data(_ any: Any) -> [UInt8]? {
        switch any {
        case let data as Data: Array(data)
        case let bytes as [UInt8]: bytes
        case let data as NSData: Array(Data(referencing: data))
        default: nil
        }
    }

    private static func decimal(_ any: Any) -> DecimalValue? {
        switch any {
        case let number as Decimal: DecimalValue(number)
        case let number as NSDecimalNumber: DecimalValue(number.decimalValue)
        case let number as any BinaryInteger: DecimalValue(String(describing: number))
        case let number as NSNumber: DecimalValue(number.decimalValue)
        case let number as Double: DecimalValue(Decimal(number))
        default: nil
        }
    }
}

/// An optional, seen through a value of unknown type.
private protocol OptionalValue {
    var content: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var content: Any? { self }
}
