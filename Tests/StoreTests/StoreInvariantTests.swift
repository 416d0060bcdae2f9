// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

/// The store's check of itself finds what is wrong with rows.
@Suite struct StoreInvariantTests {
    private func withStore(_ body: (Store, EntityTable) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let store = try openStore(directory + "/a.lode", FilmModel.rich())
            let table = try #require(store.table(named: "Person"))
            _ = try store.reserveRow(in: table)
            try body(store, table)
        }
    }

    @Test func nothing_is_wrong_with_a_store_that_has_reserved_rows() throws {
        try withStore { store, table in
            #expect(!store.rowBlocks.left(ordinal: table.ordinal).isEmpty)
            let found = try store.invariantViolations()
            #expect(found == [])
        }
    }

    @Test func a_block_beyond_the_counter_is_found() throws {
        try withStore { store, table in
            store.rowBlocks.add(500..<600, ordinal: table.ordinal)
            let found = try store.invariantViolations()
            #expect(found == ["Person: rows 500..<600 of a block are beyond the counter, 66"])
        }
    }

    @Test func a_row_that_is_in_use_and_in_a_block_is_found() throws {
        try withStore { store, table in
            let left = store.rowBlocks.takeRest(ordinal: table.ordinal)
            try store.write { save in
                let key = ObjectKey(entity: table.number, row: left.lowerBound)
                try save.insert(key, ["name": .string("Ann")])
            }
            store.rowBlocks.add(left.lowerBound..<left.upperBound + 1, ordinal: table.ordinal)
            let found = try store.invariantViolations()
            #expect(found.contains { $0.contains("row 2 is in use, and a block has 2..<67") })
        }
    }
}
