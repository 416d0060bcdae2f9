// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// Converts one field to an attribute's type.
package enum ValueConverter {
    /// The value, `.null` for a missing one; `nil` when the field is of another type.
    ///
    /// Text is read as a number, boolean, date or UUID where the type asks for it, in JSON as in
    /// CSV. A whole number with a fraction of zeros is an integer. `string` takes everything.
    ///
    /// The value is as an object keeps it, so that both can be compared.
    package static func convert(
        _ value: RowValue, in bytes: [UInt8], to type: AttributeType
    ) -> Value? {
        switch value {
        case .absent, .null: .null
        case .emptyText: type == .string ? .string("") : .null
        case .boolean(let flag): boolean(flag, type)
        case .integer(let number): integer(number, type)
        case .number(let range): number(bytes[range], type)
        case .text(let range): text(bytes[range], type)
        case .nested(let range): type == .string ? .string(string(bytes[range])) : nil
        }
    }

    private static func boolean(_ flag: Bool, _ type: AttributeType) -> Value? {
        switch type {
        case .boolean: .boolean(flag)
        case .string: .string(flag ? "true" : "false")
        default: nil
        }
    }

    private static func integer(_ number: Int64, _ type: AttributeType) -> Value? {
        switch type {
        case .integer64: .integer64(number)
        case .integer32: Int32(exactly: number).map { .integer32($0) }
        case .integer16: Int16(exactly: number).map { .integer16($0) }
        case .double: .double(Double(number))
        case .float: .float(Float(number))
        case .decimal:
            .decimal(
                DecimalValue(
                    significand: UInt128(number.magnitude), exponent: 0, isNegative: number < 0))
        case .boolean: number == 0 || number == 1 ? .boolean(number == 1) : nil
        case .string: .string(String(number))
        default: nil
        }
    }

    private static func number(_ text: ArraySlice<UInt8>, _ type: AttributeType) -> Value? {
        switch type {
        case .double: return Numeral.double(text).map { .double($0) }
        case .float:
            guard let value = Numeral.double(text).map({ Float($0) }), value.isFinite else {
                return nil
            }
            return .float(value)
        case .decimal: return Numeral.decimal(text).flatMap { Value.decimal($0).keptForm }
        case .string: return .string(string(text))
        case .integer16, .integer32, .integer64:
            guard let whole = Numeral.double(text).flatMap({ Int64(exactly: $0) }),
                whole.magnitude <= 1 << 53
            else { return nil }
            return integer(whole, type)
        default: return nil
        }
    }

    private static func text(_ text: ArraySlice<UInt8>, _ type: AttributeType) -> Value? {
        switch type {
        case .string: return .string(string(text))
        case .date: return ISODate.seconds(text).map { .date($0) }
        case .uuid: return UUIDText.value(text).map { .uuid($0) }
        case .uri: return text.isEmpty ? nil : Value.uri(string(text)).keptForm
        case .binaryData: return Base64Text.bytes(text).map { .binaryData($0) }
        case .boolean:
            if let flag = BooleanText.value(text) { return .boolean(flag) }
            guard case .integer(let bit) = Numeral(text) else { return nil }
            return integer(bit, .boolean)
        case .integer16, .integer32, .integer64, .double, .float, .decimal:
            switch Numeral(text) {
            case .integer(let value): return integer(value, type)
            case .bigInteger, .fraction: return number(text, type)
            case nil: return nil
            }
        case .transformable, .objectID: return nil
        }
    }

    private static func string(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: text, as: UTF8.self)
    }
}
