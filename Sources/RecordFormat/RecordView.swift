// SPDX-License-Identifier: Apache-2.0

import Schema

/// A record read in place.
///
/// A view borrows bytes of the memory map or of an ``OwnedRecord``: it is valid no longer than the
/// snapshot or the owner it came from, so code that keeps a view must keep that too. Loads are
/// unaligned and not parsed; the position of a field comes from its ``RecordLayout``.
@frozen
public struct RecordView {
    @usableFromInline let base: UnsafeRawPointer
    /// The record's size in bytes.
    public let byteCount: Int

    /// Views bytes that hold at least a header; `nil` for fewer.
    @inlinable
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count >= RecordLayout.headerByteCount else {
            return nil
        }
        self.base = base
        byteCount = bytes.count
    }

    /// The record's bytes.
    @inlinable
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: byteCount)
    }

    /// The number of the layout that the record was written with.
    @inlinable
    public var layoutNumber: UInt16 {
        UInt16(
            littleEndian: base.loadUnaligned(
                fromByteOffset: RecordOffset.layoutNumber, as: UInt16.self))
    }

    /// The optimistic-locking version: 1 for a new record, one more with each save.
    @inlinable
    public var version: UInt32 {
        UInt32(
            littleEndian: base.loadUnaligned(fromByteOffset: RecordOffset.version, as: UInt32.self))
    }

    /// The checksum as stored.
    @inlinable
    public var storedChecksum: UInt32 {
        UInt32(
            littleEndian: base.loadUnaligned(fromByteOffset: RecordOffset.checksum, as: UInt32.self)
        )
    }

    /// Whether the stored checksum is that of the bytes.
    ///
    /// - Parameter salt: What it is mixed with, see ``EntrySeal/salt(of:)``; none in memory.
    public func hasValidChecksum(salt: UInt32 = 0) -> Bool {
        RecordChecksum.compute(bytes, skippingAt: RecordOffset.checksum) ^ salt == storedChecksum
    }

    /// Whether the record is long enough for a layout's fixed part and has its number.
    @inlinable
    public func fits(_ layout: RecordLayout) -> Bool {
        byteCount >= layout.fixedByteCount && layoutNumber == layout.number
    }

    // Inlined everywhere: left to itself, the compiler called it for each row in filters.
    /// Whether the field at a position of the layout has no value.
    @inlinable @inline(__always)
    public func isNull(_ field: Int) -> Bool {
        let byte = base.load(fromByteOffset: RecordOffset.nullByte(field), as: UInt8.self)
        return byte & (1 << UInt8(field & 7)) != 0
    }

    /// Loads a fixed-width slot.
    @inlinable
    public func load<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: Number.Type
    ) -> Number {
        Number(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
