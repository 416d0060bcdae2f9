// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Store
import Testing

/// Indexes that have the leading criteria of an order, and others behind them or none.
@Suite struct LeadingOrderTests {
    private static func library() throws -> TestLibrary {
        try TestLibrary(
            schema: try MusicModel.schema(
                media: [Index(name: "byName", properties: ["name"])],
                track: [
                    Index(name: "byPlays", properties: ["plays", "serial"]),
                    Index(
                        name: "byPrice", properties: ["price", "weight"],
                        descending: [true, false]),
                    Index(name: "byLive", properties: ["isLive", "length", "name"]),
                    Index(name: "byCost", properties: ["cost", "plays"]),
                    Index(name: "byLink", properties: ["link", "mark"], descending: [true, true]),
                ]))
    }

    private static func orders(_ text: String) -> [SortOrder] {
        text.split(separator: " ").map { part in
            let name = part.dropFirst() == "SELF" ? [] : [String(part.dropFirst())]
            return SortOrder(keyPath: name, isAscending: part.first == "+")
        }
    }

    /// 600 tracks: 200 numbers of plays with three tracks each, whose serials descend.
    private static func filled() throws -> (TestLibrary, StoreSnapshot) {
        let library = try library()
        for number in 0..<600 {
            library.add(
                "Track",
                [
                    "plays": .integer16(Int16(number % 200)), "serial": .integer64(Int64(-number)),
                    "name": .string("n\(number % 7)"), "isLive": .boolean(number % 2 == 0),
                ])
        }
        return (library, try library.save())
    }

    @Test(arguments: [
        ("+plays", "by plays ascending", [1, 201, 401, 2, 202]),
        ("-plays", "by plays descending, backwards", [600, 400, 200, 599, 399]),
        ("+plays +name", "by plays ascending", [1, 401, 201, 2, 402]),
        ("+plays -name", "by plays ascending", [201, 401, 1, 202, 402]),
        ("+plays -SELF", "by plays ascending", [401, 201, 1, 402, 202]),
        ("-plays +SELF", "by plays descending, backwards", [200, 400, 600, 199, 399]),
    ])
    func equal_rows_are_sorted(orders: String, text: String, wanted: [UInt64]) throws {
        let (library, snapshot) = try Self.filled()
        let plan = try library.plan("Track", sort: Self.orders(orders), limit: 5)
        #expect(
            plan.description == """
                fetch Track
                  index byPlays (whole)
                  order from index \(text); equal ones are sorted in memory
                  limit 5 offset 0
                """)
        #expect(try plan.keys(in: snapshot).map(\.row) == wanted)
        #expect(try Array(plan.keys(in: snapshot)) == library.expected(plan.fetch))
    }

    @Test func all_is_sorted_where_that_takes_less() throws {
        let (library, _) = try Self.filled()
        let all = try library.plan("Track", sort: Self.orders("+plays"))
        #expect(all.description.contains("sort by plays ascending (in memory)"))
        let many = try ManyObjects.indexed.get()
        func plan(_ orders: String) throws -> FetchPlan {
            try Planner.plan(
                FetchDescription(entity: "Dot", sortOrders: Self.orders(orders), limit: 5),
                in: many.store)
        }
        // A half of 20,000 objects is equal to the first one, or some 170.
        #expect(try plan("+side +plain").description.contains("sort by side ascending"))
        #expect(try plan("+group +plain").description.contains("order from index by group"))
    }

    @Test func ranges_and_fixed_values_come_before_criteria() throws {
        let (library, snapshot) = try Self.filled()
        let range = try library.plan(
            "Track", "plays > 150 AND name != 'n0'", sort: Self.orders("+plays"), limit: 4)
        #expect(
            range.description == """
                fetch Track where plays > 150 AND name != "n0"
                  index range byPlays: plays > 150
                  filter name != "n0"
                  order from index by plays ascending; equal ones are sorted in memory
                  limit 4 offset 0
                """)
        #expect(try range.keys(in: snapshot).map(\.row) == [152, 352, 552, 153])
        let fixed = try library.plan(
            "Track", "isLive == YES", sort: Self.orders("+isLive -length"), limit: 2)
        #expect(try Array(fixed.keys(in: snapshot)) == library.expected(fixed.fetch))
    }

    @Test func what_is_read_is_counted() throws {
        let (library, _) = try Self.filled()
        let plan = try library.plan("Track", sort: Self.orders("+plays"), limit: 4)
        let text = try plan.explanation(running: library.store.makeSnapshot())
        // Two groups of three, and the first row of the next one.
        #expect(text.hasSuffix("  estimate: reads 7 of 600\n  run: read 7, of which 7 match"))
    }

    @Test(arguments: [71, 72, 73, 74, 75, 76] as [UInt64])
    func random_orders(seed: UInt64) throws {
        var data = RandomData(seed: seed)
        let library = try Self.library()
        let long = String(repeating: "x", count: 520)
        let names =
            ["plays", "serial", "name", "price", "weight", "isLive", "length", "cost"]
            + ["link", "mark"]
        for _ in 0..<400 {
            var values: [String: Value] = [:]
            for attribute in library.store.schema.entity("Track")?.attributes ?? []
            where names.contains(attribute.name) {
                values[attribute.name] = data.value(attribute.type)
            }
            if data.chance(10) { values["name"] = .string(long + data.pick(["", "a", "b"])) }
            if data.chance(10) { values["link"] = .uri(long + data.pick(["", "a", "b"])) }
            library.add(data.chance(20) ? "Single" : "Track", values)
        }
        let snapshot = try library.save()
        var ordered = 0
        for round in 0..<200 {
            let orders = (0..<data.pick([1, 2, 2, 3])).map { _ in
                SortOrder(keyPath: [data.pick(names)], isAscending: data.chance(50))
            }
            let format = data.pick([
                nil, nil, "plays > 0", "price < 2", "isLive == YES", "isLive == NO AND length >= 1",
                "name > 'a'", "link != nil", "plays IN {1, 2, 3}",
            ])
            let plan = try library.plan(
                data.pick(["Track", "Single"]), format,
                sort: orders, limit: data.pick([1, 3, 10, 50]), offset: data.pick([0, 0, 2, 30]))
            #expect(
                try Array(plan.keys(in: snapshot)) == library.expected(plan.fetch),
                "seed \(seed), round \(round): \(plan)")
            if plan.description.contains("equal ones are sorted") { ordered += 1 }
        }
        #expect(ordered > 20, "seed \(seed)")
    }
}
