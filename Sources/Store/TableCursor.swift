// SPDX-License-Identifier: Apache-2.0

import LMDB

/// A cursor that stays in one entity's table while the same kind of write goes on there.
///
/// LMDB looks first where a cursor stands: appended records need no search, and updated ones none
/// but the first of a page.
final class TableCursor {
    /// What is done with the cursor.
    enum Use {
        case append
        case update
    }

    let cursor: WriteCursor
    /// The row whose record the cursor stands on for its update; 0 for none.
    var row: UInt64 = 0
    private let number: UInt16
    private let use: Use

    init(_ table: EntityTable, _ use: Use, _ cursor: consuming WriteCursor) {
        number = table.number.rawValue
        self.use = use
        self.cursor = cursor
    }

    @inline(__always)
    func serves(_ table: EntityTable, _ use: Use) -> Bool {
        number == table.number.rawValue && self.use == use
    }
}
