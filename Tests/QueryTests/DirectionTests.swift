// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Store
import Testing

/// Indexes with elements that descend.
@Suite struct DirectionTests {
    private static func library(hasNames: Bool = true) throws -> TestLibrary {
        let byName = Index(name: "byName", properties: ["name"], descending: [true])
        return try TestLibrary(
            schema: try MusicModel.schema(
                media: hasNames ? [byName] : [],
                track: [
                    Index(
                        name: "byPlays", properties: ["plays", "name"], descending: [true, false]),
                    Index(
                        name: "byLength", properties: ["length", "serial"],
                        descending: [false, true]),
                    Index(name: "byPrice", properties: ["price"], descending: [true]),
                    Index(
                        name: "byWeight", properties: ["weight", "plays"],
                        descending: [true, true]),
                    Index(
                        name: "byLive", properties: ["isLive", "added"], descending: [true, true]),
                    Index(name: "byMark", properties: ["mark", "link"], descending: [true, true]),
                ]))
    }

    private static func orders(_ text: String) -> [SortOrder] {
        text.split(separator: " ").map { part in
            let name = part.dropFirst() == "SELF" ? [] : [String(part.dropFirst())]
            return SortOrder(keyPath: name, isAscending: part.first == "+")
        }
    }

    private func fill(_ library: TestLibrary) {
        for (serial, plays, name) in [
            (1, 3, "b"), (2, nil, "a"), (3, 7, "c"), (4, 3, "a"), (5, 7, nil), (6, 3, "b"),
        ] as [(Int64, Int16?, String?)] {
            library.add(
                serial == 4 ? "Single" : "Track",
                [
                    "serial": .integer64(serial), "plays": plays.map { .integer16($0) } ?? .null,
                    "name": name.map { .string($0) } ?? .null,
                ])
        }
    }

    private func serials(_ plan: FetchPlan, _ snapshot: StoreSnapshot) throws -> [Int64] {
        var result: [Int64] = []
        try plan.forEach(in: snapshot) { key, record in
            let table = snapshot.store.tables[try #require(snapshot.store.ordinal(of: key.entity))]
            let field = try #require(table.field(named: "serial"))
            result.append(record.load(at: table.layout.fields[field].offset, as: Int64.self))
            return true
        }
        return result
    }

    @Test(arguments: [
        ("-plays +name", "order from index", [5, 3, 4, 1, 6, 2]),
        ("+plays -name", "order from index, backwards", [2, 6, 1, 4, 3, 5]),
        ("-plays +name -SELF", "order from index", [5, 3, 4, 6, 1, 2]),
        ("-name", "order from index", [3, 6, 1, 2, 4, 5]),
        ("+name", "order from index, backwards", [5, 4, 2, 1, 6, 3]),
        (
            "-plays -name", "sort by plays descending, name descending (in memory)",
            [3, 5, 6, 1, 4, 2]
        ),
    ])
    func orders_and_their_reverses_come_from_the_index(
        orders: String, line: String, wanted: [Int64]
    ) throws {
        let library = try Self.library()
        fill(library)
        let snapshot = try library.save()
        let plan = try library.plan("Track", sort: Self.orders(orders))
        #expect(plan.description.split(separator: "\n").last?.dropFirst(2) == line[...])
        #expect(try serials(plan, snapshot) == wanted)
        let window = try library.plan("Track", sort: Self.orders(orders), limit: 2, offset: 2)
        #expect(try serials(window, snapshot) == Array(wanted[2..<4]))
    }

    @Test(arguments: [
        ("plays == 3", "plays == 3", [4, 1, 6]), ("plays > 3", "plays > 3", [5, 3]),
        ("plays <= 3", "plays <= 3", [4, 1, 6]), ("plays == nil", "plays == nil", [2]),
        ("plays IN {7, 9}", "plays IN {7, 9}", [5, 3]),
        ("plays == 3 AND name > 'a'", "plays == 3 and name > \"a\"", [1, 6]),
        ("plays == 3 AND name BEGINSWITH 'b'", "plays == 3 and name BEGINSWITH \"b\"", [1, 6]),
    ])
    func ranges_are_read_in_the_order_of_the_index(
        format: String, condition: String, wanted: [Int64]
    ) throws {
        let library = try Self.library(hasNames: false)
        fill(library)
        let snapshot = try library.save()
        let plan = try library.plan("Track", format, sort: Self.orders("-plays +name"))
        #expect(plan.description.contains("index range byPlays: \(condition)"))
        #expect(!plan.description.contains("filter"))
        #expect(try serials(plan, snapshot) == wanted)
        #expect(try plan.count(in: snapshot) == wanted.count)
    }

    @Test func groups_are_read_from_the_keys() throws {
        let library = try Self.library(hasNames: false)
        fill(library)
        let snapshot = try library.save()
        let plays = Predicates.Expression.keyPath(["plays"])
        let columns = [plays, .function("count:", [.evaluatedObject])]
        let fetch = FetchDescription(
            entity: "Track", includesSubentities: false,
            predicate: try Predicate(format: "plays > 0"))
        let question = try #require(GroupQuestion(groups: [plays], columns: columns))
        let grouped = try #require(try GroupedFetch(fetch, question, in: library.store))
        #expect(grouped.plan.description.contains("index range byPlays"))
        #expect(
            try grouped.values(in: snapshot) == [
                [.integer16(7), .integer64(2)], [.integer16(3), .integer64(2)],
            ])
    }

