// SPDX-License-Identifier: Apache-2.0

import Schema

extension TablePlan {
    /// The plan of a table, with nothing deferred.
    static func make(sourceName: String, model: InferredModel) -> TablePlan {
        if let index = model.entities.firstIndex(where: { $0.sourceName == sourceName }) {
            return objects(index, model)
        }
        for (index, link) in model.manyToMany.enumerated() {
            if case .table(sourceName, let first, let second) = link.origin {
                return links(index, first, second, model)
            }
        }
        return TablePlan(sourceName: sourceName, name: sourceName, target: .ignored)
    }

    private static func objects(_ index: Int, _ model: InferredModel) -> TablePlan {
        let entity = model.entities[index]
        var plan = TablePlan(
            sourceName: entity.sourceName, name: entity.name, target: .entity(index))
        for (index, attribute) in entity.attributes.enumerated() {
            plan.columns.append(
                Column(
                    sourceName: attribute.sourceName, slot: .attribute(index),
                    type: attribute.type, isRequired: !attribute.isOptional))
        }
        for (index, relationship) in entity.toOne.enumerated() {
            plan.columns.append(
                Column(
                    sourceName: relationship.sourceName, slot: .toOne(index),
                    type: keyType(relationship.destination, model),
                    isRequired: !relationship.isOptional))
        }
        for (index, link) in model.manyToMany.enumerated() {
            guard case .column(let column) = link.origin, link.first.entity == entity.name else {
                continue
            }
            plan.columns.append(
                Column(
                    sourceName: column, slot: .toMany(plan.arrayLinks.count),
                    type: keyType(link.second.entity, model), isRequired: false))
            plan.arrayLinks.append(index)
        }
        return plan
    }

    private static func links(
        _ index: Int, _ first: String, _ second: String, _ model: InferredModel
    ) -> TablePlan {
        let link = model.manyToMany[index]
        var plan = TablePlan(sourceName: link.name, name: link.name, target: .links(index))
        plan.columns = [
            Column(
                sourceName: first, slot: .firstEnd, type: keyType(link.first.entity, model),
                isRequired: true),
            Column(
                sourceName: second, slot: .secondEnd, type: keyType(link.second.entity, model),
                isRequired: true),
        ]
        return plan
    }

    private static func keyType(_ entity: String, _ model: InferredModel) -> AttributeType {
        model.entity(named: entity)?.key?.type ?? .integer64
    }
}
