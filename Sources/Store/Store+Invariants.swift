// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Traps

/// What is true of a store whenever none of its calls runs.
///
/// It is about what the store keeps in memory beside the file; ``Store/verifyContents()`` is about
/// the file. Tests ask for it after each step. In a build with `-Xswiftc -DLODE_INVARIANTS` each
/// store checks itself behind every commit.
extension Store {
    /// What is wrong with the store, in words; empty if all is well.
    ///
    /// - Throws: ``StoreError`` if the file cannot be read.
    /// - Complexity: O(records), as the rows of records are compared with those of blocks.
    package func invariantViolations() throws(StoreError) -> [String] {
        let snapshot = try makeSnapshot()
        var found: [String] = []
        for (ordinal, table) in tables.enumerated() {
            func expect(_ isRight: Bool, _ rule: String) {
                if !isRight { found.append("\(table.entity.name): \(rule)") }
            }
            checkTable(table, ordinal, expect)
            checkIndexes(snapshot.catalog.indexes(of: table), table, expect)
            try checkRows(table, snapshot, expect)
        }
        if schema.entities.map(\.name) != tables.map(\.entity.name) {
            found.append("the tables are not those of the model")
        }
        return found
    }

    /// Numbers lead to the table, and its parts are in the order of the model.
    private func checkTable(
        _ table: EntityTable, _ position: Int, _ expect: (Bool, String) -> Void
    ) {
        expect(table.ordinal == position, "its ordinal is \(table.ordinal), not \(position)")
        expect(ordinal(of: table.number) == position, "its number leads to another table")
        expect(table.fields.count == table.layout.fields.count, "fields and layout differ")
        expect(
            table.relationships.map(\.relationship.name) == table.entity.relationships.map(\.name),
            "its relationships are not those of the model")
    }

    /// Indexes cover fields that there are, and have databases of their own.
    private func checkIndexes(
        _ indexes: [IndexTable], _ table: EntityTable, _ expect: (Bool, String) -> Void
    ) {
        expect(
            Set(indexes.map(\.databaseName)).count == indexes.count,
            "two indexes share a database")
        for index in indexes {
            let names = index.fields.map { table.fields[$0].name }
            expect(
                names == index.index.properties,
                "the index \(index.index.name) covers \(names), not \(index.index.properties)")
        }
    }

    /// No record has a row that the counter may give, or that a block still has.
    private func checkRows(
        _ table: EntityTable, _ snapshot: StoreSnapshot, _ expect: (Bool, String) -> Void
    ) throws(StoreError) {
        // Before the counter is read: it is at or above a block's end before the block is here.
        let block = rowBlocks.left(ordinal: table.ordinal)
        let counter: UInt64
        do {
            counter =
                try meta.number(MetaTable.rowCounter(table.number), in: snapshot.snapshot) ?? 1
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
        expect(
            block.isEmpty || block.upperBound <= counter || snapshot.isOutdated,
            "rows \(block) of a block are beyond the counter, \(counter)")
        var records = try snapshot.records(of: table)
        while let (key, _) = try records.next() {
            expect(key.row < counter, "row \(key.row) is in use, and the counter is \(counter)")
            expect(
                !block.contains(key.row), "row \(key.row) is in use, and a block has \(block) left")
        }
    }

    #if LODE_INVARIANTS
        /// Traps if anything is wrong; a file that cannot be read is for the next call to report.
        func checkInvariants() {
            let found = (try? invariantViolations()) ?? []
            require(found.isEmpty, "broken invariants: \(found.joined(separator: "; "))")
        }
    #else
        @inline(__always)
        func checkInvariants() {}
    #endif
}
