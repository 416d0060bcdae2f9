// SPDX-License-Identifier: Apache-2.0

/// One row of a file, in storage that the next row reuses.
package struct RawRow: Sendable {
    /// The index of the row's section in its source's `sections`.
    package var section = 0
    /// The line on which the row starts, from 1.
    package var line = 0
    /// The number of the row in its section, from 1.
    package var number = 0
    /// Why the row cannot be used although the file is well-formed.
    package var problem: String?
    /// The values by field index; the names are the source's ``RowSource/fieldNames(of:)``.
    package var values: [RowValue] = []
    /// The bytes that the values' ranges point into.
    package var bytes: [UInt8] = []

    /// Makes an empty row.
    package init() {}

    /// The text in a range of the row's bytes.
    package func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Empties the row and keeps its storage.
    mutating func reset(fieldCount: Int) {
        problem = nil
        bytes.removeAll(keepingCapacity: true)
        if values.count == fieldCount {
            for index in values.indices { values[index] = .absent }
        } else {
            values.removeAll(keepingCapacity: true)
            values.append(contentsOf: repeatElement(.absent, count: fieldCount))
        }
    }
}
