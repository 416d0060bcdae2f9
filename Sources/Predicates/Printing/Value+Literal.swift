// SPDX-License-Identifier: Apache-2.0

import Schema

extension Value {
    /// The value as a constant of the predicate format language.
    ///
    /// Numbers, strings and nil are literals; true is 1; other types are casts that the parser
    /// turns back into the same value.
    public var predicateLiteral: String {
        switch self {
        case .null: "nil"
        case .integer16(let value): String(value)
        case .integer32(let value): String(value)
        case .integer64(let value): String(value)
        case .boolean(let value): value ? "1" : "0"
        case .double(let value): value.predicateLiteral
        case .float(let value): Double(value).predicateLiteral
        case .string(let value): value.predicateLiteral
        case .date(let value): "CAST(\(value.dateLiteral), \"NSDate\")"
        case .decimal(let value): "CAST(\"\(value.scientificText)\", \"NSDecimalNumber\")"
        case .binaryData(let bytes): "CAST(\"\(bytes.hexText)\", \"NSData\")"
        case .transformable(let bytes): "CAST(\"\(bytes.hexText)\", \"Transformable\")"
        case .uuid(let value): "CAST(\"\(value)\", \"NSUUID\")"
        case .uri(let value): "CAST(\(value.predicateLiteral), \"NSURL\")"
        case .objectID(let value): "CAST(\"\(value)\", \"NSManagedObjectID\")"
        }
    }

    /// What a literal cast to a type stands for; `nil` for casts that are not a constant's text.
    func literalCast(to type: String) -> Value? {
        switch (type, self) {
        case ("NSDate", .integer64(let value)): .date(Double(value))
        case ("NSDate", .double(let value)): .date(value)
        case ("double", .string(let text)): Double(text).map { .double($0) }
        case ("float", .string(let text)): Float(text).map { .float($0) }
        case ("boolean", .string("1")): .boolean(true)
        case ("boolean", .string("0")): .boolean(false)
        case ("NSDecimalNumber", .string(let text)):
            DecimalValue(predicateText: text).map { .decimal($0) }
        case ("NSData", .string(let text)): [UInt8](hexText: text).map { .binaryData($0) }
        case ("Transformable", .string(let text)):
            [UInt8](hexText: text).map { .transformable($0) }
        case ("NSUUID", .string(let text)): UUIDValue(text).map { .uuid($0) }
        case ("NSURL", .string(let text)): .uri(text)
        case ("NSManagedObjectID", .string(let text)):
            ObjectKey(predicateText: text).map { .objectID($0) }
        default: nil
        }
    }
}

extension String {
    /// The text in double quotes, with escapes.
    var predicateLiteral: String {
        var literal = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\t": literal += "\\t"
            case "\r": literal += "\\r"
            case "\0"..<" ", "\u{7F}":
                let code = String(scalar.value, radix: 16)
                literal += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}

extension Double {
    fileprivate var predicateLiteral: String {
        isFinite ? description : "CAST(\"\(description)\", \"double\")"
    }

    /// Seconds with six places where that is exact, as Foundation writes them.
    fileprivate var dateLiteral: String {
        guard let scaled = Int64(exactly: (magnitude * 1e6).rounded()) else {
            return predicateLiteral
        }
        var text = sign == .minus ? "-" : ""
        let places = String(scaled % 1_000_000)
        text += String(scaled / 1_000_000) + "."
        text += String(repeating: "0", count: 6 - places.count) + places
        return Double(text) == self ? text : predicateLiteral
    }
}

extension [UInt8] {
    fileprivate var hexText: String {
        var text = ""
        for byte in self {
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
        return text
    }

    fileprivate init?(hexText: String) {
        let digits = hexText.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        self = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            append(UInt8((digits[index] ?? 0) << 4 | (digits[index + 1] ?? 0)))
        }
    }
}

extension DecimalValue {
    /// The digits and the power of ten, short for any exponent.
    var scientificText: String {
        if exponent >= -40, magnitude <= 37 { return description }
        return "\(isNegative ? "-" : "")\(significand)e\(exponent)"
    }

    /// Reads decimal text whose exponent is small enough for the type.
    init?(predicateText text: String) {
        let parts = text.utf8.split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 | 0x20 == 0x65 })
        if parts.count == 2, parts[1].count > 6 { return nil }
        self.init(text)
    }
}

extension ObjectKey {
    /// Reads the text form, `3/p17` or, for a temporary key, `3/t17`.
    init?(predicateText text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let entity = UInt16(parts[0]), let mark = parts[1].first,
            mark == "p" || mark == "t", let row = UInt64(parts[1].dropFirst()),
            row < ObjectKey.temporaryBit
        else { return nil }
        self.init(
            entity: EntityNumber(rawValue: entity),
            row: mark == "t" ? row | ObjectKey.temporaryBit : row)
    }
}
