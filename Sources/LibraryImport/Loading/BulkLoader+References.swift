// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// The references phase: all objects exist, and references to later rows are set.
extension BulkLoader {
    /// Sets the deferred references of a batch.
    func loadReferences(_ batch: [PendingRow], _ table: Int, _ entity: Int) throws {
        let tablePlan = plan.tables[table]
        let inferred = model.entities[entity]
        // What was rejected in the objects phase was reported there.
        let rows = batch.filter {
            $0.rejection == nil && tables[table].statuses[$0.index] != .rejected
        }
        var own = inferred.key.map { KeyedObjects(entity: inferred.name, attribute: $0) }
        var lookups = BatchLookups()
        for pending in rows {
            if let index = inferred.keyIndex { own?.want(pending.row.values[index]) }
            for index in tablePlan.deferredToOne {
                lookups.want(
                    inferred.toOne[index].destination, pending.row.references[index], model)
            }
            for index in tablePlan.deferredArrays {
                let name = model.manyToMany[tablePlan.arrayLinks[index]].second.entity
                for key in pending.row.arrays[index] { lookups.want(name, key, model) }
            }
        }
        try own?.find(in: context)
        try lookups.find(in: context)
        for pending in rows {
            let object =
                inferred.keyIndex.flatMap { own?[pending.row.values[$0]] }
                ?? tables[table].objectIDs[safe: pending.index].flatMap { $0 }
                .map { context.object(with: $0) }
            guard let object else { continue }
            try setReferences(of: object, pending, table, entity, lookups)
        }
    }

    private func setReferences(
        of object: NSManagedObject, _ pending: PendingRow, _ table: Int, _ entity: Int,
        _ lookups: BatchLookups
    ) throws {
        let tablePlan = plan.tables[table]
        let inferred = model.entities[entity]
        var problems: [String] = []
        var isChanged = false
        for index in tablePlan.deferredToOne.sorted() {
            let relationship = inferred.toOne[index]
            let key = pending.row.references[index]
            let destination = lookups.destination(relationship.destination, key)
            if destination == nil, !key.isNull {
                problems.append(
                    lookups.dangling(relationship.sourceName, key, relationship.destination))
            } else if setToOne(relationship.name, of: object, to: destination) {
                isChanged = true
            }
        }
        for index in tablePlan.deferredArrays.sorted() {
            let number = tablePlan.arrayLinks[index]
            let link = model.manyToMany[number]
            var members: [NSManagedObject] = []
            for key in pending.row.arrays[index] {
                if let member = lookups.destination(link.second.entity, key) {
                    members.append(member)
                } else {
                    problems.append(lookups.dangling(link.columnName, key, link.second.entity))
                }
            }
            _ = addLinks(number, from: object, to: members)
        }
        if isChanged, tables[table].statuses[pending.index] == .unchanged {
            report.entities[entity].unchanged -= 1
            report.entities[entity].updated += 1
        }
        guard !problems.isEmpty else { return }
        // The objects phase has counted the row: its object stays.
        report.entities[entity].incomplete += 1
        let reason = problems.joined(separator: ", ")
        // A strict import stops here, and imports nothing.
        let suffix = options.isStrict ? "" : "; imported without it"
        try reject(rejection(pending, inferred.name, reason + suffix))
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
