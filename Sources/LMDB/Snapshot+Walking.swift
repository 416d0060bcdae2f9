// SPDX-License-Identifier: Apache-2.0

extension Snapshot {
    /// Continues with a cursor where the last walk over the same database has left it.
    ///
    /// For walks in portions: the next one needs no search. The cursor is closed when the snapshot
    /// moves, is parked or ends, and by a walk over another database.
    ///
    /// - Parameters:
    ///   - database: A database with integer keys and one value for each.
    ///   - body: Moves the cursor. What it reads is good until the snapshot moves.
    /// - Throws: ``LMDBError`` with `badDatabase` or `badTransaction`, and what the body throws.
    @inlinable
    public func walk<Result>(
        _ database: Database, _ body: (inout LeafCursor) throws -> Result
    ) throws -> Result {
        var cursor = try takeWalk(database)
        // Neither may the snapshot move meanwhile.
        openCursors.pointee += 1
        do {
            let result = try body(&cursor)
            keepWalk(cursor, database)
            return result
        } catch {
            keepWalk(cursor, database)
            throw error
        }
    }

    @usableFromInline
    func takeWalk(_ database: Database) throws(LMDBError) -> LeafCursor {
        if let cursor = keptWalk.take(), walkedDatabase == database { return cursor }
        database.requirePlainIntegerKeys()
        // Not counted, as the snapshot closes it itself.
        let cursor = Cursor(try openCursor(in: database), counter: nil)
        return LeafCursor(cursor, pageByteCount: environment.pageByteCountInMap)
    }

    @usableFromInline
    func keepWalk(_ cursor: consuming LeafCursor, _ database: Database) {
        keptWalk = consume cursor
        walkedDatabase = database
        openCursors.pointee -= 1
    }
}
