// SPDX-License-Identifier: Apache-2.0

import Query
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

/// Fetches from files whose entities are not numbered in the order of their names.
@Suite struct MigratedOrderTests {
    @Test func a_scan_finds_objects_in_the_order_of_their_keys() throws {
        try withTemporaryDirectory { directory in
            func open(_ names: [String]) throws -> Store {
                var options = StoreOptions()
                options.durability = .none
                options.migration = .inferred
                let work = Entity(name: "Work")
                let schema = try Schema(
                    entities: [work] + names.map { Entity(name: $0, superentity: "Work") })
                return try Store.open(
                    at: directory + "/a.lode", schema: schema, uuid: .random(), options: options)
            }
            _ = try open(["Film"])
            // The first one by its name has the greatest number.
            let store = try open(["Award", "Film"])
            try store.write { save in
                var encoder = RecordEncoder()
                for table in store.tables {
                    let bytes = encoder.encode(
                        layout: table.layout, version: 1, base: nil, draft: nil, resolve: { $0 })
                    let row = try save.allocateRows(1, in: table)
                    try save.insert(
                        bytes, for: ObjectKey(entity: table.number, row: row), in: table)
                }
            }
            let plan = try Planner.plan(FetchDescription(entity: "Work"), in: store)
            let keys = try plan.keys(in: store.makeSnapshot())
            #expect(keys.map(\.description) == ["1/p1", "2/p1", "3/p1"])
            #expect(store.tables.map(\.number.rawValue) == [3, 1, 2])
        }
    }
}
