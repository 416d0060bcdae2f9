// SPDX-License-Identifier: Apache-2.0

// Public, as the compiler inlines those of the package only where it has to: a sort calls them for
// each row.

/// Bytes that order, compared one by one, as the values order that they were made of.
///
/// The keys of indexes and sorts in memory are made of them. Each value begins with ``null`` or
/// ``value``, and no value's bytes begin another's.
public enum OrderedBytes {
    /// The tag of no value, which comes before all values.
    @inlinable public static var null: UInt8 { 0 }
    /// The tag of a value.
    @inlinable public static var value: UInt8 { 1 }

    /// The place of an integer among all.
    @inlinable
    public static func bits(_ number: Int64) -> UInt64 {
        UInt64(bitPattern: number) ^ (1 << 63)
    }

    /// The place of a number among all; those that are NaN have theirs at both ends.
    @inlinable
    public static func bits(_ number: Double) -> UInt64 {
        // -0.0 equals 0.0, so both must have one place.
        let bits = (number == 0 ? 0 : number).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    /// Appends an unsigned integer.
    @inlinable
    public static func append(_ bits: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: bits.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends content of any length, which has to be ended.
    @inlinable
    public static func append(_ content: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        // Hardly any content has a zero.
        let isAppended = content.withContiguousStorageIfAvailable { content in
            if content.contains(0) { return false }
            bytes.append(contentsOf: content)
            return true
        }
        if isAppended == true { return }
        for byte in content {
            bytes.append(byte)
            if byte == 0 { bytes.append(0xFF) }
        }
    }

    /// Ends content: two zeros are less than whatever might follow in longer content.
    @inlinable
    public static func end(_ bytes: inout [UInt8]) {
        bytes.append(0)
        bytes.append(0)
    }
}

extension OrderedBytes {
    /// Eight bytes as a number that orders as they do; zeros stand for bytes behind the end.
    ///
    /// - Parameters:
    ///   - start: The first byte.
    ///   - end: The first byte that does not count any more; at most the number of bytes.
    @inlinable
    public static func word(in bytes: [UInt8], from start: Int, to end: Int) -> UInt64 {
        bytes.withUnsafeBytes { word(in: $0, from: start, to: end) }
    }

    /// The same of bytes in memory.
    @inlinable
    public static func word(
        in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int
    ) -> UInt64 {
        guard start < end else { return 0 }
        guard start + 8 <= bytes.count else {
            let tail = bytes[start..<end].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            return tail << UInt64(8 * (8 - (end - start)))
        }
        let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        return end - start >= 8 ? word : word & ~(UInt64.max >> UInt64(8 * (end - start)))
    }
}
