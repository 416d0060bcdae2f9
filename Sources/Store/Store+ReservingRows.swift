// SPDX-License-Identifier: Apache-2.0

import Schema

/// Rows for objects that get their keys long before they are written.
extension Store {
    /// Reserves one row that no object has had before, in memory where a block has one left.
    ///
    /// - Returns: The row, and the number of the transaction that reserved a block if it took one.
    /// - Throws: ``StoreError``, as ``write(_:)``.
    public func reserveRow(in table: EntityTable) throws -> (row: UInt64, transactionID: UInt64?) {
        try checkUsable()
        if let row = rowBlocks.take(1, ordinal: table.ordinal) { return (row, nil) }
        let (rows, transactionID) = try reserveRows([(table, 1)])
        return (rows[0], transactionID)
    }

    /// Reserves rows that no object has had before, in memory where blocks have enough of them.
    ///
    /// A block is reserved by one small commit, which is as durable as the store's others; its rows
    /// are handed out without any. No other store object and no other process gets them, and those
    /// that this one does not use are lost.
    ///
    /// - Parameter wants: How many rows in which tables; a table comes once.
    /// - Returns: The first of as many consecutive rows for each want, and the number of the
    ///   transaction that reserved blocks if it took one.
    /// - Throws: ``StoreError``, as ``write(_:)``.
    public func reserveRows(
        _ wants: [(table: EntityTable, count: Int)]
    ) throws -> (first: [UInt64], transactionID: UInt64?) {
        try checkUsable()
        // Mostly all of them are in memory.
        var known: [UInt64] = []
        known.reserveCapacity(wants.count)
        for index in wants.indices {
            let row = rowBlocks.take(wants[index].count, ordinal: wants[index].table.ordinal)
            guard let row else { return try reserveBlocks(wants, behind: known) }
            known.append(row)
        }
        return (known, nil)
    }

    /// Reserves rows for those wants that no block has enough of.
    ///
    /// - Parameter known: The rows of the first wants. The one that comes next has none.
    private func reserveBlocks(
        _ wants: [(table: EntityTable, count: Int)], behind known: [UInt64]
    ) throws -> (first: [UInt64], transactionID: UInt64?) {
        var first: [UInt64?] = known + [nil]
        for want in wants.dropFirst(first.count) {
            first.append(rowBlocks.take(want.count, ordinal: want.table.ordinal))
        }
        let missing = wants.indices.filter { first[$0] == nil }
        // Once, as the transaction may run again.
        let rests = missing.map { rowBlocks.takeRest(ordinal: wants[$0].table.ordinal) }
        let (blocks, transactionID) = try write { transaction in
            let blocks = try zip(missing, rests).map { index, rest in
                let (table, count) = wants[index]
                return try transaction.reserveBlock(
                    count, beside: rowBlocks.nextCount(ordinal: table.ordinal), rest, in: table)
            }
            return (blocks, transaction.transactionID)
        }
        for (index, block) in zip(missing, blocks) {
            let count = UInt64(wants[index].count)
            first[index] = block.lowerBound
            rowBlocks.add(
                block.lowerBound + count..<block.upperBound, ordinal: wants[index].table.ordinal)
        }
        return (first.compactMap { $0 }, transactionID)
    }

    /// Reserves every row there is, for a caller who chooses the rows of all records.
    ///
    /// - Throws: ``StoreError``, as ``write(_:)``.
    package func reserveAllRows() throws {
        try checkUsable()
        try write { transaction in
            for table in tables { try transaction.setNextRow(ObjectKey.temporaryBit, of: table) }
        }
    }

    /// Throws after a fork: the parent still uses the blocks that this process has a copy of.
    private func checkUsable() throws(StoreError) {
        do { try environment.checkUsable() } catch { throw StoreError(wrapping: error, path: path) }
    }
}

extension SaveTransaction {
    /// Reserves rows that no object has had before.
    ///
    /// They are above all rows in use, so objects that are written in their order are appended.
    ///
    /// - Returns: The first of `count` consecutive rows.
    public func allocateRows(_ count: Int, in table: EntityTable) throws -> UInt64 {
        let ahead = rowsAhead[table.ordinal] ?? 0..<0
        if !ahead.isEmpty, count <= ahead.count {
            rowsAhead[table.ordinal] = ahead.dropFirst(count)
            return ahead.lowerBound
        }
        let end = try nextRow(of: table)
        try checkSpace(for: UInt64(count), from: end, in: table)
        let own = store.rowBlocks.take(count, ordinal: table.ordinal, endingAt: end)
        if let own, own.isWhole { return own.first }
        // What this transaction has reserved ends at the counter.
        let first = ahead.isEmpty ? own?.first ?? end : ahead.lowerBound
        let next = first + UInt64(count)
        let last = max(next, min(next + countAhead(of: count, table), ObjectKey.temporaryBit - 1))
        try setNextRow(last, of: table)
        if next < last { rowsAhead[table.ordinal] = next..<last }
        return first
    }

    /// How many rows to reserve beside those that are asked for; asked once a transaction.
    private func countAhead(of count: Int, _ table: EntityTable) -> UInt64 {
        guard rowsAhead.updateValue(0..<0, forKey: table.ordinal) == nil else { return 0 }
        return store.rowBlocks.countAhead(of: count, ordinal: table.ordinal)
    }

    /// Reserves rows for now and for later; continues the rest of a block if no other rows were
    /// reserved since.
    fileprivate func reserveBlock(
        _ count: Int, beside more: UInt64, _ rest: Range<UInt64>, in table: EntityTable
    ) throws -> Range<UInt64> {
        let end = try nextRow(of: table)
        let first = rest.isEmpty || rest.upperBound != end ? end : rest.lowerBound
        try checkSpace(for: UInt64(count), from: first, in: table)
        let last = min(first + UInt64(count) + more, ObjectKey.temporaryBit - 1)
        try setNextRow(last, of: table)
        return first..<last
    }

    private func checkSpace(
        for count: UInt64, from first: UInt64, in table: EntityTable
    ) throws {
        guard first < ObjectKey.temporaryBit, count < ObjectKey.temporaryBit - first else {
            throw StoreError(
                .storage, path: store.path,
                "entity \(table.entity.name) has used up its \(ObjectKey.temporaryBit) rows; "
                    + "export the data into a new store")
        }
    }
}
