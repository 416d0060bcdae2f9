// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Rows that were reserved in the file ahead of their use, a block an entity.
///
/// The invariant: a row leaves a block at most once, and the file's row counter was committed at or
/// above a block's end before the block is here. So no other store object and no other process can
/// get a row of a block, whatever happens to this one. Rows left over when it ends are lost, but
/// there are more than enough.
final class RowBlocks: Sendable {
    /// The rows of an entity that are left, and how many the next block will have.
    fileprivate struct Block {
        var rows: Range<UInt64> = 1..<1
        var nextCount = RowBlocks.firstCount
        /// How many saves have raised the counter for a few rows.
        var smallSaves = 0
        /// The end of the last block that others' rows have overtaken.
        var overtakenEnd: UInt64 = 0
    }

    /// The rows of the first block of an entity; each has four times those of the one before.
    static let firstCount: UInt64 = 64
    private static let greatestCount: UInt64 = 65_536
    /// How many small saves of an entity it takes until the next one reserves a block.
    static let patience = 32

    // Contexts of any thread take rows.
    private let blocks: Mutex<[Block]>

    init(entityCount: Int) {
        blocks = Mutex(Array(repeating: Block(), count: entityCount))
    }

    /// Takes consecutive rows of an entity; `nil` where its block has fewer.
    func take(_ count: Int, ordinal: Int) -> UInt64? {
        blocks.withLock { $0[ordinal].take(count) }
    }

    /// Takes rows for a transaction that finds the row counter at an end, if the block ends there.
    ///
    /// Such rows are above all rows in use, like those that the counter itself gives.
    ///
    /// - Returns: The first of the rows and whether the block had all of them; if not, the
    ///   transaction has to raise the counter.
    func take(_ count: Int, ordinal: Int, endingAt end: UInt64) -> (first: UInt64, isWhole: Bool)? {
        blocks.withLock { blocks in
            let rows = blocks[ordinal].rows
            guard !rows.isEmpty, rows.upperBound == end else { return nil }
            if let first = blocks[ordinal].take(count) { return (first, true) }
            blocks[ordinal].rows = end..<end
            return (rows.lowerBound, false)
        }
    }

    /// How many more rows a save is to reserve that raises the counter: a program that saves a few
    /// objects at a time would write the counter each time.
    ///
    /// Few, and none for a while where other programs use up rows in between: then each block is
    /// lost with the next save of theirs.
    func countAhead(of count: Int, ordinal: Int) -> UInt64 {
        guard count < RowBlocks.firstCount else { return 0 }
        return blocks.withLock { $0[ordinal].countAhead() }
    }

    /// Takes all that is left of a block, to make it part of a larger one.
    func takeRest(ordinal: Int) -> Range<UInt64> {
        blocks.withLock { blocks in
            let rows = blocks[ordinal].rows
            blocks[ordinal].rows = rows.upperBound..<rows.upperBound
            return rows
        }
    }

    /// The rows of an entity that are left.
    func left(ordinal: Int) -> Range<UInt64> { blocks.withLock { $0[ordinal].rows } }

    /// How many rows to reserve beside those that are asked for.
    func nextCount(ordinal: Int) -> UInt64 { blocks.withLock { $0[ordinal].nextCount } }

    /// Adds rows that are reserved in the file by now.
    ///
    /// Two threads may have reserved at the same time: the later rows stay, the others are lost.
    ///
    /// - Parameter grows: Whether the next block is to have more rows.
    func add(_ rows: Range<UInt64>, ordinal: Int, grows: Bool = true) {
        blocks.withLock { blocks in
            if grows {
                blocks[ordinal].nextCount = min(blocks[ordinal].nextCount * 4, Self.greatestCount)
            }
            let known = blocks[ordinal].rows
            if known.isEmpty || known.upperBound < rows.upperBound { blocks[ordinal].rows = rows }
        }
    }
}

extension RowBlocks.Block {
    fileprivate mutating func countAhead() -> UInt64 {
        smallSaves += 1
        if !rows.isEmpty, rows.upperBound != overtakenEnd {
            (overtakenEnd, smallSaves) = (rows.upperBound, 0)
        }
        return smallSaves > RowBlocks.patience ? RowBlocks.firstCount : 0
    }

    fileprivate mutating func take(_ count: Int) -> UInt64? {
        guard UInt64(count) <= rows.upperBound - rows.lowerBound else { return nil }
        defer { rows = rows.lowerBound + UInt64(count)..<rows.upperBound }
        return rows.lowerBound
    }
}
