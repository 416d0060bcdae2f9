// SPDX-License-Identifier: Apache-2.0

/// The part of a column that a look-up of a value needs.
///
/// It lies in memory of its own that the column owns: a look-up that counted references to the
/// column would take several times as long, as atomic operations keep the processor from waiting
/// for several values at once.
@frozen
@usableFromInline
struct ColumnHead {
    @usableFromInline var slots: UnsafeMutablePointer<Chunk>
    @usableFromInline var slotCount = 0
    @usableFromInline let shift: Int
    /// The rows of a chunk less one: the bits of a row that are its place in the chunk.
    @usableFromInline let rowMask: Int
    @usableFromInline let stride: Int
    @usableFromInline let valuesOffset: Int
    // SAFETY: the head lives in the memory of its column and goes with it.
    @usableFromInline var column: Unmanaged<Column>?

    init(_ layout: ChunkLayout) {
        slots = UnsafeMutablePointer<Chunk>.allocate(capacity: 0)
        shift = layout.shift
        rowMask = layout.rows - 1
        stride = layout.stride
        valuesOffset = layout.valuesOffset
    }

    /// The place of a row's value; nil for a row without one, and for a number that is no row.
    @inlinable @inline(__always)
    func place(of row: Int) -> UnsafeMutableRawPointer? {
        place(of: row, shift, rowMask, valuesOffset, stride)
    }

    /// The same in a column of the usual layout.
    @inlinable @inline(__always)
    func place(of row: Int, _ layout: UsualLayout) -> UnsafeMutableRawPointer? {
        place(of: row, layout.shift, layout.rowMask, layout.valuesOffset, layout.stride)
    }

    @inlinable @inline(__always)
    func place(
        of row: Int, _ shift: Int, _ rowMask: Int, _ valuesOffset: Int, _ stride: Int
    ) -> UnsafeMutableRawPointer? {
        let slot = row &>> shift
        guard UInt(bitPattern: slot) < UInt(bitPattern: slotCount),
            let bytes = slots[slot].bytes
        else { return nil }
        let local = row & rowMask
        // SAFETY: the chunk has room for the bits and values of all of its rows, see `Chunk`.
        let presence = (bytes + ChunkLayout.headerSize).assumingMemoryBound(to: UInt64.self)
        guard presence[local &>> 6] &>> UInt64(local & 63) & 1 == 1 else { return nil }
        return bytes + (valuesOffset &+ local &* stride)
    }
}
