// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

@testable import Store

/// Which keys a save inserts, without a table of them.
@Suite struct InsertedKeysTests {
    private static func keys(_ entity: UInt16, _ rows: [UInt64]) -> [ObjectKey] {
        rows.map { ObjectKey(entity: EntityNumber(rawValue: entity), row: $0) }
    }

    @Test func none_has_no_key() {
        let key = ObjectKey(entity: EntityNumber(rawValue: 1), row: 1)
        var none = InsertedKeys()
        let isThere = none.contains(key)
        #expect(!isThere)
    }

    @Test func rows_are_found_with_gaps_and_without() {
        let lists: [(entity: UInt16, rows: [UInt64])] = [
            (2, [5, 6, 7, 8]), (7, [1]), (3, [1, 2, 9, 10, 11, 40]), (1, [100, 102, 104]),
        ]
        var all: ContiguousArray<ObjectKey> = []
        for (entity, rows) in lists {
            all += Self.keys(entity, rows)
        }
        var inserted = InsertedKeys(all)
        var found: [UInt16: [UInt64]] = [:]
        for entity in 0..<9 as Range<UInt16> {
            for row in 0..<200 as Range<UInt64> {
                let key = ObjectKey(entity: EntityNumber(rawValue: entity), row: row)
                if inserted.contains(key) { found[entity, default: []].append(row) }
            }
        }
        #expect(
            found == [
                2: [5, 6, 7, 8], 7: [1], 3: [1, 2, 9, 10, 11, 40], 1: [100, 102, 104],
            ])
    }
}
