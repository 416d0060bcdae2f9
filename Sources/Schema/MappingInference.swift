// SPDX-License-Identifier: Apache-2.0

/// Matches two schemas.
struct MappingInference {
    /// The sources of the properties of an entity, by the names of the destination.
    struct Properties {
        let attributes: [String: String]
        let relationships: [String: String]

        func source(of property: String) -> String? {
            attributes[property] ?? relationships[property]
        }
    }

    let source: Schema
    let destination: Schema
    /// The names of the sources of entities, by those of the destinations.
    let sources: [String: String]
    /// The properties of the entities that have a source.
    let properties: [String: Properties]

    init(from source: Schema, to destination: Schema) throws(SchemaMappingError) {
        self.source = source
        self.destination = destination
        do throws(NameMatching<Entity>.Conflict) {
            sources = try NameMatching(destination.entities, from: source.entities).sources
        } catch {
            throw SchemaMappingError(entity: error.destination, reason: error.reason)
        }
        var properties: [String: Properties] = [:]
        for entity in destination.entities {
            guard let former = sources[entity.name].flatMap({ source.entity($0) }) else {
                continue
            }
            properties[entity.name] = Properties(
                attributes: try MappingInference.match(
                    entity.attributes, from: former.attributes, of: entity),
                relationships: try MappingInference.match(
                    entity.relationships, from: former.relationships, of: entity))
        }
        self.properties = properties
    }

    private static func match<Element: Renamable>(
        _ elements: [Element], from former: [Element], of entity: Entity
    ) throws(SchemaMappingError) -> [String: String] {
        do throws(NameMatching<Element>.Conflict) {
            return try NameMatching(elements, from: former).sources
        } catch {
            throw SchemaMappingError(
                entity: entity.name, property: error.destination, reason: error.reason)
        }
    }

    /// The mappings of the entities of the destination, and of those that go.
    var entities: [SchemaMapping.EntityMapping] {
        let stayed = Set(sources.values)
        return destination.entities.map(mapping)
            + source.entities.filter { !stayed.contains($0.name) }.map { entity in
                SchemaMapping.EntityMapping(
                    kind: .remove, source: entity.name, destination: nil, attributes: [],
                    relationships: [])
            }
    }

    private func mapping(of entity: Entity) -> SchemaMapping.EntityMapping {
        let known = properties[entity.name]
        return SchemaMapping.EntityMapping(
            kind: kind(of: entity), source: sources[entity.name], destination: entity.name,
            attributes: entity.attributes.map {
                SchemaMapping.PropertyMapping(
                    destination: $0.name, source: known?.attributes[$0.name])
            },
            relationships: entity.relationships.map {
                SchemaMapping.PropertyMapping(
                    destination: $0.name, source: known?.relationships[$0.name])
            })
    }

    private func kind(of entity: Entity) -> SchemaMapping.Kind {
        guard let name = sources[entity.name], let former = source.entity(name),
            let known = properties[entity.name]
        else { return .add }
        let keepsNames =
            entity.attributes.allSatisfy { known.attributes[$0.name] == $0.name }
            && entity.relationships.allSatisfy { known.relationships[$0.name] == $0.name }
        return former.versionHash == entity.versionHash && keepsNames ? .copy : .transform
    }
}
