// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// Makes one model of several.
struct ModelMerge {
    private let models: [NSManagedObjectModel]
    private var entities: [NSEntityDescription] = []
    private var byName: [String: NSEntityDescription] = [:]

    /// Copies the models and keeps one entity of each name; traps for two that differ.
    init(_ models: [NSManagedObjectModel]) {
        self.models = models.compactMap { $0.copy() as? NSManagedObjectModel }
        for entity in self.models.flatMap(\.entities) {
            let name = entity.name ?? ""
            if let other = byName[name] {
                require(
                    other.isEqual(entity), "two models describe the entity \(name) differently")
                // No model will do so for it.
                entity.releaseRuntime()
                continue
            }
            byName[name] = entity
            entities.append(entity)
        }
        for entity in entities { connect(entity) }
    }

    /// Gives an empty model what there is.
    func fill(_ result: NSManagedObjectModel) {
        // An entity belongs to one model.
        for model in models { model.entities = [] }
        result.entities = entities
        for model in models {
            result.versionIdentifiers.formUnion(model.versionIdentifiers)
            for (name, members) in model.entitiesByConfiguration {
                let known = result.entitiesByConfiguration[name] ?? []
                let added = members.compactMap(kept).filter { !known.contains($0) }
                result.setEntities(known + added, forConfigurationName: name)
            }
            for (name, template) in model.templates where result.templates[name] == nil {
                lead(template)
                result.templates[name] = template
            }
        }
    }

    private func kept(_ entity: NSEntityDescription?) -> NSEntityDescription? {
        entity?.name.flatMap { byName[$0] }
    }

    /// Leads what an entity refers to to the entities that are kept.
    private func connect(_ entity: NSEntityDescription) {
        entity.subentities = entity.subentities.compactMap(kept)
        entity.leadProperties(to: kept)
    }

    /// Leads a request to an entity that is kept; one that has only a name stays as it is.
    private func lead(_ request: NSFetchRequest<any NSFetchRequestResult>) {
        if let entity = kept(request.entity) { request.entity = entity }
    }
}
