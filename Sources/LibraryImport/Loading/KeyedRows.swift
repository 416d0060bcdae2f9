// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// The stored objects that rows refer to, by their keys, without the objects.
struct KeyedRows {
    /// The most keys that are remembered from batch to batch.
    private static let limit = 1 << 17

    private let column: KeyColumn
    private var found: [LookupKey: ObjectKey] = [:]

    init(_ column: KeyColumn) { self.column = column }

    /// The object of a value, if it is remembered.
    subscript(_ key: LookupKey) -> ObjectKey? { found[key] }

    /// Looks for the objects of values with one fetch, and remembers them.
    ///
    /// - Parameter wanted: Values that are not remembered.
    mutating func find(
        _ wanted: [LookupKey: Value], in context: NSManagedObjectContext
    ) throws {
        guard !wanted.isEmpty else { return }
        if found.count + wanted.count > KeyedRows.limit { found.removeAll() }
        try context.forEachStored(column.request(for: wanted), column.place) { object, value in
            if let key = LookupKey(value), wanted[key] != nil { found[key] = object }
        }
    }
}
