// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// Deleted objects, unless another commit has changed them.
extension SaveWriter {
    func deleteAll(checksVersion: Bool, _ transaction: SaveTransaction) throws {
        try forEach(deletions) { object, place in
            try delete(object, place, checksVersion: checksVersion, transaction)
        }
    }

    private func delete(
        _ object: NSManagedObject, _ place: WritePlace, checksVersion: Bool,
        _ transaction: SaveTransaction
    ) throws {
        let key = inner(object.key)
        let old = try transaction.recordForUpdate(key, in: place.table)
        if let old {
            if checksVersion || isApart(object), isOutdated(object, old) {
                conflicting.append(object)
            }
        } else if checksVersion, try contextHasRecord(of: object) {
            // Gone since this context looked last; where it knows already, both agree.
            conflicting.append(object)
        }
        // With a conflict nothing is committed: the rest is only checked.
        guard conflicting.isEmpty else { return }
        if let old {
            try place.derived?.delete(place.table.entity.name, key, old, transaction)
            hasWritten = true
            try transaction.delete(old, of: key, in: place.table)
        }
        for relationship in place.table.relationships where relationship.isLinked {
            if try transaction.unlinkAll(key, relationship) { hasWritten = true }
        }
    }
}
