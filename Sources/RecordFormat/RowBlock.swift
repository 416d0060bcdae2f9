// SPDX-License-Identifier: Apache-2.0

import Traps

/// A part of the memory for rows.
struct RowBlock {
    private static let leastByteCount = 1 << 16
    private static let greatestByteCount = 1 << 22

    let memory: any RowMemory
    let start: UnsafeMutableRawPointer
    let byteCount: Int
    /// Where the rows end.
    var end: UnsafeMutableRawPointer

    /// Whether the block is of the usual size of those behind the first ones.
    var isLarge: Bool { byteCount == RowBlock.greatestByteCount }

    /// Allocates a block; those behind the first are larger and larger.
    init(_ position: Int, atLeast needed: Int, _ source: any RowMemory.Type) {
        let wanted = RowBlock.leastByteCount << (2 * min(position, 3))
        byteCount = max(min(wanted, RowBlock.greatestByteCount), (needed + 7) & ~7)
        memory = source.init(byteCount: byteCount)
        guard let start = memory.bytes.baseAddress, memory.bytes.count >= byteCount else {
            trap("\(memory.bytes.count) bytes instead of \(byteCount)")
        }
        self.start = start
        end = start
    }
}
