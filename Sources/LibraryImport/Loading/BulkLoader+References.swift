// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// The references phase: all objects exist, and references to later rows are set.
extension BulkLoader {
    /// Sets the deferred references of a batch.
    func loadReferences(
        _ batch: [PendingRow], _ table: TableIndex, _ entity: EntityIndex
    ) throws {
        let tablePlan = plan.tables[table]
        let inferred = model[entity]
        // What was rejected in the objects phase was reported there.
        let rows = batch.filter {
            $0.rejection == nil && tables[table].statuses[$0.index] != .rejected
        }
        var own = inferred.keyIndex.map {
            KeyedObjects(KeyColumn(entity: inferred, attribute: $0, places[entity]))
        }
        var lookups = BatchLookups(model, places)
        for pending in rows {
            if let index = inferred.keyIndex { own?.want(pending.row.values[index]) }
            for index in tablePlan.deferredToOne {
                let destination = places[entity].toOne[index].destination
                lookups.want(destination, pending.row.references[index])
            }
            for index in tablePlan.deferredArrays {
                let end = places[tablePlan.arrayLinks[index]].second.entity
                for key in pending.row.arrays[index] { lookups.want(end, key) }
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
        of object: NSManagedObject, _ pending: PendingRow, _ table: TableIndex,
        _ entity: EntityIndex,
        _ lookups: BatchLookups
    ) throws {
        let tablePlan = plan.tables[table]
        let inferred = model[entity]
        var problems: [String] = []
        var isChanged = false
        var keepsFormer = false
        for index in tablePlan.deferredToOne.sorted() {
            let (place, destinationEntity) = places[entity].toOne[index]
            let key = pending.row.references[index]
            let destination = lookups.destination(destinationEntity, key)
            if destination == nil, !key.isNull {
                problems.append(
                    lookups.dangling(inferred.toOne[index].sourceName, key, destinationEntity))
                keepsFormer = keepsFormer || object.destination(at: place) != nil
            } else if setToOne(place, of: object, to: destination) {
                isChanged = true
            }
        }
        for index in tablePlan.deferredArrays.sorted() {
            let link = tablePlan.arrayLinks[index]
            let end = places[link].second.entity
            var members: [NSManagedObject] = []
            for key in pending.row.arrays[index] {
                if let member = lookups.destination(end, key) {
                    members.append(member)
                } else {
                    problems.append(lookups.dangling(model[link].columnName, key, end))
                }
            }
            setLinks(link, from: object, to: members)
        }
        if isChanged, tables[table].statuses[pending.index] == .unchanged {
            report[entity].unchanged -= 1
            report[entity].updated += 1
        }
        guard !problems.isEmpty else { return }
        // The objects phase has counted the row: its object stays.
        report[entity].incomplete += 1
        let reason = problems.joined(separator: ", ")
        // A strict import stops here, and imports nothing.
        let kept = keepsFormer ? "; what it led to before stays" : "; imported without it"
        let suffix = options.isStrict ? "" : kept
        try reject(rejection(pending, inferred.name, reason + suffix))
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
