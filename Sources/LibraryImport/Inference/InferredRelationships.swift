// SPDX-License-Identifier: Apache-2.0

/// A to-one relationship of an inferred model; its inverse is to-many.
public struct InferredToOne: Sendable, Hashable {
    /// The name in the model.
    public var name: String
    /// The column in the data, which holds the destination's key.
    public var sourceName: String
    /// The name of the destination in the model.
    public var destination: String
    /// The name of the destination's to-many relationship that points back.
    public var inverseName: String
    /// Whether an object may lack the reference.
    public var isOptional: Bool

    /// Makes a relationship.
    public init(
        name: String, sourceName: String, destination: String, inverseName: String,
        isOptional: Bool
    ) {
        self.name = name
        self.sourceName = sourceName
        self.destination = destination
        self.inverseName = inverseName
        self.isOptional = isOptional
    }
}

/// A to-many relationship of an inferred model, seen from one end.
public struct InferredToMany: Sendable, Hashable {
    /// The name in the model.
    public var name: String
    /// The name of the destination in the model.
    public var destination: String
    /// The name of the destination's relationship that points back.
    public var inverseName: String
    /// Whether the inverse is to-many as well.
    public var isManyToMany: Bool
}

/// A many-to-many relationship of an inferred model.
public struct InferredManyToMany: Sendable, Hashable {
    /// Where the data has the links.
    public enum Origin: Sendable, Hashable {
        /// A table with a column for each end: its name in the data and its columns.
        case table(sourceName: String, firstColumn: String, secondColumn: String)
        /// A column of the first end, with arrays of the second end's keys.
        case column(sourceName: String)
    }

    /// Where the data has the links.
    public var origin: Origin
    /// The end of a table's first column, or the entity that has the column.
    public var first: InferredLinkEnd
    /// The other end.
    public var second: InferredLinkEnd
    /// The links found; for a column, the rows that have a value.
    public var rowCount: Int

    /// Makes a relationship.
    public init(
        origin: Origin, first: InferredLinkEnd, second: InferredLinkEnd, rowCount: Int = 0
    ) {
        self.origin = origin
        self.first = first
        self.second = second
        self.rowCount = rowCount
    }
}

/// One end of a many-to-many relationship.
public struct InferredLinkEnd: Sendable, Hashable {
    /// The name of the entity in the model.
    public var entity: String
    /// The entity's property that leads to the other end.
    public var property: String

    /// Makes an end.
    public init(entity: String, property: String) {
        self.entity = entity
        self.property = property
    }
}
