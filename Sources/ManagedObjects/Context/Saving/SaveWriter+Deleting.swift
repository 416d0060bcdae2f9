// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// Deleted objects, unless another commit has changed them.
extension SaveWriter {
    /// What the deletions of one entity's objects need of it.
    private struct Place {
        let ordinal: Int
        let table: EntityTable
        /// The relationships whose links are apart from the record.
        let linked: [RelationshipTable]
        let derived: (any DerivedEntries.Type)?

        init(of object: NSManagedObject, _ writer: SaveWriter) {
            ordinal = object.runtimeOrdinal
            table = writer.target.table(ordinal)
            linked = table.relationships.filter(\.isLinked)
            derived = writer.derivedEntries(of: object)
        }
    }

    /// Deletes in the order of the keys, so that each page is found and copied once.
    func deleteAll(checksVersion: Bool, _ transaction: SaveTransaction) throws {
        guard let first = deleted.first else { return }
        let (deleted, order) = (deleted, deletionOrder)
        var place = Place(of: first, self)
        var lookAhead = LookAhead()
        for index in order.indices {
            lookAhead.update(index, order, deleted)
            // SAFETY: the local list holds its objects throughout.
            try Unmanaged.passUnretained(deleted[order[index]])._withUnsafeGuaranteedRef { object in
                if object.runtimeOrdinal != place.ordinal { place = Place(of: object, self) }
                try delete(object, place, checksVersion: checksVersion, transaction)
            }
        }
    }

    private func delete(
        _ object: NSManagedObject, _ place: Place, checksVersion: Bool,
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
        for relationship in place.linked {
            if try transaction.unlinkAll(key, relationship) { hasWritten = true }
        }
    }
}
