// SPDX-License-Identifier: Apache-2.0

import Schema

/// An entity of an inferred model.
public struct InferredEntity: Sendable, Hashable {
    /// The name in the model.
    public var name: String
    /// The name in the data.
    public var sourceName: String
    /// The attributes in the order of the columns.
    public var attributes: [InferredAttribute]
    /// The index in `attributes` of the key; `nil` if the rows have none.
    public var keyIndex: Int?
    /// The to-one relationships in the order of the columns.
    public var toOne: [InferredToOne]
    /// The rows found.
    public var rowCount: Int

    /// Makes an entity.
    public init(
        name: String, sourceName: String, attributes: [InferredAttribute] = [],
        keyIndex: Int? = nil, toOne: [InferredToOne] = [], rowCount: Int = 0
    ) {
        self.name = name
        self.sourceName = sourceName
        self.attributes = attributes
        self.keyIndex = keyIndex
        self.toOne = toOne
        self.rowCount = rowCount
    }

    /// The key attribute.
    public var key: InferredAttribute? { keyIndex.map { attributes[$0] } }
}

/// An attribute of an inferred model.
public struct InferredAttribute: Sendable, Hashable {
    /// The name in the model.
    public var name: String
    /// The column in the data.
    public var sourceName: String
    /// The type of the values.
    public var type: AttributeType
    /// Whether an object may lack the value.
    public var isOptional: Bool
    /// Whether no two objects may have the same value; true for the key.
    public var isUnique: Bool
    /// Whether the store should keep an index; true for the key.
    public var isIndexed: Bool

    /// Makes an attribute.
    public init(
        name: String, sourceName: String, type: AttributeType, isOptional: Bool,
        isUnique: Bool = false, isIndexed: Bool = false
    ) {
        self.name = name
        self.sourceName = sourceName
        self.type = type
        self.isOptional = isOptional
        self.isUnique = isUnique
        self.isIndexed = isIndexed
    }
}
