// SPDX-License-Identifier: Apache-2.0

/// Encoded records, one after the other, in large blocks: a record costs no allocation.
package struct RowArena: ~Copyable {
    private static let blockByteCount = 1 << 20

    private var blocks: [UnsafeMutableRawBufferPointer] = []
    private var used = 0
    /// The place of each row: its block above its offset in it.
    private var places: ContiguousArray<(block: Int32, offset: Int32, count: Int32)> = []

    package init() {}

    deinit {
        for block in blocks { block.deallocate() }
    }

    package var count: Int { places.count }

    package mutating func append(_ record: UnsafeRawBufferPointer) {
        if blocks.isEmpty || used + record.count > blocks[blocks.count - 1].count {
            blocks.append(
                .allocate(
                    byteCount: max(record.count, RowArena.blockByteCount), alignment: 8))
            used = 0
        }
        let block = blocks[blocks.count - 1]
        UnsafeMutableRawBufferPointer(rebasing: block[used...]).copyMemory(from: record)
        places.append((Int32(blocks.count - 1), Int32(used), Int32(record.count)))
        used += (record.count + 7) & ~7
        if used > block.count { used = block.count }
    }

    package subscript(row: Int) -> UnsafeRawBufferPointer {
        let place = places[row]
        let start = Int(place.offset)
        return UnsafeRawBufferPointer(
            rebasing: blocks[Int(place.block)][start..<start + Int(place.count)])
    }
}
