// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Store
import Testing

/// Several ranges of one index and unions of several indexes, against a scan and against memory.
@Suite struct SeveralRangesTests {
    private struct Pair {
        let indexed: TestLibrary
        let plain: TestLibrary
        let snapshots: (StoreSnapshot, StoreSnapshot)
        var data: RandomData

        init(seed: UInt64, _ schema: Schema) throws {
            indexed = try TestLibrary(schema: schema)
            plain = try TestLibrary(isIndexed: false)
            data = RandomData(seed: seed)
            data.fill(indexed)
            var same = RandomData(seed: seed)
            same.fill(plain)
            snapshots = (try indexed.save(), try plain.save())
        }

        /// Compares the plan with a forced scan and with memory; returns its text.
        func compare(_ fetch: FetchDescription, _ place: Comment) throws -> String {
            var fetch = fetch
            let coercion = ConstantCoercion(
                indexed.store.schema, entity: fetch.entity, isStrict: true)
            fetch.predicate = try fetch.predicate.map { try coercion.coerced($0) }
            let wanted = try indexed.expected(fetch)
            let plan = try Planner.plan(fetch, in: indexed.store)
            let scan = try Planner.plan(fetch, in: plain.store)
            #expect(scan.description.contains("scan "), place)
            var found = try Array(plan.keys(in: snapshots.0))
            var scanned = try Array(scan.keys(in: snapshots.1))
            if fetch.sortOrders.isEmpty {
                found.sort()
                scanned.sort()
            }
            #expect(found == wanted, "\(place):\n\(plan)")
            #expect(scanned == wanted, "\(place):\n\(scan)")
            #expect(try plan.count(in: snapshots.0) == wanted.count, place)
            return plan.description
        }
    }

    private static let indexes = [
        Index(name: "byLength", properties: ["length", "name"]),
        Index(name: "byPlays", properties: ["plays", "length"], descending: [true, false]),
        Index(name: "byPrice", properties: ["price"]),
        Index(name: "byAdded", properties: ["added"]),
    ]

    private static func schema() throws -> Schema {
        try MusicModel.schema(media: [Index(name: "byName", properties: ["name"])], track: indexes)
    }

    private static func list(_ key: String, _ data: inout RandomData) -> String {
        let values = (0..<data.pick([2, 3, 5])).map { _ in
            switch key {
            case "name": data.pick(["'a'", "'A'", "'ab'", "'abc'", "'b'", "''", "'bad'"])
            case "price": data.pick(["0", "0.1", "1", "1.5", "-2.5", "3"])
            default: data.pick(["-3", "-1", "0", "1", "2", "3", "200", "nil"])
            }
        }
        return "\(key) IN {\(values.joined(separator: ", "))}"
    }

    @Test(arguments: [51, 52, 53, 54] as [UInt64])
    func lists_in_order(seed: UInt64) throws {
        var pair = try Pair(seed: seed, Self.schema())
        var ordered = 0
        for round in 0..<150 {
            let (first, second) = pair.data.pick([
                ("length", "name"), ("plays", "length"), ("name", "name"), ("price", "price"),
            ])
            var format = Self.list(first, &pair.data)
            if second != first, pair.data.chance(40) {
                format += " AND " + Self.list(second, &pair.data)
            } else if second == "length", pair.data.chance(40) {
                format += " AND length > 0"
            }
            var fetch = FetchDescription(
                entity: pair.data.pick(["Track", "Single"]),
                predicate: try Predicate(format: format))
            let ascends = pair.data.chance(50)
            fetch.sortOrders = [SortOrder(keyPath: [first], isAscending: ascends)]
            if second != first {
                let turns = (first == "plays") != pair.data.chance(20)
                fetch.sortOrders.append(
                    SortOrder(keyPath: [second], isAscending: ascends != turns))
            }
            if pair.data.chance(30) {
                fetch.sortOrders.append(SortOrder(keyPath: [], isAscending: pair.data.chance(50)))
            }
            if pair.data.chance(50) {
                fetch.limit = pair.data.pick([1, 5, 20])
                fetch.offset = pair.data.pick([0, 3])
            }
            let text = try pair.compare(fetch, "seed \(seed), round \(round): \(format)")
            if text.contains("ranges)"), text.contains("order from index") { ordered += 1 }
        }
        #expect(ordered > 30, "seed \(seed)")
    }

    @Test(arguments: [61, 62, 63, 64] as [UInt64])
    func unions_of_several_keys(seed: UInt64) throws {
        var pair = try Pair(seed: seed, Self.schema())
        var (unions, filtered, sorted) = (0, 0, 0)
        for round in 0..<150 {
            var parts = (0..<pair.data.pick([2, 3])).map { _ in
                pair.data.pick([
                    "name == 'a'", "name BEGINSWITH 'b'", "length > 2", "length == 1",
                    "plays == 3", "plays < 0", "price > 1.5", "price == 0",
                    "added > CAST(1, 'NSDate')",
                    "length IN {1, 200}", "(name == 'ab' AND plays > 0)",
                    "(length == 2 AND note != nil)", "name == nil", "plays == nil",
                ])
            }
            // Not all of an index serves.
            if pair.data.chance(10) { parts.append("note == 'a'") }
            var format = parts.joined(separator: " OR ")
            if pair.data.chance(30) { format = "(\(format)) AND isLive == YES" }
            if pair.data.chance(20) { format = "(\(format)) AND (plays != 7 OR price < 2)" }
            var fetch = FetchDescription(
                entity: pair.data.pick(["Track", "Single"]),
                predicate: try Predicate(format: format))
            if pair.data.chance(40) {
                fetch.sortOrders = [SortOrder(keyPath: [pair.data.pick(["name", "plays"])])]
                if pair.data.chance(50) { fetch.limit = 4 }
            }
            let text = try pair.compare(fetch, "seed \(seed), round \(round): \(format)")
            guard text.contains("union") else { continue }
            unions += 1
            if text.contains("\n  filter") { filtered += 1 }
            if text.contains("in memory") { sorted += 1 }
        }
        #expect(unions > 50 && filtered > 10 && sorted > 10, "seed \(seed)")
    }
}
