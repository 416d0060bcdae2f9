// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Store
import Testing

/// Conditions on decimals, found by an index.
@Suite struct DecimalIndexTests {
    private func library() throws -> TestLibrary {
        let library = try TestLibrary(isIndexed: true)
        let costs = [
            "0.1", "0.10000000000000000001", "1.5", "-2", "3", "12.30", "9007199254740993", "1e400",
        ]
        for cost in costs {
            library.add("Track", ["cost": .decimal(try #require(DecimalValue(cost)))])
        }
        for _ in 0..<60 { library.add("Track", [:]) }
        return library
    }

    static let conditions: [(String, [String], settles: Bool)] = [
        ("cost == 3", ["3"], true), ("cost == 1.5", ["1.5"], false),
        ("cost == '12.3'", ["12.3"], true), ("cost == '0.1'", ["0.1"], true),
        // As a double the other one is the same.
        ("cost == 0.1", ["0.1", "0.10000000000000000001"], false),
        ("cost > '0.1' AND cost < 3", ["0.10000000000000000001", "1.5"], true),
        ("cost > 0.1 AND cost < 3", ["1.5"], false),
        ("cost BETWEEN {-2, 0.1}", ["-2", "0.1", "0.10000000000000000001"], false),
        ("cost BETWEEN {-2, 1}", ["-2", "0.1", "0.10000000000000000001"], true),
        ("cost IN {3, -2, 7}", ["-2", "3"], true),
        ("cost == 3 OR cost == '1.5'", ["1.5", "3"], true),
        ("cost IN {1.5, 2.0, 3}", ["1.5", "3"], false),
        // As a double it is one less.
        ("cost == 9007199254740992.0", ["9007199254740993"], false),
        ("cost IN {9007199254740992.0, 7}", ["9007199254740993"], false),
        ("cost IN {9007199254740992, 7}", [], true),
    ]

    @Test(arguments: conditions)
    func areFoundByAnIndex(format: String, costs: [String], settles: Bool) throws {
        let library = try library()
        let snapshot = try library.save()
        let plan = try Planner.plan(
            FetchDescription(entity: "Track", predicate: try Predicate(format: format)),
            in: library.store)
        #expect(plan.description.contains("byCost"), "\(plan)")
        #expect(plan.description.contains("filter") != settles, "\(plan)")
        var found: [DecimalValue] = []
        try plan.forEach(in: snapshot) { _, record in
            let table = try #require(library.store.table(named: "Track"))
            let position = try #require(table.field(named: "cost"))
            guard case .decimal(let cost)? = record.value(position, in: table.layout) else {
                return true
            }
            found.append(cost)
            return true
        }
        #expect(found.sorted().map(\.description) == costs)
        #expect(try plan.count(in: snapshot) == costs.count)
    }

    @Test func aUniqueDecimalIsFoundAtOnce() throws {
        let library = try TestLibrary(
            schema: MusicModel.schema(
                media: [], track: [Index(name: "byCost", properties: ["cost"], isUnique: true)]))
        for number in 0..<100 {
            library.add(
                "Track",
                [
                    "cost": .decimal(
                        DecimalValue(significand: 15, exponent: Int16(number), isNegative: false))
                ])
        }
        let snapshot = try library.save()
        let fetch = FetchDescription(
            entity: "Track", predicate: try Predicate(format: "cost == 1500"))
        let plan = try Planner.plan(fetch, in: library.store)
        #expect(plan.description.contains("byCost"), "\(plan)")
        #expect(try plan.keys(in: snapshot).map(\.row) == [3])
    }
}
