// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import RecordFormat
import Schema
import Store

/// Samples of the modules below the managed objects.
enum StoreSamples {
    static func open(_ path: String) throws -> Store {
        // SAMPLE: Schema.swift
        let schema = try Schema(entities: [
            Entity(name: "Team", attributes: [Attribute(name: "name", type: .string)])
        ])
        // SAMPLE: end

        // SAMPLE: Store.swift
        let store = try Store.open(at: path, schema: schema, uuid: .random())
        let snapshot = try store.makeSnapshot()
        for table in store.tables { print(table.entity.name, try snapshot.count(of: table)) }
        // SAMPLE: end
        return store
    }

    static func insert(_ store: Store, _ table: EntityTable) throws -> ObjectKey {
        // SAMPLE: SaveTransaction.swift
        let key = try store.write { save in
            let key = ObjectKey(entity: table.number, row: try save.allocateRows(1, in: table))
            let values = RecordDraft.make(values: [.string("Blues")])
            var encoder = RecordEncoder()
            let record = encoder.encode(
                layout: table.layout, version: 1, base: nil, draft: values, resolve: { $0 })
            try save.insert(record, for: key, in: table)
            return key
        }
        // SAMPLE: end
        return key
    }

    static func read(_ store: Store, _ key: ObjectKey, _ table: EntityTable) throws {
        // SAMPLE: StoreSnapshot.swift
        let snapshot = try store.makeSnapshot()
        if let record = try snapshot.record(for: key) {
            print(record.version, record.value(0, in: table.layout) ?? .null)
        }
        snapshot.park()  // until the next move() its records are not valid
        // SAMPLE: end
    }

    static func plan(_ store: Store) throws -> Int {
        // SAMPLE: Planner.swift
        let predicate = try Predicate(format: "name BEGINSWITH 'B'")
        let fetch = FetchDescription(entity: "Team", predicate: predicate)
        let plan = try Planner.plan(fetch, in: store)
        print(plan)  // where candidates come from, the filter, the order
        let keys = try plan.keys(in: store.makeSnapshot())
        // SAMPLE: end
        return keys.count
    }

    static func predicate() throws -> Predicate {
        // SAMPLE: Predicate.swift
        let predicate = try Predicate(format: "NOT (year < 1900 OR title == nil)")
        print(predicate.keyPaths, predicate.predicateFormat)
        // SAMPLE: end
        return predicate
    }
}
