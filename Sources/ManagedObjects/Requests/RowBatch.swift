// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// Rows of one entity that become records, without objects, by one commit: what an import writes.
package final class RowBatch {
    /// A row that was left out.
    package struct Omission {
        /// The number of the row in the batch, from 0.
        package let row: Int
        /// What it has of the attribute that was asked for.
        package let value: Value
    }

    private let rows: BatchRows
    private let form: RowForm
    private let context: NSManagedObjectContext
    /// Begins a batch.
    ///
    /// - Throws: 134080 and others where the context has no store.
    package init(_ form: RowForm, in context: NSManagedObjectContext) throws {
        rows = BatchRows(form, try context.requireStore())
        self.form = form
        self.context = context
    }

    /// Takes rows.
    ///
    /// - Parameter rows: Rows whose values are of the types that the attributes keep, and whose
    ///   destinations are stored objects.
    /// - Throws: 1570 for a mandatory property without a value.
    package func append(_ rows: PlainRows) throws {
        try self.rows.append(rows, form)
    }

    /// Writes all rows; the batch is used up.
    ///
    /// A row whose unique values a stored object or an earlier row has is left out.
    ///
    /// - Parameter attribute: What to tell of the rows that are left out.
    /// - Returns: These rows, in their order.
    /// - Throws: What a save throws; then nothing is written.
    package func commit(telling attribute: AttributePlace?) throws -> [Omission] {
        rows.seal()
        var insertion = BatchInsertion(rows, .mergeByPropertyStoreTrump, listsKeys: false)
        _ = try insertion.run(in: context)
        // An older state would keep the pages that this one has replaced from being used again.
        if context.snapshot != nil { try context.moveSnapshotIfOutdated() }
        guard let attribute else { return [] }
        return omissions(insertion.omitted, attribute.place.position)
    }

    private func omissions(_ numbers: Set<Int>, _ position: Int) -> [Omission] {
        guard !numbers.isEmpty else { return [] }
        var result: [Omission] = []
        var reader = RowReader(rows.arena)
        var row = 0
        while let bytes = reader.read() {
            if numbers.contains(row) {
                let value = RecordView(bytes)?.value(position, in: rows.table.layout)
                result.append(Omission(row: row, value: value ?? .null))
            }
            row += 1
        }
        return result
    }
}
