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
    @usableFromInline let stride: Int
    @usableFromInline let valuesOffset: Int

    init(_ layout: ChunkLayout) {
        slots = UnsafeMutablePointer<Chunk>.allocate(capacity: 0)
        shift = layout.shift
        stride = layout.stride
        valuesOffset = layout.valuesOffset
    }

    /// The place of a row's value; nil for a row without one.
    @inlinable @inline(__always)
    func place(of row: Int) -> UnsafeMutableRawPointer? {
        let slot = row &>> shift
        guard slot < slotCount, let bytes = slots[slot].bytes else { return nil }
        let local = row & ((1 &<< shift) &- 1)
        // SAFETY: the chunk has room for the bits and values of all of its rows, see `Chunk`.
        let word = (bytes + ChunkLayout.headerSize).load(
            fromByteOffset: (local &>> 6) &<< 3, as: UInt64.self)
        guard word &>> UInt64(local & 63) & 1 == 1 else { return nil }
        return bytes + (valuesOffset &+ local &* stride)
    }
}
