// SPDX-License-Identifier: Apache-2.0

import Schema

/// What a mapping says about one attribute; `nil` leaves the choice to inference.
public struct AttributeMapping: Sendable, Hashable {
    /// The property's name.
    public var name: String?
    /// The type that values must have; rows with other values are rejected.
    public var type: AttributeType?
    /// Whether a row may lack the value.
    public var isOptional: Bool?
    /// Whether no two objects may have the same value.
    public var isUnique: Bool?
    /// Whether the store keeps an index.
    public var isIndexed: Bool?

    /// Makes a mapping that changes nothing.
    public init() {}
}