    @Test func numbers_that_are_nan_come_where_a_sort_puts_them() throws {
        let library = try Self.library()
        for price in [1.5, -.nan, .infinity, nil, -2, .nan, -.infinity, 0, -0.0] as [Double?] {
            library.add("Track", ["price": price.map { .double($0) } ?? .null])
        }
        let snapshot = try library.save()
        for (orders, rows) in [
            ("-price", [3, 1, 9, 8, 5, 7, 6, 2, 4]), ("+price", [4, 2, 6, 7, 5, 8, 9, 1, 3]),
        ] as [(String, [UInt64])] {
            let plan = try library.plan("Track", sort: Self.orders(orders))
            #expect(plan.description.contains("order from index"))
            #expect(try plan.keys(in: snapshot).map(\.row) == rows)
            #expect(try Array(plan.keys(in: snapshot)) == library.expected(plan.fetch))
        }
        let range = try library.plan("Track", "price < 1", sort: Self.orders("-price"))
        #expect(range.description.contains("index range byPrice: price < 1"))
        #expect(try range.keys(in: snapshot).map(\.row) == [9, 8, 5, 7])
    }

    @Test(arguments: ["+", "-"])
    func texts_whose_keys_are_cut_are_in_order(sign: String) throws {
        let library = try Self.library()
        let long = String(repeating: "x", count: 600)
        for name in ["c", "a", "", "b", "a"] {
            library.add("Track", ["name": .string(long + name)])
        }
        for name in ["a", "z", String(repeating: "x", count: 509), "y"] {
            library.add("Track", ["name": .string(name)])
        }
        let snapshot = try library.save()
        for format in [nil, "name >= '\(long)a'", "name < '\(long)b'", "name == '\(long)a'"] {
            for limit in [0, 1, 3, 6] {
                let plan = try library.plan(
                    "Track", format, sort: Self.orders("\(sign)name"), limit: limit,
                    offset: limit / 3)
                #expect(plan.description.contains("byName"))
                #expect(try Array(plan.keys(in: snapshot)) == library.expected(plan.fetch))
            }
        }
    }

    @Test(arguments: [41, 42, 43, 44] as [UInt64])
    func random_fetches_answer_as_memory_does(seed: UInt64) throws {
        let library = try Self.library()
        var data = RandomData(seed: seed)
        data.fill(library)
        let snapshot = try library.save()
        let coercion = ConstantCoercion(library.store.schema, entity: "Track", isStrict: true)
        var seen: Set<String> = []
        for round in 0..<400 {
            var fetch = FetchDescription(entity: data.pick(["Track", "Single", "Media"]))
            fetch.sortOrders = data.directedOrders(fetch.entity)
            if fetch.entity != "Media", data.chance(60) {
                fetch.predicate = try? coercion.coerced(data.predicate(library))
            }
            if !fetch.sortOrders.isEmpty, data.chance(50) {
                fetch.limit = data.pick([1, 5, 20])
                fetch.offset = data.pick([0, 3, 30])
            }
            let wanted: [ObjectKey]
            do { wanted = try library.expected(fetch) } catch { continue }
            let plan = try Planner.plan(fetch, in: library.store)
            var found = try Array(plan.keys(in: snapshot))
            if fetch.sortOrders.isEmpty { found.sort() }
            #expect(found == wanted, "seed \(seed), round \(round):\n\(plan)")
            #expect(try plan.count(in: snapshot) == wanted.count, "seed \(seed) \(round)")
            for part in ["index range", "order from index", "backwards"]
            where plan.description.contains(part) {
                seen.insert(part)
            }
        }
        #expect(seen.count == 3, "seed \(seed): \(seen)")
        try library.store.verifyContents()
    }
}

extension RandomData {
    /// Criteria that the indexes of the suite have, or nearly have.
    fileprivate mutating func directedOrders(_ entity: String) -> [SortOrder] {
        var paths = [["name"]]
        if entity != "Media" {
            paths += [
                ["plays", "name"], ["length", "serial"], ["price"], ["weight", "plays"],
                ["isLive", "added"], ["mark", "link"],
            ]
        }
        if chance(10) { return [] }
        let wanted = pick(paths)
        let flips = chance(50)
        var result = wanted.map { name in
            let descends: Set = ["name", "plays", "price", "weight", "mark", "link", "isLive"]
            let isUsual = wanted == ["plays", "name"] && name == "name" || name == "serial"
            let isReversed = flips != chance(15)
            return SortOrder(
                keyPath: [name],
                isAscending: (descends.contains(name) == isUsual) != isReversed)
        }
        if chance(20) { result.append(SortOrder(keyPath: [], isAscending: chance(50))) }
        return result
    }
}
