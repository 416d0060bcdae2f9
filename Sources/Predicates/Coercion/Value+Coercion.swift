// SPDX-License-Identifier: Apache-2.0

import Schema

extension Value {
    /// A constant as it is compared with an attribute of a type; `nil` where it cannot be.
    ///
    /// A constant that the type compares with stays as it is. Apart from that,
    /// - a text that is a number stands for that number, for a type of numbers: digits with a sign,
    ///   a fraction after a point and an exponent, without spaces, separators or other letters;
    /// - `true`, `yes`, `false` and `no` in any case stand for 1 and 0, for a boolean;
    /// - an ISO 8601 text stands for its date, see ``init(dateText:)``;
    /// - a text of 32 hexadecimal digits in the usual groups stands for a UUID;
    /// - a whole number stands for its digits, for text, unless the comparison is one of order;
    /// - data stands for the stored form of a transformable value.
    ///
    /// - Parameters:
    ///   - type: The type of the attribute.
    ///   - isOrdered: Whether the comparison asks which of both is smaller.
    public func coerced(to type: AttributeType, isOrdered: Bool = false) -> Value? {
        guard let own = self.type else { return self }
        if own.isComparable(to: type) { return self }
        switch type {
        case .integer16, .integer32, .integer64, .double, .float:
            return text.flatMap { Value(numeral: $0) }
        case .decimal: return text.flatMap { Value(numeral: $0, isDecimal: true) }
        case .boolean: return text.flatMap { Value(numeral: $0) ?? Value(truth: $0) }
        case .date: return text.flatMap { Value(dateText: $0) }
        case .uuid: return text.flatMap { UUIDValue($0) }.map { .uuid($0) }
        case .string, .uri:
            if isOrdered || own == .boolean { return nil }
            return wholeNumber.map { .string(String($0)) }
        case .transformable:
            if case .binaryData(let bytes) = self { return .transformable(bytes) }
            return nil
        case .binaryData, .objectID: return nil
        }
    }

    private var wholeNumber: Int64? {
        if case .integer(let number) = Number(self) { number } else { nil }
    }

    private init?(truth text: String) {
        switch text.lowercased() {
        case "true", "yes": self = .boolean(true)
        case "false", "no": self = .boolean(false)
        default: return nil
        }
    }

    /// The number in a text; an integer if it is one of 64 bits.
    private init?(numeral text: String, isDecimal: Bool = false) {
        guard Value.isNumeral(text) else { return nil }
        if let whole = Int64(text) {
            self = .integer64(whole)
        } else if isDecimal, let number = DecimalValue(predicateText: text) {
            self = .decimal(number)
        } else if let number = Double(text), number.isFinite {
            self = .double(number)
        } else {
            return nil
        }
    }

    /// Whether a text is a sign, digits with a point, and an exponent; all but the digits are
    /// optional.
    private static func isNumeral(_ text: String) -> Bool {
        var rest = Substring(text)
        func skipSign() {
            if let first = rest.first, first == "-" || first == "+" { rest.removeFirst() }
        }
        func skipDigits() -> Int {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest[digits.endIndex...]
            return digits.count
        }
        skipSign()
        guard skipDigits() > 0 else { return false }
        if rest.first == "." {
            rest.removeFirst()
            guard skipDigits() > 0 else { return false }
        }
        if rest.first == "e" || rest.first == "E" {
            rest.removeFirst()
            skipSign()
            guard skipDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
