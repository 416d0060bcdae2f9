// SPDX-License-Identifier: Apache-2.0

import Traps

/// A position in a database with integer keys, for walks over many entries in their order.
///
/// Within a page it moves by itself, as a call of LMDB takes ten times as long; LMDB only moves it
/// from page to page. The entries ahead are prefetched meanwhile.
///
/// As a ``Cursor`` it must be gone before its snapshot moves or ends.
@frozen
public struct LeafCursor: ~Copyable {
    @usableFromInline let cursor: Cursor
    /// The size of pages; 0 where they cannot be found by their addresses.
    @usableFromInline let pageByteCount: Int
    /// The page that the entry lies in, if it can be read without LMDB.
    @usableFromInline var page: LeafPage?
    /// The room that an entry of the page takes, asked for once a page, as it takes a division.
    @usableFromInline var stride = 0
    @usableFromInline var index = 0
    /// The key that LMDB was last moved to; nil at the start.
    private var key: UInt64?
    /// The place of that key in the page.
    private var knownIndex = 0
    /// Whether LMDB's cursor stands on the same entry.
    private var isInStep = false

    @inlinable
    init(_ cursor: consuming Cursor, pageByteCount: Int) {
        self.cursor = cursor
        self.pageByteCount = pageByteCount
    }

    /// Moves to the next entry, at the start to the first one; nil, without a move, at the end.
    ///
    /// - Throws: ``LMDBError`` with `badTransaction` or `corrupted`.
    @inlinable
    @inline(__always)
    public mutating func next() throws(LMDBError) -> Entry? {
        if let entry = moveWithinPage() { return entry }
        return try step()
    }

    /// Moves to the next entry of the page; nil, without a move, where there is no such entry.
    @inlinable
    @inline(__always)
    mutating func moveWithinPage() -> Entry? {
        // No overflow: it is a place in a page.
        let next = index &+ 1
        guard let page, next < page.count, let entry = page.entry(at: next) else { return nil }
        index = next
        page.willRead(next &+ LeafPage.distance, stride: stride)
        return entry
    }

    /// Has LMDB move to the next entry.
    @usableFromInline
    @inline(never)
    mutating func step() throws(LMDBError) -> Entry? {
        noteMoves()
        guard let entry = try following() else {
            // LMDB's cursor is behind the end now.
            isInStep = false
            return nil
        }
        stand(on: entry)
        return entry
    }

    /// Takes note of the moves within the page, which change nothing but the place: most steps do
    /// not need to know the key.
    private mutating func noteMoves() {
        guard index != knownIndex, let entry = page?.entry(at: index) else { return }
        key = entry.integerKey
        knownIndex = index
        isInStep = false
    }

    private func following() throws(LMDBError) -> Entry? {
        guard let key else { return try cursor.first() }
        if !isInStep {
            let entry = try cursor.seek(atLeast: key)
            guard entry?.integerKey == key else { return entry }
        }
        return try cursor.next()
    }

    private mutating func stand(on entry: Entry) {
        key = entry.integerKey
        isInStep = true
        page = nil
        guard pageByteCount > 0,
            let entered = LeafPage(holding: entry.key, byteCount: pageByteCount),
            let place = entered.place(of: entry.key)
        else { return }
        page = entered
        index = place
        knownIndex = place
        stride = entered.entryStride
        for ahead in 1...LeafPage.distance { entered.willRead(place + ahead, stride: stride) }
    }
}

extension Snapshot {
    /// Opens a cursor for walks over a database with integer keys and one value for each.
    ///
    /// - Throws: ``LMDBError`` with `badDatabase` or `badTransaction`.
    @inlinable
    public func makeLeafCursor(_ database: Database) throws(LMDBError) -> LeafCursor {
        database.requirePlainIntegerKeys()
        return LeafCursor(
            try makeCursor(database), pageByteCount: environment.pageByteCountInMap)
    }
}

extension Database {
    @usableFromInline
    func requirePlainIntegerKeys() {
        require(
            flags.contains(.integerKey) && flags.isDisjoint(with: [.dupSort, .reverseKey]),
            "a leaf cursor needs integer keys with one value each, not \(flags)")
    }
}
