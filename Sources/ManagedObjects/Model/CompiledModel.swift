// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

/// A model in the form that contexts work with: the schema and one runtime an entity.
// Sendable because all but the resolved classes is immutable; EntityRuntime guards those.
final class CompiledModel: Sendable {
    let schema: Schema
    /// The runtimes, by the ordinals of the schema.
    let runtimes: [EntityRuntime]
    /// Whether objects may refer to others without an inverse.
    let hasLoosePointers: Bool
    /// The names of all transformable attributes.
    let transformables: Set<String>
    private let ordinals: [String: Int]

    init(_ model: NSManagedObjectModel) throws(ModelError) {
        var entities: [Entity] = []
        for description in model.entities {
            try description.checkDepth()
            entities.append(try description.compiled())
        }
        schema = try CompiledModel.schema(entities, model)
        hasLoosePointers = schema.entities.contains { entity in
            entity.relationships.contains { $0.inverse == nil }
                || entity.attributes.contains { $0.type == .objectID }
        }
        transformables = Set(
            schema.entities.flatMap(\.attributes).filter { $0.type == .transformable }
                .map(\.name))
        let descriptions = model.entitiesByName
        var runtimes: [EntityRuntime] = []
        for (ordinal, entity) in schema.entities.enumerated() {
            guard let description = descriptions[entity.name] else {
                throw ModelError("entity \(entity.name) has no description")
            }
            runtimes.append(
                EntityRuntime(ordinal: ordinal, entity: entity, schema, description: description))
        }
        self.runtimes = runtimes
        ordinals = Dictionary(
            uniqueKeysWithValues: schema.entities.enumerated().map { ($1.name, $0) })
        for runtime in runtimes {
            try runtime.resolveClass()
            runtime.linkFamily(of: self)
        }
        for runtime in runtimes {
            runtime.linkRelationships(of: self)
            runtime.description.freeze(runtime)
        }
    }

    /// The schema of entities, with the conditions of partial indexes.
    ///
    /// These are read by the types of attributes, so the entities come first.
    private static func schema(
        _ entities: [Entity], _ model: NSManagedObjectModel
    ) throws(ModelError) -> Schema {
        do {
            let plain = try Schema(entities: entities)
            let isPartial = model.entities.contains { entity in
                entity.indexes.contains { $0.partialIndexPredicate != nil }
            }
            guard isPartial else { return plain }
            var entities = entities
            for (place, description) in model.entities.enumerated() {
                entities[place].indexes = try description.compiledIndexes(in: plain)
            }
            return try Schema(entities: entities)
        } catch let error as ModelError {
            throw error
        } catch {
            throw ModelError("\(error)")
        }
    }

    deinit {
        for runtime in runtimes { runtime.unlink() }
    }

    /// The runtime of the entity of a name.
    func runtime(named name: String) -> EntityRuntime? { ordinals[name].map { runtimes[$0] } }

    /// The runtime of the entity that a class belongs to; traps where several name the class.
    func runtime(for type: NSManagedObject.Type) -> EntityRuntime? {
        let chosen = claimants(of: type)
        guard chosen.count <= 1 else {
            trap(
                "class \(type) belongs to the entities "
                    + chosen.map(\.entity.name).joined(separator: ", ")
                    + "; use init(entity:insertInto:)")
        }
        return chosen.first
    }

    /// The runtimes of the entities that a class may belong to.
    ///
    /// A class belongs to the entity that names it, with or without its module: to the concrete
    /// one, if there is only one.
    func claimants(of type: NSManagedObject.Type) -> [EntityRuntime] {
        let candidates = runtimes.filter { $0.accepts(type) }
        let exact = candidates.filter { !$0.entity.isAbstract }
        let chosen = exact.count == 1 ? exact : candidates
        if chosen.count == 1 { chosen[0].adopt(type) }
        return chosen
    }
}
