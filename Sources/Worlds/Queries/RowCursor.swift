// SPDX-License-Identifier: Apache-2.0

/// Goes to single rows of a run of a query.
///
/// It keeps which rows of 64 adjacent ones match, as the next ID is mostly of one of them.
@frozen
@usableFromInline
struct RowCursor {
    @usableFromInline let run: QueryRun
    /// The ID of the world's row 0.
    @usableFromInline let firstID: UInt64
    /// The rows of a block less one: the bits of a row that are its place in the block.
    @usableFromInline let rowMask: UInt64
    /// Whether each visit has to be noted, or matching may change by it.
    @usableFromInline let isSlow: Bool
    /// The number of the 64 rows, from row 0 on; of none at first.
    @usableFromInline var word = UInt64.max
    /// Those that match.
    @usableFromInline var matches: UInt64 = 0

    @usableFromInline
    init(_ run: QueryRun) {
        self.run = run
        firstID = run.world.firstID
        rowMask = 1 << UInt64(run.shift) - 1
        isSlow = run.isWriting || !run.isSteady
        run.findHeads()
    }

    /// Goes to a game object.
    ///
    /// - Returns: Its row in the block; nil if it does not match.
    @inlinable @inline(__always)
    mutating func seek(_ object: GameObjectID) -> Int? {
        // Far beyond all rows for an object of another entity.
        let row = object.rawValue &- firstID
        if isSlow || row &>> 6 != word {
            guard visit(row) else { return nil }
        } else if matches &>> (row & 63) & 1 == 0 {
            return nil
        }
        return Int(truncatingIfNeeded: row & rowMask)
    }

    /// Finds which of the 64 rows match, and notes a change of the one that is visited.
    ///
    /// - Returns: Whether the row matches.
    @usableFromInline @inline(never)
    mutating func visit(_ row: UInt64) -> Bool {
        if row >> 6 != word || !run.isSteady {
            word = row >> 6
            matches = run.matches(ofWord: word)
        }
        guard matches >> (row & 63) & 1 == 1 else { return false }
        if run.isWriting { run.noteVisit(row) }
        return true
    }
}

extension QueryRun {
    /// The heads of the columns of a run: look-ups by them count no references.
    struct Heads {
        // SAFETY: the run has the columns, and each its head.
        typealias List = UnsafeMutableBufferPointer<UnsafeMutablePointer<ColumnHead>?>

        let required: List
        let without: List
        let terms: List
        /// The columns that the loop changes.
        let written: UnsafeMutableBufferPointer<Written>
        /// Whether these columns say alone which rows match.
        let sayAll: Bool

        struct Written {
            let head: UnsafeMutablePointer<ColumnHead>
            let layout: ChunkLayout
        }

        init(_ run: QueryRun) {
            written = .allocate(capacity: run.writtenColumns.count)
            _ = written.initialize(
                from: run.writtenColumns.map { Written(head: $0.head, layout: $0.layout) })
            required = Heads.list(run.required)
            without = Heads.list(run.filters.without)
            terms = Heads.list(run.terms.map(\.column))
            sayAll = run.isSteady && run.filters.groups.isEmpty && run.filters.rows.isEmpty
        }

        private static func list(_ columns: [Column?]) -> List {
            let list = List.allocate(capacity: columns.count)
            _ = list.initialize(from: columns.map { $0?.head })
            return list
        }

        func deallocate() {
            for list in [required, without, terms] { list.deallocate() }
            written.deallocate()
        }
    }

    fileprivate func findHeads() {
        heads = Heads(self)
        for (position, term) in terms.enumerated() {
            places[position] = TermPlace(nil, nil, 0, term.column?.contents)
        }
    }

    /// The rows that match among 64, whose block becomes the present one.
    ///
    /// - Parameter number: The number of the 64 rows, from row 0 on.
    fileprivate func matches(ofWord number: UInt64) -> UInt64 {
        guard let heads, number >> UInt64(shift - 6) < UInt64(blocks) else { return 0 }
        block = Int(number >> UInt64(shift - 6))
        var matches = ~0 as UInt64
        if heads.sayAll {
            let row = Int(number << 6)
            for head in heads.required { matches &= head?.pointee.presence(of: row) ?? 0 }
            for head in heads.without { matches &= ~(head?.pointee.presence(of: row) ?? 0) }
        } else {
            let word = Int(number & UInt64(words - 1))
            matches = match(word..<word + 1) ? masks[word] : 0
        }
        if matches != 0, !isWriting, placedBlock != block { findValues(heads) }
        return matches
    }

    /// Notes that the loop is going to change one matching row of the block, and no other one.
    fileprivate func noteVisit(_ row: UInt64) {
        guard let heads else { return }
        if placedBlock == block {
            let tick = world.now
            for column in heads.written {
                column.head.pointee.noteChange(Int(row), tick, column.layout)
            }
        } else {
            let word = Int(row >> 6 & UInt64(words - 1))
            masks[word] = 1 << (row & 63)
            noteChanges(word..<word + 1)
            // Later, as chunks come into memory when they are written for the first time.
            findValues(heads)
        }
    }

    /// Finds the values of the block's terms.
    private func findValues(_ heads: Heads) {
        placedBlock = block
        let row = block << shift
        let first = firstID
        for (position, head) in heads.terms.enumerated() {
            let found = head?.pointee.block(from: row)
            places[position].values = found?.values
            places[position].presence = found?.presence
            places[position].first = first
        }
    }
}

extension ColumnHead {
    /// Which of 64 rows have a value.
    ///
    /// - Parameter row: The first of them.
    fileprivate func presence(of row: Int) -> UInt64 {
        block(from: row).map { $0.presence.pointee } ?? 0
    }

    /// Notes that a row changes, if it has a value; its chunk is ready for changes then.
    fileprivate func noteChange(_ row: Int, _ tick: UInt64, _ layout: ChunkLayout) {
        let slot = row &>> shift
        guard slot < slotCount, let presence = slots[slot].presence else { return }
        let (word, bit) = ((row & rowMask) &>> 6, 1 &<< UInt64(row & 63) as UInt64)
        guard presence[word] & bit != 0 else { return }
        slots[slot].changed.mark(word, bit, tick, layout)
    }

    /// The presence bits and values from a row on, whose number is a multiple of 64; nil where the
    /// chunk has no value.
    fileprivate func block(
        from row: Int
    ) -> (presence: UnsafePointer<UInt64>, values: UnsafeMutableRawPointer)? {
        let slot = row &>> shift
        guard slot < slotCount, let bytes = slots[slot].bytes else { return nil }
        let local = row & rowMask
        // SAFETY: the chunk has room for the bits and values of all of its rows, see `Chunk`.
        let presence = (bytes + ChunkLayout.headerSize).assumingMemoryBound(to: UInt64.self)
        return (UnsafePointer(presence + local &>> 6), bytes + (valuesOffset + local * stride))
    }
}
