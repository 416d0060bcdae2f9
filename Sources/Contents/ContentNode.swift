// SPDX-License-Identifier: Apache-2.0

/// A value as its coding made it: what the bytes of a content say.
package enum ContentNode: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A number beyond those of `integer`.
    case largeInteger(UInt64)
    case float(Float)
    case double(Double)
    case text(String)
    case list([ContentNode])
    /// Values by names, in the order of the UTF-8 of these.
    case fields([Field])
    /// A number that names a thing outside, such as a game object.
    case reference(UInt64)

    /// A value with its name.
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: ContentNode

        package init(_ name: String, _ value: ContentNode) {
            self.name = name
            self.value = value
        }
    }

    init(_ number: some FixedWidthInteger) {
        self =
            Int64(exactly: number).map(ContentNode.integer)
            ?? .largeInteger(UInt64(truncatingIfNeeded: number))
    }

    /// What the value is, for messages.
    package var kindName: String {
        switch self {
        case .null: "nil"
        case .boolean: "a Boolean value"
        case .integer, .largeInteger: "an integer"
        case .float, .double: "a floating-point number"
        case .text: "a text"
        case .list: "a list"
        case .fields: "values with keys"
        case .reference: "a reference"
        }
    }

    /// The value with other references.
    package func replacingReferences(_ other: (UInt64) -> UInt64) -> ContentNode {
        switch self {
        case .reference(let number): .reference(other(number))
        case .list(let values): .list(values.map { $0.replacingReferences(other) })
        case .fields(let fields):
            .fields(fields.map { Field($0.name, $0.value.replacingReferences(other)) })
        default: self
        }
    }
}

/// A value that is coded as a reference, which can be replaced without knowing the type around it.
package protocol ContentReference {
    /// The number.
    var contentReference: UInt64 { get }
    /// Makes the value of a number.
    init(contentReference: UInt64)
}
