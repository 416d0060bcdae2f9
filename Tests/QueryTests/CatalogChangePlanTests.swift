// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

/// Plans of a store while another one adds indexes to the file and takes them away.
@Suite struct CatalogChangePlanTests {
    private static func open(_ path: String, isIndexed: Bool) throws -> Store {
        let number = Index(name: "byNumber", properties: ["number"])
        let schema = try Schema(entities: [
            Entity(
                name: "Mark", attributes: [Attribute(name: "number", type: .integer64)],
                indexes: isIndexed ? [number] : [])
        ])
        var options = StoreOptions()
        options.durability = .none
        options.dropsIndexes = true
        return try Store.open(
            at: path, schema: schema, uuid: UUIDValue(high: 1, low: 2), options: options)
    }

    private static func add(_ numbers: [Int64], to store: Store) throws {
        let table = try #require(store.table(named: "Mark"))
        try store.write { save in
            var encoder = RecordEncoder()
            for number in numbers {
                let draft = RecordDraft.make(fieldCount: 1)
                draft[0] = .integer64(number)
                let bytes = encoder.encode(
                    layout: table.layout, version: 1, base: nil, draft: draft, resolve: { $0 })
                let row = try save.allocateRows(1, in: table)
                try save.insert(bytes, for: ObjectKey(entity: table.number, row: row), in: table)
            }
        }
    }

    private static func plan(_ store: Store) throws -> FetchPlan {
        try Planner.plan(
            FetchDescription(
                entity: "Mark", predicate: try Predicate(format: "number > 10"),
                sortOrders: [SortOrder(keyPath: ["number"])]), in: store)
    }

    /// The rows that a plan finds, and their count by another way.
    private static func rows(_ plan: FetchPlan, _ snapshot: StoreSnapshot) throws -> [UInt64] {
        var rows: [UInt64] = []
        try plan.forEach(in: snapshot) { key, _ in
            rows.append(key.row)
            return true
        }
        #expect(try plan.keys(in: snapshot).map(\.row) == rows)
        #expect(try plan.count(in: snapshot) == rows.count)
        return rows
    }

    @Test func a_plan_with_an_index_serves_a_snapshot_from_before_it() throws {
        try withTemporaryDirectory { directory in
            let store = try Self.open(directory + "/a.lode", isIndexed: false)
            try Self.add([30, 20, 5], to: store)
            let old = try store.makeSnapshot()
            let scan = try Self.plan(store)
            let other = try Self.open(directory + "/a.lode", isIndexed: true)
            try Self.add([25], to: other)
            let new = try store.makeSnapshot()
            let indexed = try Self.plan(store)
            #expect(!scan.description.contains("byNumber"))
            #expect(indexed.description.contains("byNumber"))
            #expect(try Self.rows(indexed, old) == [2, 1])
            #expect(try Self.rows(scan, old) == [2, 1])
            #expect(try Self.rows(scan, new) == [2, 4, 1])
            #expect(try Self.rows(indexed, new) == [2, 4, 1])
        }
    }

    @Test func a_plan_with_an_index_serves_a_snapshot_from_after_it() throws {
        try withTemporaryDirectory { directory in
            let store = try Self.open(directory + "/a.lode", isIndexed: true)
            try Self.add([30, 20, 5], to: store)
            let snapshot = try store.makeSnapshot()
            let plan = try Self.plan(store)
            #expect(try Self.rows(plan, snapshot) == [2, 1])
            let other = try Self.open(directory + "/a.lode", isIndexed: false)
            try Self.add([25], to: other)
            // The index still has its entries in the snapshot, and none in the next.
            #expect(try Self.rows(plan, snapshot) == [2, 1])
            try snapshot.move { _ in }
            #expect(try Self.rows(plan, snapshot) == [2, 4, 1])
            #expect(try !Self.plan(store).description.contains("byNumber"))
        }
    }
}
