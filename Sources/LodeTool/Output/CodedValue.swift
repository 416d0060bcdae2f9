// SPDX-License-Identifier: Apache-2.0

import Contents
import Lode

/// The values of a codable component as cells.
enum CodedValue {
    /// The keys that any of the values has; `value` where one has no keys.
    static func names(of values: [ContentNode]) -> [String] {
        var names: Set<String> = []
        for value in values {
            if case .fields(let fields) = value {
                names.formUnion(fields.map(\.name))
            } else {
                names.insert("value")
            }
        }
        return names.sorted()
    }

    /// The cells of a value: numbers, texts and IDs as in value components, others as JSON.
    static func cells(of value: ContentNode, _ names: [String]) -> [ValueText] {
        guard case .fields(let fields) = value else {
            return names.map { $0 == "value" ? cell(value) : .null }
        }
        return names.map { name in
            fields.first { $0.name == name }.map { cell($0.value) } ?? .null
        }
    }

    private static func cell(_ value: ContentNode) -> ValueText {
        switch value {
        case .null: .null
        case .text(let text): .text(text)
        case .boolean(let value): .boolean(value)
        case .integer(let number): .number("\(number)")
        case .largeInteger(let number): .number("\(number)")
        case .float(let number): ValueText(NSNumber(value: number), .floatAttributeType)
        case .double(let number): ValueText(NSNumber(value: number), .doubleAttributeType)
        case .reference(let number): .text("\(GameObjectID(rawValue: number))")
        case .list, .fields: .text(value.json { "\(GameObjectID(rawValue: $0))" })
        }
    }
}
