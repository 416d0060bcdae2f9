// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// Named subsets of a model's entities: what one of several stores holds.
extension NSManagedObjectModel {
    /// The names of the configurations, in no order.
    public final var configurations: [String] { Array(entitiesByConfiguration.keys) }

    /// The entities of a configuration; those of the model for nil, and nil for an unknown name.
    public final func entities(
        forConfigurationName configuration: String?
    ) -> [NSEntityDescription]? {
        guard let configuration, configuration != NSPersistentStore.defaultConfiguration else {
            return entities
        }
        return entitiesByConfiguration[configuration]
    }

    /// Makes a configuration or replaces its entities.
    ///
    /// Entities that inherit from one of the configuration belong to it as well. Relationships do
    /// not lead from one store to another, so put related entities into one configuration. Traps
    /// for an entity that the model does not have.
    public final func setEntities(
        _ entities: [NSEntityDescription], forConfigurationName configuration: String
    ) {
        for entity in entities where entity.model !== self {
            trap(
                "entity \(entity.name ?? "") is not part of the model; set the model's entities "
                    + "before its configurations")
        }
        entitiesByConfiguration[configuration] = entities
    }

    /// Whether a store with some metadata can be opened with a configuration of the model as it is;
    /// nil stands for all entities.
    ///
    /// A file has to have all entities of the configuration, and those that they depend on, as the
    /// model has them. It may have more, but not where all entities of the model are asked for.
    public final func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard let entities = entities(forConfigurationName: configuration),
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        else { return false }
        guard !Self.isOfProgram(metadata) else {
            return entities.allSatisfy { hashes[$0.name ?? ""] == $0.versionHash }
        }
        let names = Set(entities.flatMap(Self.family).compactMap(\.name))
        guard names.count < self.entities.count else { return hashes == entityVersionHashesByName }
        return PlainModel.make(self, with: names).entityVersionHashesByName.allSatisfy {
            hashes[$0.key] == $0.value
        }
    }

    /// Whether metadata comes from a store class of the program's own, which tells the hashes of
    /// what it has and may have any other entities.
    private static func isOfProgram(_ metadata: [String: Any]) -> Bool {
        guard let type = metadata[NSStoreTypeKey] as? String else { return false }
        return RegisteredStores.storeClass(for: type) != nil
    }

    /// An entity with those that inherit from it.
    private static func family(_ entity: NSEntityDescription) -> [NSEntityDescription] {
        [entity] + entity.subentities.flatMap(family)
    }
}
