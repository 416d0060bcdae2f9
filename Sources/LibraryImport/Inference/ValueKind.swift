// SPDX-License-Identifier: Apache-2.0

/// What a single value of a column looks like.
enum ValueKind: Int, Sendable, CaseIterable {
    case boolean, integer, bigInteger, fraction, date, uuid, text
    case integerArray, textArray, emptyArray, nested

    /// The kind in words, for notes.
    var noun: String {
        switch self {
        case .boolean: "boolean"
        case .integer, .bigInteger: "whole number"
        case .fraction: "fraction"
        case .date: "date"
        case .uuid: "UUID"
        case .text: "text"
        case .integerArray, .textArray, .emptyArray: "array"
        case .nested: "object"
        }
    }
}

extension ValueKind {
    /// The kind of a value, `nil` for a missing one.
    /// - Parameter isUntyped: Whether numbers and booleans are to be read out of text.
    init?(_ value: RowValue, in bytes: [UInt8], isUntyped: Bool) {
        switch value {
        case .absent, .null, .emptyText: return nil
        case .boolean: self = .boolean
        case .integer: self = .integer
        case .number(let range):
            let isWhole = !bytes[range].contains { $0 == 0x2E || $0 | 0x20 == 0x65 }
            self = isWhole ? .bigInteger : .init(fraction: bytes[range])
        case .text(let range): self.init(text: bytes[range], isUntyped: isUntyped)
        case .nested(let range): self.init(nested: bytes[range])
        }
    }

    private init(text: ArraySlice<UInt8>, isUntyped: Bool) {
        // Dates and numbers begin with a digit or a sign; most texts do not.
        let isWord = text.first.map { $0 > 0x39 } ?? false
        if isWord, text.count != 36, BooleanText.value(text) == nil {
            self = .text
        } else if ISODate.isPlausible(text), ISODate.seconds(text) != nil {
            self = .date
        } else if text.count == 36, UUIDText.value(text) != nil {
            self = .uuid
        } else if isUntyped {
            switch Numeral(text) {
            case .integer: self = .integer
            case .bigInteger: self = .bigInteger
            case .fraction: self.init(fraction: text)
            case nil: self = BooleanText.value(text) == nil ? .text : .boolean
            }
        } else {
            self = .text
        }
    }

    /// A number with a fraction or an exponent; text where it is beyond a double's range.
    private init(fraction text: ArraySlice<UInt8>) {
        // No text of this length without an exponent is.
        let mayBeBeyond = text.count > 300 || text.contains { $0 | 0x20 == 0x65 }
        self = mayBeBeyond && Numeral.double(text) == nil ? .text : .fraction
    }

    private init(nested: ArraySlice<UInt8>) {
        guard var elements = NestedElements(nested) else {
            self = .nested
            return
        }
        var kind = ValueKind.emptyArray
        while let element = elements.next() {
            switch element {
            case .integer where kind == .emptyArray || kind == .integerArray: kind = .integerArray
            case .text where kind == .emptyArray || kind == .textArray: kind = .textArray
            default:
                self = .nested
                return
            }
        }
        self = kind
    }
}
