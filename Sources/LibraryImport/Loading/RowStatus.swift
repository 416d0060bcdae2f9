// SPDX-License-Identifier: Apache-2.0

/// The outcome of a row in the objects phase, for the references phase.
enum RowStatus: UInt8 {
    case rejected
    case inserted
    case updated
    case unchanged
}

/// A row that waits for its batch to be written.
struct PendingRow {
    /// The converted row; its shape is its table's.
    var row: ConvertedRow
    /// Set for a row that the converter refused: reported in turn with the others.
    var rejection: RejectedRow?
    /// The number of the row among those of its table, over all files.
    var index: Int
    /// The file that has the row.
    var file: String
}
