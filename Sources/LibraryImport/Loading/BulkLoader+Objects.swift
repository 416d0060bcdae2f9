// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// The objects phase: attributes and the references whose destinations exist.
extension BulkLoader {
    /// Makes and changes the objects of a batch.
    func loadObjects(_ batch: [PendingRow], _ table: Int, _ entity: Int) throws {
        var lookups = try BatchLookups(self, batch, table, entity)
        let keepsStatus = plan.tables[table].hasDeferredWork
        var objects: [NSManagedObject?] = []
        for pending in batch {
            let status = try load(pending, table, entity, &lookups)
            switch status {
            case .rejected: report.entities[entity].rejected += 1
            case .inserted: report.entities[entity].inserted += 1
            case .updated: report.entities[entity].updated += 1
            case .unchanged: report.entities[entity].unchanged += 1
            }
            report.entities[entity].read += 1
            guard keepsStatus else { continue }
            tables[table].statuses.append(status)
            if model.entities[entity].keyIndex == nil { objects.append(lookups.lastObject) }
        }
        guard !objects.isEmpty else { return }
        // Only the save gives objects the IDs under which the references phase finds them.
        if context.hasChanges { try context.save() }
        tables[table].objectIDs += objects.map { $0?.objectID }
    }

    private func load(
        _ pending: PendingRow, _ table: Int, _ entity: Int, _ lookups: inout BatchLookups
    ) throws -> RowStatus {
        lookups.lastObject = nil
        if let rejection = pending.rejection {
            try reject(rejection)
            return .rejected
        }
        if let reason = lookups.problem(of: pending.row, self, table, entity) {
            try reject(rejection(pending, model.entities[entity].name, reason))
            return .rejected
        }
        if let object = existingObject(pending.row, table, entity, lookups) {
            let isChanged = fill(object, with: pending.row, table, entity, &lookups)
            note(object, pending.row, table, entity, &lookups)
            return isChanged ? .updated : .unchanged
        }
        if takeDigest(of: pending.row, table, entity) { return .unchanged }
        let object = NSManagedObject(entity: descriptions[entity], insertInto: context)
        lookups.lastObject = object
        _ = fill(object, with: pending.row, table, entity, &lookups)
        note(object, pending.row, table, entity, &lookups)
        return .inserted
    }

    private func existingObject(
        _ row: ConvertedRow, _ table: Int, _ entity: Int, _ lookups: BatchLookups
    ) -> NSManagedObject? {
        guard let key = model.entities[entity].keyIndex else { return nil }
        return lookups.own(key, row.values[key])
    }

    /// Whether an object without a key has all values of the row and stands for no other row.
    private func takeDigest(of row: ConvertedRow, _ table: Int, _ entity: Int) -> Bool {
        guard model.entities[entity].keyIndex == nil, tables[table].mayExist else { return false }
        let digest = RowDigest.digest(row.values, row.references)
        guard let count = tables[table].digests[digest], count > 0 else { return false }
        tables[table].digests[digest] = count - 1
        return true
    }

    /// Sets the values that differ; returns whether any did.
    private func fill(
        _ object: NSManagedObject, with row: ConvertedRow, _ table: Int, _ entity: Int,
        _ lookups: inout BatchLookups
    ) -> Bool {
        var isChanged = false
        let inferred = model.entities[entity]
        for (index, attribute) in inferred.attributes.enumerated() {
            let value = row.values[index]
            if object.isInserted, value.isNull { continue }
            if !object.isInserted {
                let old = FoundationValue.value(
                    object.value(forKey: attribute.name), attribute.type)
                if BulkLoader.isSame(old, value) { continue }
            }
            object.setValue(FoundationValue.object(value), forKey: attribute.name)
            isChanged = true
        }
        let tablePlan = plan.tables[table]
        for (index, relationship) in inferred.toOne.enumerated()
        where !tablePlan.deferredToOne.contains(index) {
            let destination = lookups.destination(relationship.destination, row.references[index])
            if setToOne(relationship.name, of: object, to: destination) { isChanged = true }
        }
        for (index, link) in tablePlan.arrayLinks.enumerated()
        where !tablePlan.deferredArrays.contains(index) {
            let end = model.manyToMany[link].second
            let members = row.arrays[index].compactMap { lookups.destination(end.entity, $0) }
            _ = addLinks(link, from: object, to: members)
        }
        return isChanged
    }

    /// Remembers the object for later rows of the batch and for the check of duplicates.
    private func note(
        _ object: NSManagedObject, _ row: ConvertedRow, _ table: Int, _ entity: Int,
        _ lookups: inout BatchLookups
    ) {
        lookups.note(object, row.values)
        guard let index = model.entities[entity].keyIndex, let key = LookupKey(row.values[index])
        else { return }
        lookups.seen.insert(key)
        guard case .tracked(var keys) = tables[table].duplicates else { return }
        // Out of the enumeration while it changes, so that it is not copied.
        tables[table].duplicates = .none
        keys.insert(key)
        tables[table].duplicates = .tracked(keys)
    }

    /// Sets a to-one relationship if it differs; returns whether it did.
    func setToOne(
        _ name: String, of object: NSManagedObject, to destination: NSManagedObject?
    ) -> Bool {
        let old = object.isInserted ? nil : object.value(forKey: name) as? NSManagedObject
        guard old !== destination else { return false }
        object.setValue(destination, forKey: name)
        return true
    }

    /// Equality as stored: text by its bytes.
    static func isSame(_ left: Value, _ right: Value) -> Bool {
        if case .string(let left) = left, case .string(let right) = right {
            return left.utf8.elementsEqual(right.utf8)
        }
        return left == right
    }
}
