// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// The model of a further file: part of a coordinator's model, without the program's classes and
/// without what is not stored.
enum PlainModel {
    /// A copy of a model with some entities, and those that they cannot do without: the ones above
    /// and below them, and the destinations of their relationships.
    static func make(
        _ model: NSManagedObjectModel, with names: Set<String>?
    ) -> NSManagedObjectModel {
        guard let copy = model.copy() as? NSManagedObjectModel else {
            trap("a model copies to a model")
        }
        removeFetchedProperties(copy)
        if let names {
            let kept = closure(of: copy.entities.filter { names.contains($0.name ?? "") })
            for entity in kept {
                entity.subentities = entity.subentities.filter { child in
                    kept.contains { $0 === child }
                }
            }
            copy.entities = copy.entities.filter { entity in kept.contains { $0 === entity } }
        }
        removeClasses(copy)
        return copy
    }

    /// Removes what the objects of the coordinator's model fetch, as it may lead to entities that
    /// other stores hold.
    private static func removeFetchedProperties(_ model: NSManagedObjectModel) {
        for entity in model.entities {
            entity.properties.removeAll { $0 is NSFetchedPropertyDescription }
        }
    }

    /// Makes all objects plain ones.
    static func removeClasses(_ model: NSManagedObjectModel) {
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
    }

    /// Takes over what a file does not keep of a model: which values outlive a deleted object.
    static func adoptHistoryRules(
        of model: NSManagedObjectModel, in stored: NSManagedObjectModel
    ) {
        let known = stored.entitiesByName
        for entity in model.entities {
            let attributes = entity.name.flatMap { known[$0] }?.attributesByName ?? [:]
            for (name, attribute) in entity.attributesByName
            where attribute.preservesValueInHistoryOnDeletion {
                attributes[name]?.preservesValueInHistoryOnDeletion = true
            }
        }
    }

    private static func closure(of entities: [NSEntityDescription]) -> [NSEntityDescription] {
        var found: [NSEntityDescription] = []
        var queue = entities
        while let entity = queue.popLast() {
            guard !found.contains(where: { $0 === entity }) else { continue }
            found.append(entity)
            queue += entity.subentities
            if let parent = entity.superentity { queue.append(parent) }
            queue += entity.relationshipsByName.values.compactMap(\.destinationEntity)
        }
        return found
    }
}
