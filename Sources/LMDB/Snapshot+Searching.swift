// SPDX-License-Identifier: Apache-2.0

/// A cursor that a snapshot keeps from one look-up to the next.
@usableFromInline
final class KeptCursor {
    @usableFromInline let cursor: Cursor
    let database: Database

    init(_ cursor: consuming Cursor, _ database: Database) {
        self.cursor = cursor
        self.database = database
    }
}

extension Snapshot {
    /// Looks something up with a cursor that stands where the last look-up in the same database has
    /// left it.
    ///
    /// LMDB looks first at the page where a cursor stands: keys near the last one need no search
    /// from the root. The cursor is closed when the snapshot moves, is parked or ends. One is kept
    /// for each database, so this is for a few databases that are asked often.
    ///
    /// - Parameters:
    ///   - database: Any database.
    ///   - body: Moves the cursor. What it reads is good until the snapshot moves.
    /// - Throws: ``LMDBError`` with `badDatabase` or `badTransaction`, and what the body throws.
    @inlinable
    public func search<Result>(
        _ database: Database, _ body: (borrowing Cursor) throws -> Result
    ) throws -> Result {
        let kept = try keptCursor(database)
        // The snapshot may not move meanwhile.
        openCursors.pointee += 1
        defer { openCursors.pointee -= 1 }
        return try body(kept.cursor)
    }

    @usableFromInline
    func keptCursor(_ database: Database) throws(LMDBError) -> KeptCursor {
        for index in keptCursors.indices where keptCursors[index].database == database {
            return keptCursors[index]
        }
        // Not counted, as the snapshot closes it itself.
        let made = KeptCursor(Cursor(try openCursor(in: database), counter: nil), database)
        keptCursors.append(made)
        return made
    }
}
