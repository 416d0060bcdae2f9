// SPDX-License-Identifier: Apache-2.0

import Schema
import Store

// What the layers above need to know of objects that an undo brings back under their keys.

extension NSManagedObjectContext {
    /// Whether objects are inserted again under their former keys, as their deletion was undone.
    package final var hasReturned: Bool { !changes.returned.isEmpty }

    /// Changes when another object comes back.
    package final var returnToken: (count: Int, last: ObjectIdentifier?) {
        (changes.returned.count, changes.returned.last.map { ObjectIdentifier($0) })
    }

    /// The keys of the objects that are inserted again.
    package final var returnedKeys: [ObjectKey] {
        changes.returned.compactMap { object in
            guard object.context === self, object.isInserted, !object.isDeleted else { return nil }
            return object.mainStoreKey
        }
    }
}

extension SaveWriter {
    /// Lets classes write entries for objects that the store has again: those that they had went
    /// with the former records.
    func restoreDerivedEntries(_ transaction: SaveTransaction) throws {
        guard target.isMain, context.hasReturned || !recreated.isEmpty else { return }
        let keys = Set(recreated.keys.map(inner)).union(context.returnedKeys.map(inner))
        guard !keys.isEmpty else { return }
        for runtime in context.model.runtimes where !runtime.entity.isAbstract {
            guard let type = runtime.objectClass as? any DerivedEntries.Type else { continue }
            try type.restore(for: keys, in: target.table(runtime.ordinal), transaction)
        }
    }
}
