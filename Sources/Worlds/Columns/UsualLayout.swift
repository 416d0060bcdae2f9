// SPDX-License-Identifier: Apache-2.0

/// The layout of almost all columns, which follows from the stride of their values alone.
///
/// Where the compiler knows a type, these are constants: a look-up that loads less memory lets the
/// processor wait for more values at once.
@frozen
@usableFromInline
struct UsualLayout {
    @usableFromInline let stride: Int

    @inlinable @inline(__always)
    init(stride: Int) { self.stride = stride }

    @inlinable @inline(__always)
    init<C: StoredComponent>(of type: C.Type) {
        stride = MemoryLayout<C>.size == 0 ? 0 : MemoryLayout<C>.stride
    }

    /// The binary logarithm of the rows of a chunk.
    @inlinable @inline(__always)
    var shift: Int {
        // A row takes its value and a bit.
        let bits = (ChunkLayout.greatestSize &- ChunkLayout.headerSize) &* 8
        let rows = bits / (stride &* 8 &+ 1)
        return min(14, max(6, 63 &- rows.leadingZeroBitCount))
    }

    @inlinable @inline(__always)
    var rowMask: Int { (1 &<< shift) &- 1 }

    @inlinable @inline(__always)
    var valuesOffset: Int { ChunkLayout.headerSize &+ max(64, 1 &<< (shift &- 3)) }

    /// Whether a column's layout is the usual one.
    func `is`(_ layout: ChunkLayout) -> Bool {
        layout.stride == stride && layout.shift == shift && layout.valuesOffset == valuesOffset
    }
}
