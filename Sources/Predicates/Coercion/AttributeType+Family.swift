// SPDX-License-Identifier: Apache-2.0

import Schema

extension AttributeType {
    /// Whether this is a type of numbers; booleans compare as 0 and 1.
    public var isNumeric: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
        case .string, .date, .binaryData, .uuid, .uri, .transformable, .objectID: false
        }
    }

    /// Whether this is a type of text.
    public var isText: Bool { self == .string || self == .uri }

    /// Whether predicates compare values of two types: numbers with numbers, text with text, else
    /// a type with itself.
    public func isComparable(to other: AttributeType) -> Bool {
        self == other || isNumeric && other.isNumeric || isText && other.isText
    }
}
