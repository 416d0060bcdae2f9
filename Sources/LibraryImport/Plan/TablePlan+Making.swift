// SPDX-License-Identifier: Apache-2.0

import Schema

/// Makes the plans of all tables of a model, with nothing deferred.
struct TablePlanMaking {
    private let model: InferredModel
    private var entities: [String: EntityIndex] = [:]
    private var keyTypes: [String: AttributeType] = [:]
    /// The relationships that are tables of their own, by their names in the data.
    private var linkTables: [String: LinkIndex] = [:]
    /// The relationships that are columns, by their entities' names.
    private var arrayLinks: [String: [LinkIndex]] = [:]

    init(_ model: InferredModel) {
        self.model = model
        for index in model.entityIndexes {
            let entity = model[index]
            if entities[entity.sourceName] == nil { entities[entity.sourceName] = index }
            if keyTypes[entity.name] == nil { keyTypes[entity.name] = entity.key?.type }
        }
        for index in model.linkIndexes {
            let link = model[index]
            switch link.origin {
            case .table(let name, _, _): if linkTables[name] == nil { linkTables[name] = index }
            case .column: arrayLinks[link.first.entity, default: []].append(index)
            }
        }
    }

    /// The plan of the table of a name in the data.
    func table(_ sourceName: String) -> TablePlan {
        if let index = entities[sourceName] { return objects(index) }
        if let index = linkTables[sourceName],
            case .table(_, let first, let second) = model[index].origin
        {
            return links(index, first, second)
        }
        return TablePlan(sourceName: sourceName, name: sourceName, target: .ignored)
    }

    private func objects(_ index: EntityIndex) -> TablePlan {
        let entity = model[index]
        var plan = TablePlan(
            sourceName: entity.sourceName, name: entity.name, target: .entity(index))
        for (index, attribute) in entity.attributes.enumerated() {
            plan.columns.append(
                TablePlan.Column(
                    sourceName: attribute.sourceName, slot: .attribute(index),
                    type: attribute.type, isRequired: !attribute.isOptional,
                    takesEmptyText: attribute.type == .string && index != entity.keyIndex))
        }
        for (index, relationship) in entity.toOne.enumerated() {
            plan.columns.append(
                TablePlan.Column(
                    sourceName: relationship.sourceName, slot: .toOne(index),
                    type: keyType(relationship.destination),
                    isRequired: !relationship.isOptional))
        }
        for index in arrayLinks[entity.name] ?? [] {
            let link = model[index]
            guard case .column(let column) = link.origin else { continue }
            plan.columns.append(
                TablePlan.Column(
                    sourceName: column, slot: .toMany(plan.arrayLinks.count),
                    type: keyType(link.second.entity), isRequired: false))
            plan.arrayLinks.append(index)
        }
        return plan
    }

    private func links(_ index: LinkIndex, _ first: String, _ second: String) -> TablePlan {
        let link = model[index]
        var plan = TablePlan(sourceName: link.name, name: link.name, target: .links(index))
        plan.columns = [
            TablePlan.Column(
                sourceName: first, slot: .firstEnd, type: keyType(link.first.entity),
                isRequired: true),
            TablePlan.Column(
                sourceName: second, slot: .secondEnd, type: keyType(link.second.entity),
                isRequired: true),
        ]
        return plan
    }

    private func keyType(_ entity: String) -> AttributeType { keyTypes[entity] ?? .integer64 }
}
