// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSManagedObjectModel: NSCopying {
    /// An editable copy of a model that may be in use: copies of all entities, connected among
    /// each other.
    public func copy(with zone: NSZone? = nil) -> Any {
        let result = NSManagedObjectModel()
        result.versionIdentifiers = versionIdentifiers
        var copies: [String: NSEntityDescription] = [:]
        let pairs = entities.map { ($0, $0.copyWithoutIndexes()) }
        for (original, copy) in pairs { copies[original.name ?? ""] = copy }
        func copied(_ entity: NSEntityDescription?) -> NSEntityDescription? {
            entity.map { copies[$0.name ?? ""] ?? $0 }
        }
        for (original, copy) in pairs {
            copy.subentities = original.subentities.compactMap(copied)
        }
        for (_, copy) in pairs { copy.leadProperties(to: copied) }
        for (original, copy) in pairs { copy.copyIndexes(of: original) }
        result.entities = pairs.map { $0.1 }
        result.entitiesByConfiguration = entitiesByConfiguration.mapValues { entities in
            entities.compactMap(copied)
        }
        for (name, template) in templates {
            let request = template.duplicate()
            request.entity = copied(template.entity)
            if request.entity == nil, let entity = template.entityName.flatMap({ copies[$0] }) {
                request.entity = entity
            }
            result.templates[name] = request
        }
        return result
    }

    /// The digests of all entities by name.
    public final var entityVersionHashesByName: [String: Data] {
        entitiesByName.mapValues(\.versionHash)
    }
}

extension NSEntityDescription {
    /// Leads relationships and fetched properties from the entities of a former model to those that
    /// stand for them.
    func leadProperties(to entity: (NSEntityDescription?) -> NSEntityDescription?) {
        for case let fetched as NSFetchedPropertyDescription in declaredProperties {
            // A request that has only a name stays as it is.
            guard let request = fetched.fetchRequest, let former = request.entity else { continue }
            if let new = entity(former) { request.entity = new }
        }
        for case let relationship as NSRelationshipDescription in declaredProperties {
            // Asked before the destination changes, and the inverse with it.
            let inverse = relationship.inverseName
            let destination = entity(relationship.destinationEntity)
            relationship.destinationEntity = destination
            // Else what it names is still missed when the model is used.
            if let found = inverse.flatMap({ destination?.relationshipsByName[$0] }) {
                relationship.inverseRelationship = found
            }
        }
    }
}
