// SPDX-License-Identifier: Apache-2.0

/// Runs of adjacent rows, for loops over spans.
extension WorldQuery {
    /// Calls a closure with each range of adjacent rows that match, within one block.
    @inlinable @inline(__always)
    func forEachRun<E: Error>(
        _ body: (QueryRun, Range<Int>) throws(E) -> Void
    ) throws(E) {
        let run = QueryRun(__shape)
        run.lendWritten()
        defer { run.end() }
        while run.nextBlock() {
            var row = run.nextRow(from: 0, isMatch: true)
            while row < run.words << 6 {
                let end = run.nextRow(from: row, isMatch: false)
                try body(run, row..<end)
                row = run.nextRow(from: end, isMatch: true)
            }
        }
    }
}

extension QueryRun {
    /// Takes care that nothing else writes to the columns whose values the loop lends to be changed
    /// until the run ends: a span is the only way to its values.
    @usableFromInline
    func lendWritten() {
        for column in writtenColumns { column.readers += 1 }
        lendsWritten = true
    }

    /// The next row of the block that matches or does not; the number of rows when there is none.
    @usableFromInline
    func nextRow(from row: Int, isMatch: Bool) -> Int {
        var word = row >> 6
        guard word < words else { return words << 6 }
        let flip: UInt64 = isMatch ? 0 : ~0
        var rest = (masks[word] ^ flip) & (~0 << UInt64(row & 63))
        while rest == 0 {
            word += 1
            guard word < words else { return words << 6 }
            rest = masks[word] ^ flip
        }
        return word << 6 | rest.trailingZeroBitCount
    }

    /// The ID of the first of some rows.
    @usableFromInline
    func firstID(_ rows: Range<Int>) -> GameObjectID {
        GameObjectID(rawValue: firstID + UInt64(rows.lowerBound))
    }
}

extension TermPlace {
    /// The values of adjacent rows that all have one.
    @inlinable @inline(__always)
    func buffer<C: ValueComponent>(
        _ type: C.Type, _ rows: Range<Int>
    ) -> UnsafeMutableBufferPointer<C> {
        UnsafeMutableBufferPointer(start: values(as: type) + rows.lowerBound, count: rows.count)
    }
}
