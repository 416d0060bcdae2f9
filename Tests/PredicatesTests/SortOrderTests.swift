// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

struct SortOrderTests {
    private func sorted(_ values: [Value], _ order: SortOrder) -> [Value] {
        values.sorted { order.compare($0, $1) == .ascending }
    }

    private func texts(_ texts: [String], _ collation: SortOrder.Collation) -> [String] {
        let order = SortOrder(keyPath: ["a"], collation: collation)
        return sorted(texts.map { .string($0) }, order).compactMap(\.text)
    }

    @Test func nilIsSmallest() {
        let values: [Value] = [.integer64(2), .null, .integer16(1)]
        let order = SortOrder(keyPath: ["a"])
        #expect(sorted(values, order) == [.null, .integer16(1), .integer64(2)])
        let descending = SortOrder(keyPath: ["a"], isAscending: false)
        #expect(sorted(values, descending) == [.integer64(2), .integer16(1), .null])
    }

    @Test func collations() {
        let names = ["b10", "B2", "é", "a", "Z", "f"]
        #expect(texts(names, .binary) == ["B2", "Z", "a", "b10", "f", "é"])
        #expect(texts(names, .caseInsensitive) == ["a", "b10", "B2", "f", "Z", "é"])
        #expect(texts(["b10", "B2", "a"], .localizedStandard) == ["a", "B2", "b10"])
        #expect(texts(["b", "A"], .localizedCaseInsensitive) == ["A", "b"])
        #expect(texts(["b", "a"], .localized) == ["a", "b"])
        #expect(SortOrder.Collation.caseInsensitive.compare("A", "a") == .same)
    }

    @Test func mixedTypesHaveATotalOrder() {
        let ascending: [Value] = [
            .null, .double(.nan), .integer64(-1), .boolean(true), .double(2), .date(.nan),
            .date(-5), .string("a"), .uri("b"), .uuid(UUIDValue(high: 0, low: 0)),
            .objectID(ObjectKey(rawValue: 1)), .binaryData([]), .transformable([]),
        ]
        let order = SortOrder(keyPath: [])
        for (i, a) in ascending.enumerated() {
            for (j, b) in ascending.enumerated() {
                #expect(order.compare(a, b) == Ordering(i, j), "\(a) \(b)")
            }
        }
    }
}
