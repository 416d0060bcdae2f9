// SPDX-License-Identifier: Apache-2.0

/// A model inferred from data and a mapping: what the store's model is made of.
///
/// Everything goes by name; names are unique where they have to be: entities in the model,
/// properties in their entity, inverses and many-to-many ends included.
public struct InferredModel: Sendable, Hashable {
    /// The entities in the order in which the data has them.
    public var entities: [InferredEntity]
    /// The many-to-many relationships, from tables of links and from arrays of keys.
    public var manyToMany: [InferredManyToMany]
    /// What the user should know: mixed columns, columns that look like references.
    public var notes: [String]
    /// The tables found, tables of links included.
    public var tableCount: Int
    /// The rows found in all tables, unusable ones included.
    public var rowCount: Int

    /// Makes a model.
    public init(
        entities: [InferredEntity], manyToMany: [InferredManyToMany] = [], notes: [String] = [],
        tableCount: Int = 0, rowCount: Int = 0
    ) {
        self.entities = entities
        self.manyToMany = manyToMany
        self.notes = notes
        self.tableCount = tableCount
        self.rowCount = rowCount
    }

    /// The entity of a name.
    public func entity(named name: String) -> InferredEntity? {
        entities.first { $0.name == name }
    }

    /// The to-many relationships of an entity: inverses of to-one relationships in the order of
    /// their sources, then ends of many-to-many relationships.
    public func toMany(of entity: String) -> [InferredToMany] { toManyByEntity[entity] ?? [] }

    /// The to-many relationships of all entities, for callers that need many of them.
    var toManyByEntity: [String: [InferredToMany]] {
        var result: [String: [InferredToMany]] = [:]
        for source in entities {
            for relationship in source.toOne {
                result[relationship.destination, default: []].append(
                    InferredToMany(
                        name: relationship.inverseName, destination: source.name,
                        inverseName: relationship.name, isManyToMany: false))
            }
        }
        for link in manyToMany {
            for (end, other) in [(link.first, link.second), (link.second, link.first)] {
                result[end.entity, default: []].append(
                    InferredToMany(
                        name: end.property, destination: other.entity,
                        inverseName: other.property, isManyToMany: true))
            }
        }
        return result
    }
}
