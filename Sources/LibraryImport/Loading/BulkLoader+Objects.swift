// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// The objects phase: attributes and the references whose destinations exist.
extension BulkLoader {
    /// Makes and changes the objects of a batch.
    ///
    /// - Returns: The object of each row.
    func loadObjects(
        _ batch: [PendingRow], _ table: TableIndex, _ entity: EntityIndex
    ) throws -> [NSManagedObject?] {
        var lookups = try BatchLookups(self, batch, table, entity)
        let keepsStatus = plan.tables[table].hasDeferredWork
        var objects: [NSManagedObject?] = []
        for pending in batch {
            let status = try load(pending, table, entity, &lookups)
            switch status {
            case .rejected: report[entity].rejected += 1
            case .inserted: report[entity].inserted += 1
            case .updated: report[entity].updated += 1
            case .unchanged: report[entity].unchanged += 1
            }
            report[entity].read += 1
            objects.append(lookups.lastObject)
            if keepsStatus { tables[table].statuses.append(status) }
        }
        return objects
    }

    /// Keeps the IDs of saved objects that the references phase cannot find by a key.
    func keepIDs(
        of objects: [NSManagedObject?], _ table: TableIndex, _ entity: EntityIndex
    ) {
        guard plan.tables[table].hasDeferredWork, model[entity].keyIndex == nil else { return }
        tables[table].objectIDs += objects.map { $0?.objectID }
    }

    private func load(
        _ pending: PendingRow, _ table: TableIndex, _ entity: EntityIndex,
        _ lookups: inout BatchLookups
    ) throws -> RowStatus {
        lookups.lastObject = nil
        if let rejection = pending.rejection {
            try reject(rejection)
            return .rejected
        }
        if let reason = lookups.problem(of: pending.row, self, table, entity) {
            try reject(rejection(pending, model[entity].name, reason))
            return .rejected
        }
        if let object = existingObject(pending.row, entity, lookups) {
            lookups.lastObject = object
            let isChanged = fill(object, with: pending.row, table, entity, &lookups)
            note(object, pending.row, table, entity, &lookups)
            return isChanged ? .updated : .unchanged
        }
        if takeDigest(of: pending.row, table, entity) { return .unchanged }
        if let name = places[entity].lacking {
            try reject(rejection(pending, model[entity].name, RejectionReason.missing(name)))
            return .rejected
        }
        let object = NSManagedObject(
            entity: places[entity].description, insertInto: context)
        lookups.lastObject = object
        _ = fill(object, with: pending.row, table, entity, &lookups)
        note(object, pending.row, table, entity, &lookups)
        return .inserted
    }

    private func existingObject(
        _ row: ConvertedRow, _ entity: EntityIndex, _ lookups: BatchLookups
    ) -> NSManagedObject? {
        guard let key = model[entity].keyIndex else { return nil }
        return lookups.own(key, row.values[key])
    }

    /// Whether an object without a key has all values of the row and stands for no other row.
    private func takeDigest(
        of row: ConvertedRow, _ table: TableIndex, _ entity: EntityIndex
    ) -> Bool {
        guard model[entity].keyIndex == nil, tables[table].mayExist else { return false }
        return tables[table].take(digest: RowDigest.digest(row.values, row.references))
    }

    /// Sets the values that differ; returns whether any did.
    private func fill(
        _ object: NSManagedObject, with row: ConvertedRow, _ table: TableIndex,
        _ entity: EntityIndex, _ lookups: inout BatchLookups
    ) -> Bool {
        var isChanged = false
        let entityPlaces = places[entity]
        for (index, place) in entityPlaces.attributes.enumerated() {
            let value = row.values[index]
            if object.isInserted ? value.isNull : object.value(at: place) == value { continue }
            object.setValue(value, at: place)
            isChanged = true
        }
        let tablePlan = plan.tables[table]
        for (index, (place, entity)) in entityPlaces.toOne.enumerated()
        where !tablePlan.deferredToOne.contains(index) {
            let destination = lookups.destination(entity, row.references[index])
            if setToOne(place, of: object, to: destination) { isChanged = true }
        }
        for (index, link) in tablePlan.arrayLinks.enumerated()
        where !tablePlan.deferredArrays.contains(index) {
            let end = places[link].second.entity
            let members = row.arrays[index].compactMap { lookups.destination(end, $0) }
            setLinks(link, from: object, to: members)
        }
        return isChanged
    }

    /// Remembers the object for later rows of the batch and for the check of duplicates.
    private func note(
        _ object: NSManagedObject, _ row: ConvertedRow, _ table: TableIndex,
        _ entity: EntityIndex, _ lookups: inout BatchLookups
    ) {
        lookups.note(object, row.values)
        guard let index = model[entity].keyIndex, let key = LookupKey(row.values[index])
        else { return }
        lookups.seen.insert(key)
        tables[table].track(key)
    }

    /// Sets a to-one relationship if it differs; returns whether it did.
    func setToOne(
        _ place: ToOnePlace, of object: NSManagedObject, to destination: NSManagedObject?
    ) -> Bool {
        let old = object.isInserted ? nil : object.destination(at: place)
        guard old !== destination else { return false }
        object.setDestination(destination, at: place)
        return true
    }
}
