// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// The row counters of one transaction, each read once.
struct RowCounters {
    private var numbers: [EntityNumber: UInt64] = [:]

    /// The first row of an entity that was never taken; all rows ever used are below it.
    mutating func next(
        of entity: EntityNumber, _ meta: MetaTable,
        _ transaction: borrowing some Transaction & ~Copyable
    ) throws -> UInt64 {
        if let known = numbers[entity] { return known }
        // A missing entry stands for 1.
        let number = try meta.number(MetaTable.rowCounter(entity), in: transaction) ?? 1
        numbers[entity] = number
        return number
    }
}
