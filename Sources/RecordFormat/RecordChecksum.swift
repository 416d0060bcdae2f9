// SPDX-License-Identifier: Apache-2.0

/// The 32-bit checksum of a record or a chunk; `FileFormat.md` defines it.
///
/// LMDB has no checksums of its own. This one is a multiply-and-fold hash over 8-byte words, which
/// costs a few nanoseconds a record. It keeps 32 of 64 bits: of the ways to damage a record, down
/// to one flipped bit, about one in four billion leaves the checksum as it was. Damage that leaves
/// a valid record, such as an older version of it, is not found, nor is a missing record; and as
/// the checksum is not cryptographic, neither is a change whose author recomputes it. Reading a
/// record does not compare it; see ``RecordView/hasValidChecksum(salt:)``.
@frozen
public enum RecordChecksum {
    /// Hashes bytes, reading the four bytes of the stored checksum as zero.
    @inlinable
    public static func compute(_ bytes: UnsafeRawBufferPointer, skippingAt skipped: Int) -> UInt32 {
        var hash = seed(bytes.count)
        guard let base = bytes.baseAddress else { return finish(hash) }
        let whole = bytes.count & ~7
        var offset = 0
        while offset < whole {
            var word = UInt64(
                littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            if offset == skipped { word &= 0xFFFF_FFFF_0000_0000 }
            add(word, to: &hash)
            offset += 8
        }
        if offset < bytes.count {
            var word = tail(of: bytes, from: offset)
            if offset == skipped { word &= 0xFFFF_FFFF_0000_0000 }
            add(word, to: &hash)
        }
        return finish(hash)
    }

    /// The last one to seven bytes, as the lower ones of a word; 0 where there is none.
    @inlinable
    @inline(__always)
    static func tail(of bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
        if offset < bytes.count, bytes.count >= 8 {
            // The last eight bytes at once, without those that were hashed before.
            let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
            return UInt64(littleEndian: last) >> UInt64((offset + 8 - bytes.count) * 8)
        }
        var word: UInt64 = 0
        for index in offset..<bytes.count {
            word |= UInt64(bytes[index]) << UInt64((index - offset) * 8)
        }
        return word
    }

    /// Hashes one number, as its eight little-endian bytes.
    @inlinable
    @inline(__always)
    public static func compute(word: UInt64) -> UInt32 {
        var hash = seed(8)
        add(word, to: &hash)
        return finish(hash)
    }

    /// Hashes bytes to 64 bits, which is what ``compute(_:skippingAt:)`` keeps half of.
    ///
    /// - Parameter start: Something else that the hash depends on.
    public static func hash(_ bytes: UnsafeRawBufferPointer, from start: UInt64) -> UInt64 {
        var hash = seed(bytes.count) ^ start
        var offset = 0
        while offset + 8 <= bytes.count {
            add(
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
                to: &hash)
            offset += 8
        }
        add(tail(of: bytes, from: offset), to: &hash)
        return hash
    }

    /// Hashes the UTF-8 bytes of a text to 64 bits, for tables in memory.
    public static func hash(_ text: String, from start: UInt64) -> UInt64 {
        var text = text
        return text.withUTF8 { bytes in
            // Spread over the word: as it is, the number would undo a difference of the first byte.
            let count = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
            return hash(UnsafeRawBufferPointer(bytes), from: start ^ count)
        }
    }

    /// Hashes a number to 64 bits, for tables in memory.
    @inlinable
    public static func hash(_ number: Int64, from start: UInt64) -> UInt64 {
        var hash = seed(8) ^ start
        add(UInt64(bitPattern: number), to: &hash)
        return hash
    }

    @inlinable
    @inline(__always)
    static func seed(_ byteCount: Int) -> UInt64 { 0x9E37_79B9_7F4A_7C15 ^ UInt64(byteCount) }

    @inlinable
    @inline(__always)
    static func add(_ word: UInt64, to hash: inout UInt64) {
        hash = (hash ^ word) &* 0xFF51_AFD7_ED55_8CCD
        hash ^= hash >> 32
    }

    @inlinable
    static func finish(_ hash: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: hash ^ (hash >> 29))
    }
}
