// SPDX-License-Identifier: Apache-2.0

import Schema

/// One row as typed values, in storage that the next row reuses.
package struct ConvertedRow: Sendable {
    /// The row's table.
    package var table: TableIndex = 0
    /// What the row becomes.
    package var target = TablePlan.Target.ignored
    /// The line on which the row starts.
    package var line = 0
    /// The number of the row in its section.
    package var number = 0
    /// For an object: its attributes' values by index in the entity.
    package var values: [Value] = []
    /// For an object: the keys of its destinations by index of the to-one relationship in the
    /// entity, null for none; typed as the destination's key attribute.
    package var references: [Value] = []
    /// For an object: the keys of destinations by index in the table's `arrayLinks`.
    package var arrays: [[Value]] = []
    /// For a link: the key of the first end.
    package var first = Value.null
    /// For a link: the key of the second end.
    package var second = Value.null

    /// Makes an empty row.
    package init() {}

    /// Empties the row and gives it a table's shape.
    mutating func reset(valueCount: Int, referenceCount: Int, arrayCount: Int) {
        Self.refill(&values, count: valueCount)
        Self.refill(&references, count: referenceCount)
        first = .null
        second = .null
        if arrays.count != arrayCount { arrays = Array(repeating: [], count: arrayCount) }
        for index in arrays.indices { arrays[index].removeAll(keepingCapacity: true) }
    }

    private static func refill(_ list: inout [Value], count: Int) {
        list.removeAll(keepingCapacity: true)
        for _ in 0..<count { list.append(.null) }
    }
}
