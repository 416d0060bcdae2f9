// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// The value of a key as an entry of a dictionary.
///
/// Text is compared by its bytes, as in the store: Swift takes composed and decomposed letters for
/// equal.
enum LookupKey: Hashable {
    case integer(Int64)
    case text([UInt8])
    case number(Double)
    case uuid(UUIDValue)
    case decimal(DecimalValue)

    /// The key of a value from the data; `nil` for null.
    init?(_ value: Value) {
        switch value {
        case .null, .transformable, .objectID: return nil
        case .integer16(let number): self = .integer(Int64(number))
        case .integer32(let number): self = .integer(Int64(number))
        case .integer64(let number): self = .integer(number)
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .double(let number), .date(let number): self = .number(number)
        case .float(let number): self = .number(Double(number))
        case .string(let text), .uri(let text): self = .text(Array(text.utf8))
        case .binaryData(let bytes): self = .text(bytes)
        case .uuid(let uuid): self = .uuid(uuid)
        case .decimal(let number): self = .decimal(number)
        }
    }
}

/// Values between their stored form and that of key-value coding.
enum FoundationValue {
    /// What key-value coding takes and predicates hold; `nil` for null.
    static func object(_ value: Value) -> Any? {
        switch value {
        case .null, .transformable, .objectID: nil
        case .integer16(let number): Int(number)
        case .integer32(let number): Int(number)
        case .integer64(let number): Int(number)
        case .boolean(let flag): flag
        case .double(let number): number
        case .float(let number): number
        case .decimal(let number): Decimal(string: number.description)
        case .string(let text): text
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .binaryData(let bytes): Data(bytes)
        case .uuid(let uuid): UUID(uuidString: uuid.description)
        case .uri(let text): URL(string: text)
        }
    }

    /// The stored form of what key-value coding returned for an attribute of a type.
    static func value(_ object: Any?, _ type: AttributeType) -> Value {
        guard let object else { return .null }
        switch type {
        case .string: return (object as? String).map { .string($0) } ?? .null
        case .date:
            return (object as? Date).map { .date($0.timeIntervalSinceReferenceDate) } ?? .null
        case .binaryData: return (object as? Data).map { .binaryData(Array($0)) } ?? .null
        case .uuid:
            return (object as? UUID).flatMap { UUIDValue($0.uuidString) }
                .map { .uuid($0) } ?? .null
        case .uri: return (object as? URL).map { .uri($0.absoluteString) } ?? .null
        case .decimal:
            return (object as? NSDecimalNumber)
                .flatMap { DecimalValue("\($0.decimalValue)") }.map { .decimal($0) } ?? .null
        default: return (object as? NSNumber).map { number($0, type) } ?? .null
        }
    }

    private static func number(_ number: NSNumber, _ type: AttributeType) -> Value {
        switch type {
        case .integer16: .integer16(number.int16Value)
        case .integer32: .integer32(number.int32Value)
        case .integer64: .integer64(number.int64Value)
        case .boolean: .boolean(number.boolValue)
        case .float: .float(number.floatValue)
        default: .double(number.doubleValue)
        }
    }
}
