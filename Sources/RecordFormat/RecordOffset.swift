// SPDX-License-Identifier: Apache-2.0

/// Where the parts of a record are, from its start; `FileFormat.md` describes them.
public enum RecordOffset {
    /// The number of the layout, of 16 bits.
    @inlinable public static var layoutNumber: Int { 0 }
    /// Reserved, 16 bits.
    @inlinable public static var flags: Int { layoutNumber + 2 }
    /// The version, of 32 bits.
    @inlinable public static var version: Int { flags + 2 }
    /// The checksum, of 32 bits.
    @inlinable public static var checksum: Int { version + 4 }
    /// A bit for each field; the slots follow.
    @inlinable public static var nullBitmap: Int { checksum + 4 }

    /// The byte of the bitmap that has the bit of a field.
    @inlinable
    @inline(__always)
    static func nullByte(_ position: Int) -> Int { nullBitmap + position >> 3 }
}

/// Where the parts of a value are that has several, from the start of its slot.
@usableFromInline
enum SlotOffset {
    /// Of a value of any length, where in the record its bytes are, as 32 bits.
    static let heapStart = 0
    /// Of a value of any length, how many bytes it has, as 32 bits.
    static let heapByteCount = heapStart + 4
    /// The size of start and size together.
    static let heapSlotByteCount = heapByteCount + 4

    /// Of an identifier, the first half.
    @inlinable static var uuidHigh: Int { 0 }
    /// Of an identifier, the second half.
    @inlinable static var uuidLow: Int { uuidHigh + 8 }

    /// Of a decimal number, the digits, of 128 bits.
    static let significand = 0
    /// Of a decimal number, the power of ten, of 16 bits.
    static let exponent = significand + 16
    /// Of a decimal number, whether it is below zero: one byte.
    static let sign = exponent + 2
}
