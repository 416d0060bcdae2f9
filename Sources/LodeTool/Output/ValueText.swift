// SPDX-License-Identifier: Apache-2.0

import Lode

/// A value as the tool prints it.
enum ValueText: Equatable {
    case null
    case text(String)
    /// Digits that JSON takes as they are.
    case number(String)
    case boolean(Bool)

    /// The form of what key-value coding returned for an attribute of a type.
    init(_ value: Any?, _ type: NSAttributeType) {
        switch (type, value) {
        case (.stringAttributeType, let text as String): self = .text(text)
        case (.booleanAttributeType, let flag as NSNumber): self = .boolean(flag.boolValue)
        case (.doubleAttributeType, let number as NSNumber):
            self = ValueText.real(number.doubleValue, "\(number.doubleValue)")
        case (.floatAttributeType, let number as NSNumber):
            self = ValueText.real(number.doubleValue, "\(number.floatValue)")
        case (.decimalAttributeType, let number as NSDecimalNumber):
            let decimal = number.decimalValue
            self = decimal.isNaN ? .text("\(decimal)") : .number("\(decimal)")
        case (_, let number as NSNumber): self = .number("\(number.int64Value)")
        case (_, let date as Date): self = .text(ValueText.iso8601(date))
        case (_, let data as Data): self = .text(data.base64EncodedString())
        case (_, let uuid as UUID): self = .text(uuid.uuidString)
        case (_, let url as URL): self = .text(url.absoluteString)
        case (_, let id as NSManagedObjectID): self = .text("\(id)")
        case (_, let other?): self = .text("\(other)")
        case (_, nil): self = .null
        }
    }

    private static func real(_ number: Double, _ text: String) -> ValueText {
        number.isFinite ? .number(text) : .text(text)
    }

    /// The years 1 to 9999, in seconds from the reference date: beyond them there is no ISO 8601.
    private static let calendar = -63_113_904_000.0..<252_423_993_600

    /// UTC, with a fraction only where there is one.
    static func iso8601(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        guard calendar.contains(seconds) else { return "\(seconds) s after 2001-01-01T00:00:00Z" }
        return ISODateText.text(seconds)
    }

    /// The text of a table's cell: one line of it.
    var plain: String {
        switch self {
        case .null: ""
        case .text(let text):
            TerminalText.isPlain(text)
                ? text : String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        case .number(let digits): digits
        case .boolean(let flag): flag ? "true" : "false"
        }
    }

    /// A field of a CSV file, quoted where RFC 4180 asks for it; an empty text is not null.
    var csv: String {
        guard case .text(let text) = self else { return plain }
        return ValueText.quotedForCSV(text)
    }

    /// A field of a CSV file.
    static func quotedForCSV(_ text: String) -> String {
        let quote = UInt8(ascii: "\"")
        let needsQuotes =
            text.isEmpty || text.utf8.contains { isSpecialInCSV($0) }
            || text.utf8.first == UInt8(ascii: " ") || text.utf8.last == UInt8(ascii: " ")
        guard needsQuotes else { return text }
        var field = [quote]
        field.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            if byte == quote { field.append(quote) }
            field.append(byte)
        }
        field.append(quote)
        return String(decoding: field, as: UTF8.self)
    }

    /// A quote, a comma or the end of a line.
    private static func isSpecialInCSV(_ byte: UInt8) -> Bool {
        byte == 0x22 || byte == 0x2C || byte == 0x0A || byte == 0x0D
    }

    /// A JSON value.
    var json: String {
        switch self {
        case .null: "null"
        case .text(let text): ValueText.quotedForJSON(text)
        case .number(let digits): digits
        case .boolean(let flag): flag ? "true" : "false"
        }
    }

    /// A JSON string.
    static func quotedForJSON(_ text: String) -> String {
        if TerminalText.isPlain(text), !text.utf8.contains(where: isSpecialInJSON) {
            return "\"" + text + "\""
        }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            // JSON asks for the first of these; a terminal would obey the others as well.
            case _ where scalar.value < 0x1_0000 && TerminalText.isObeyed(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A quote or a backslash.
    private static func isSpecialInJSON(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x5C }

    /// The name of an attribute's type.
    static func typeName(_ type: NSAttributeType) -> String {
        switch type {
        case .undefinedAttributeType: "undefined"
        case .integer16AttributeType: "integer16"
        case .integer32AttributeType: "integer32"
        case .integer64AttributeType: "integer64"
        case .decimalAttributeType: "decimal"
        case .doubleAttributeType: "double"
        case .floatAttributeType: "float"
        case .stringAttributeType: "string"
        case .booleanAttributeType: "boolean"
        case .dateAttributeType: "date"
        case .binaryDataAttributeType: "binaryData"
        case .UUIDAttributeType: "uuid"
        case .URIAttributeType: "uri"
        case .transformableAttributeType: "transformable"
        case .objectIDAttributeType: "objectID"
        }
    }
}
