// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Values that properties of a type are tried with, to tell them from computed ones.
enum ProbeSamples {
    /// Values for the attribute behind a property of a type; no value alone for relationships and
    /// transformables.
    ///
    /// They are such that what a program may compute of them differs: no text is trimmed, of one
    /// case or short, no number is within usual bounds.
    static func values(for type: Any.Type) -> [Value] {
        let isOptional = type is any OptionalKind.Type
        let wrapped = (type as? any OptionalKind.Type)?.wrapped ?? type
        let values = values(ofWrapped: wrapped)
        return values.isEmpty || isOptional ? [.null] + values : values
    }

    private static func values(ofWrapped type: Any.Type) -> [Value] {
        if let enumeration = type as? any RawRepresentable.Type { return cases(of: enumeration) }
        switch type {
        case is String.Type:
            return ["", " Ab\u{301}-ß é\n", String(repeating: "zY", count: 300)]
                .map { .string($0) }
        case is any BinaryInteger.Type:
            return [0, 7, -12_345, 31_000].map { .integer64($0) }
        case is any BinaryFloatingPoint.Type:
            return [0, 0.625, -12_345.5, 4e9].map { .double($0) }
        case is Bool.Type:
            return [.boolean(false), .boolean(true)]
        case is Date.Type:
            return [0, 5e9, -5e9].map { .date($0) }
        case is Decimal.Type:
            return ["0", "7.25", "-12345.5"].compactMap { DecimalValue($0).map { .decimal($0) } }
        case is UUID.Type:
            return [.uuid(UUIDValue(high: 0, low: 0)), .uuid(UUIDValue(high: 5, low: 7))]
        case is Data.Type:
            return [.binaryData([]), .binaryData([7, 0, 255])]
        case is URL.Type:
            return [.uri("file:///dev/null"), .uri("http://a.example/B%20?c=d#e")]
        default:
            return []
        }
    }

    private static func cases<Enumeration: RawRepresentable>(
        of type: Enumeration.Type
    ) -> [Value] {
        var found: [Enumeration] = []
        if let all = type as? any CaseIterable.Type {
            found = allCases(of: all).compactMap { $0 as? Enumeration }
        }
        if found.isEmpty {
            found = [-1, 0, 1, 2, 3].compactMap { number in
                (Enumeration.RawValue.self as? any FixedWidthInteger.Type)
                    .flatMap { $0.init(exactly: number) as? Enumeration.RawValue }
                    .flatMap { Enumeration(rawValue: $0) }
            }
        }
        if found.isEmpty { found = anyCase(of: type).map { [$0] } ?? [] }
        return found.compactMap { PredicateConversion.scalar($0.rawValue) }
    }

    private static func allCases<Enumeration: CaseIterable>(of type: Enumeration.Type) -> [Any] {
        Array(type.allCases)
    }

    /// A value of an enumeration without associated values; nil for other types.
    static func anyCase<Enumeration>(of type: Enumeration.Type) -> Enumeration? {
        guard _isPOD(type), MemoryLayout<Enumeration>.size <= MemoryLayout<UInt8>.size else {
            return nil
        }
        if MemoryLayout<Enumeration>.size == 0 {
            // SAFETY: a value of no bytes.
            return unsafeBitCast((), to: Enumeration.self)
        }
        // SAFETY: one byte without references; zero is the first case of an enumeration, and a
        // value of each type of a byte that wraps a number.
        return unsafeBitCast(UInt8(0), to: Enumeration.self)
    }

    /// What a property of a type reads for an attribute's value; nil where that is not known.
    static func expected(_ type: Any.Type, of object: NSManagedObject) -> Any? {
        if let managed = type as? any ManagedValue.Type { return read(managed, object) }
        let wrapped = (type as? any OptionalKind.Type)?.wrapped ?? type
        guard let enumeration = wrapped as? any RawRepresentable.Type else { return nil }
        return expectedRaw(enumeration, object)
    }

    private static let key = PropertyKey("value")

    private static func read<Property: ManagedValue>(
        _: Property.Type, _ object: NSManagedObject
    ) -> Any {
        Property.__lode_read(object, key)
    }

    private static func expectedRaw<Enumeration: RawRepresentable>(
        _: Enumeration.Type, _ object: NSManagedObject
    ) -> Any? {
        guard let raw = Enumeration.RawValue.self as? any ManagedOptionalWrapped.Type else {
            return nil
        }
        return readOptional(raw, object)
    }

    private static func readOptional<Property: ManagedOptionalWrapped>(
        _: Property.Type, _ object: NSManagedObject
    ) -> Any {
        Property.__lode_readOptional(object, key) as Any
    }
}
