// SPDX-License-Identifier: Apache-2.0

extension ContentNode {
    /// The value as JSON; numbers that JSON lacks are texts, such as `"nan"`.
    ///
    /// - Parameter reference: The text of a reference.
    package func json(_ reference: (UInt64) -> String) -> String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let number): "\(number)"
        case .largeInteger(let number): "\(number)"
        case .float(let number): number.isFinite ? "\(number)" : "\"\(number)\""
        case .double(let number): number.isFinite ? "\(number)" : "\"\(number)\""
        case .text(let text): ContentNode.quoted(text)
        case .list(let values):
            "[" + values.map { $0.json(reference) }.joined(separator: ",") + "]"
        case .fields(let fields):
            "{"
                + fields.map { ContentNode.quoted($0.name) + ":" + $0.value.json(reference) }
                .joined(separator: ",") + "}"
        case .reference(let number): ContentNode.quoted(reference(number))
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
