// SPDX-License-Identifier: Apache-2.0

/// How a narrow layout says in 4 bytes where a value of any length is.
///
/// Small records need no more: 16 bits for the start and 15 for the size. Beyond that, bit 31 is
/// set and the others lead to 8 bytes in the heap with the start and the size, as slots of wide
/// layouts have them. `FileFormat.md` describes both.
@usableFromInline
enum NarrowSlot {
    static let width = 4
    /// What the place of a start and a size in the heap is a multiple of, so that 31 bits reach
    /// beyond all starts.
    @inlinable static var alignment: Int { 8 }

    /// Set where the start and the size are in the heap.
    @inlinable static var farBit: UInt32 { 1 << 31 }

    /// The slot of a value; nil where it needs a start and a size in the heap.
    @inline(__always)
    static func near(_ start: Int, _ byteCount: Int) -> UInt32? {
        start <= 0xFFFF && byteCount <= 0x7FFF
            ? UInt32(truncatingIfNeeded: start | byteCount << 16) : nil
    }

    /// The slot that leads to a start and a size in the heap.
    static func far(_ place: Int) -> UInt32 { farBit | UInt32(place / alignment) }

    @inlinable
    @inline(__always)
    static func start(_ near: UInt32) -> Int { Int(near & 0xFFFF) }

    @inlinable
    @inline(__always)
    static func byteCount(_ near: UInt32) -> Int { Int(near >> 16) }

    /// Where the start and the size are, in the whole record.
    static func place(_ far: UInt32) -> Int { Int(far & ~farBit) * alignment }
}
