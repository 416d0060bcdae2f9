// SPDX-License-Identifier: Apache-2.0

extension SchemaMapping {
    /// What a migration by this mapping takes away from objects: `Shelf` for an entity that goes,
    /// `Book.pages` for a property that has no place in the destination or is transient there.
    ///
    /// - Parameters:
    ///   - source: The schema that the mapping leads from.
    ///   - destination: The one that it leads to.
    /// - Returns: The names, in the source's order; none for properties that are not stored.
    /// - Complexity: O(properties²) of each entity.
    public func losses(from source: Schema, to destination: Schema) -> [String] {
        source.entities.flatMap { entity in
            guard let mapping = self.entity(from: entity.name), let name = mapping.destination,
                let kept = destination.entity(name)
            else { return [entity.name] }
            let attributes = Set(kept.attributes.filter { !$0.isTransient }.map(\.name))
            let relationships = Set(kept.relationships.filter { !$0.isTransient }.map(\.name))
            let lost =
                entity.attributes.filter { !$0.isTransient }.map(\.name)
                .filter { !SchemaMapping.keeps($0, mapping.attributes, attributes) }
                + entity.relationships.filter { !$0.isTransient }.map(\.name)
                .filter { !SchemaMapping.keeps($0, mapping.relationships, relationships) }
            return lost.map { "\(entity.name).\($0)" }
        }
    }

    private static func keeps(
        _ name: String, _ mappings: [PropertyMapping], _ stored: Set<String>
    ) -> Bool {
        mappings.contains { $0.source == name && stored.contains($0.destination) }
    }
}
