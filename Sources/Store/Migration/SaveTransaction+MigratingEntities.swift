// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension SaveTransaction {
    /// Removes the objects of entities that go, their values outside the records and the entries of
    /// components that they are part of.
    ///
    /// The row counters stay: the history may name rows below them.
    func removeEntities(
        _ plan: MigrationPlan, _ lost: Set<UInt16>, from former: StoreDatabases
    ) throws {
        guard !lost.isEmpty else { return }
        for number in lost.sorted() {
            guard let records = former.objects[UInt32(number)] else { continue }
            try transaction.removeAll(records)
            // Their names begin with the object, and that with its entity.
            try deleteExternalValues(withUnsafeBytes(of: number.bigEndian) { Array($0) })
        }
        try removeOwners(lost)
        try removeComponents(lost)
    }

    /// Has the rows of new entities begin where those of all others end: an object's URI, which has
    /// the name of its entity, never becomes that of another object.
    func startRows(_ plan: MigrationPlan) throws {
        let added = plan.addedNumbers
        guard let last = plan.catalog.entityNumbers.values.map(\.rawValue).max(), !added.isEmpty
        else { return }
        // Those of removed entities are there, too.
        let begin: UInt64 = try (1...last).reduce(1) { begin, number in
            let name = MetaTable.rowCounter(EntityNumber(rawValue: number))
            return max(begin, try store.meta.number(name, in: transaction) ?? 1)
        }
        guard begin > 1 else { return }
        for number in added {
            try store.meta.put(begin, for: MetaTable.rowCounter(number), in: transaction)
        }
    }

    /// Forgets data objects whose component, game object or own entity goes.
    private func removeOwners(_ lost: Set<UInt16>) throws {
        var gone: [(data: ObjectKey, owner: ComponentOwner)] = []
        do {
            let cursor = try transaction.makeCursor(store.databases.owners)
            while let entry = try cursor.next() {
                let data = ObjectKey(rawValue: entry.integerKey)
                let owner = try ComponentOwner(entry.value, of: data, store.seal)
                let keys = [data, owner.component, owner.gameObject]
                if keys.contains(where: { lost.contains($0.entity.rawValue) }) {
                    gone.append((data, owner))
                }
            }
        }
        for (data, owner) in gone {
            let key = ComponentKey.bytes(type: data.entity, gameObject: owner.gameObject)
            try write { transaction, databases in
                _ = try transaction.delete(key, data.rawValue, in: databases.components)
                _ = try transaction.delete(data.rawValue, in: databases.owners)
            }
        }
    }

    /// Removes what is left of entries without an owner.
    private func removeComponents(_ lost: Set<UInt16>) throws {
        var gone: [(key: [UInt8], data: UInt64)] = []
        do {
            let cursor = try transaction.makeCursor(store.databases.components)
            while let entry = try cursor.next() {
                let (type, gameObject) = try ComponentKey.parts(of: entry.key)
                let data = try ComponentKey.data(entry.value)
                guard
                    UInt16(exactly: type).map({ lost.contains($0) }) == true
                        || lost.contains(gameObject.entity.rawValue)
                else { continue }
                gone.append((Array(entry.key), data.rawValue))
            }
        }
        for (key, data) in gone {
            try write { transaction, databases in
                _ = try transaction.delete(key, data, in: databases.components)
            }
        }
    }
}
