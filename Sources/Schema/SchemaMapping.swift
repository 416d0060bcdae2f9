// SPDX-License-Identifier: Apache-2.0

/// How a lightweight migration makes the entities of one schema from those of another.
///
/// ```swift
/// let mapping = try SchemaMapping(from: stored, to: model)
/// for entity in mapping.entities where entity.kind == .remove { print(entity.source ?? "") }
/// ```
///
/// Entities, and the attributes and relationships of a pair of them, belong together by their
/// renaming identifiers; those without one have their name as identifier. Where the identifier of a
/// destination is none of the source's, the source of that name counts, and failing that the one
/// with the destination's own name.
public struct SchemaMapping: Sendable, Equatable {
    /// What happens to an entity.
    public enum Kind: Sendable, Equatable {
        /// It is new.
        case add
        /// It goes, with all of its objects.
        case remove
        /// It stays as it is.
        case copy
        /// It changes, and its objects with it.
        case transform
    }

    /// Where a property of the destination comes from.
    public struct PropertyMapping: Sendable, Equatable {
        /// The property's name in the destination.
        public let destination: String
        /// Its name in the source; nil for a new property.
        public let source: String?

        /// Makes a mapping.
        public init(destination: String, source: String?) {
            self.destination = destination
            self.source = source
        }
    }

    /// Where an entity of the destination comes from, or which one of the source goes.
    public struct EntityMapping: Sendable, Equatable {
        /// What happens to the entity.
        public let kind: Kind
        /// The entity's name in the source; nil for a new one.
        public let source: String?
        /// Its name in the destination; nil for one that goes.
        public let destination: String?
        /// The attributes of the destination, in its order; none for an entity that goes.
        public let attributes: [PropertyMapping]
        /// The relationships of the destination, in its order; none for an entity that goes.
        public let relationships: [PropertyMapping]
    }

    /// The entities of the destination in its order, then those that go.
    public let entities: [EntityMapping]

    /// Infers a mapping.
    ///
    /// Whether the data can be converted is not known here: values that lack for an attribute that
    /// is no longer optional, for example, are found by whoever has the objects.
    ///
    /// - Parameters:
    ///   - source: The schema that objects were written with.
    ///   - destination: The one that they shall have.
    /// - Throws: ``SchemaMappingError`` for the first difference that no mapping can be inferred
    ///   for.
    public init(
        from source: Schema, to destination: Schema
    ) throws(SchemaMappingError) {
        let inference = try MappingInference(from: source, to: destination)
        try inference.check()
        entities = inference.entities
    }
}

extension SchemaMapping {
    /// The mapping that an entity of the destination comes from.
    /// - Complexity: O(entities)
    public func entity(to destination: String) -> EntityMapping? {
        entities.first { $0.destination == destination }
    }

    /// The mapping that an entity of the source goes into.
    /// - Complexity: O(entities)
    public func entity(from source: String) -> EntityMapping? {
        entities.first { $0.source == source }
    }
}

extension SchemaMapping.EntityMapping {
    /// The name that a property of the destination has in the source; nil for a new one.
    /// - Complexity: O(properties)
    public func source(of property: String) -> String? {
        (attributes + relationships).first { $0.destination == property }?.source
    }
}
