// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Testing

/// The first rows of an order that no index has, among so many that most are left out early.
@Suite struct BestRowsTests {
    @Test(arguments: [81, 82, 83, 84, 85, 86] as [UInt64])
    func random_orders(seed: UInt64) throws {
        var data = RandomData(seed: seed)
        let library = try TestLibrary(isIndexed: false)
        let leading = ["price", "added", "weight", "plays", "serial", "isLive", "name"]
        let names = leading + ["cost", "link", "mark"]
        for _ in 0..<1_500 {
            var values: [String: Value] = [:]
            for attribute in library.store.schema.entity("Track")?.attributes ?? []
            where names.contains(attribute.name) {
                values[attribute.name] = data.value(attribute.type)
            }
            library.add(data.chance(20) ? "Single" : "Track", values)
        }
        let snapshot = try library.save()
        for round in 0..<60 {
            var orders = [SortOrder(keyPath: [data.pick(leading)], isAscending: data.chance(50))]
            for _ in 0..<data.pick([0, 1, 1, 2]) {
                orders.append(
                    SortOrder(keyPath: [data.pick(names)], isAscending: data.chance(50)))
            }
            let plan = try library.plan(
                data.pick(["Track", "Track", "Single"]), data.pick([nil, nil, "plays > 0"]),
                sort: orders, limit: data.pick([1, 3, 20, 100]), offset: data.pick([0, 0, 7]))
            #expect(
                try Array(plan.keys(in: snapshot)) == library.expected(plan.fetch),
                "seed \(seed), round \(round): \(plan)")
        }
    }
}
