// SPDX-License-Identifier: Apache-2.0

/// A fetch index or a uniqueness constraint over attributes and to-one relationships of an entity.
public struct Index: Sendable, Hashable {
    /// The index's name, unique within its entity.
    public var name: String
    /// The names of the indexed properties, most significant first.
    public var properties: [String]
    /// Whether no two objects may hold the same values.
    ///
    /// An object with a null in one of the properties never collides.
    public var isUnique: Bool
    /// For each property whether great values come first; empty where none does.
    public let descending: [Bool]
    /// Which objects have entries; nil for all.
    public let condition: IndexCondition?

    /// Makes an index.
    ///
    /// - Parameters:
    ///   - descending: For each property whether great values come first; empty for none.
    ///   - condition: Which objects have entries; nil for all.
    public init(
        name: String, properties: [String], isUnique: Bool = false, descending: [Bool] = [],
        condition: IndexCondition? = nil
    ) {
        self.name = name
        self.properties = properties
        self.isUnique = isUnique
        // One form for what means the same, as indexes are compared.
        self.descending = descending.contains(true) ? descending : []
        self.condition = condition == .all([]) ? nil : condition
    }
}

extension Index {
    /// Whether great values of a property come first.
    ///
    /// - Parameter place: The property's place in ``properties``.
    @inlinable
    public func isDescending(_ place: Int) -> Bool { !descending.isEmpty && descending[place] }

    /// Whether objects may lack entries.
    public var isPartial: Bool { condition != nil }

    /// Whether there is more to the index than properties of all objects that ascend.
    public var hasForm: Bool { !descending.isEmpty || isPartial }

    /// The index over the same properties that serves every program, if more slowly.
    public var withoutForm: Index {
        Index(name: name, properties: properties, isUnique: isUnique)
    }
}

extension Schema {
    /// Whether an index has a form of its own.
    public var hasIndexForms: Bool {
        entities.contains { $0.indexes.contains(where: \.hasForm) }
    }

    /// The schema with plain indexes in the place of those that have a form.
    public func withoutIndexForms() throws(SchemaError) -> Schema {
        guard hasIndexForms else { return self }
        var entities = entities
        for position in entities.indices {
            entities[position].indexes = entities[position].indexes.map(\.withoutForm)
        }
        return try Schema(entities: entities)
    }
}
