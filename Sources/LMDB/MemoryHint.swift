// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// Prefetches memory that is about to be used, so that no time is spent waiting for it.
///
/// A hint affects nothing but speed: the memory may even be gone already.
public enum MemoryHint {
    /// The size of a cache line, or a small part of it, in bytes.
    @usableFromInline static var lineByteCount: Int { 64 }
    /// The part of a page that is loaded: the whole of a usual one.
    @usableFromInline static var pageByteCount: Int { 4_096 }

    // SAFETY: only the address of the object is used.
    /// Has the beginning of an object loaded.
    ///
    /// - Parameters:
    ///   - object: The object, which is not touched: not even retained, which would wait for it.
    ///   - byteCount: How much of it is used.
    @inlinable
    @inline(__always)
    public static func willUse<Object: AnyObject>(_ object: Unmanaged<Object>, byteCount: Int) {
        load(UnsafeRawPointer(object.toOpaque()), byteCount)
    }

    // SAFETY: it only prefetches, which reads nothing and never faults, whatever is there.
    @inlinable
    @inline(__always)
    static func load(_ address: UnsafeRawPointer, _ byteCount: Int) {
        var offset = 0
        while offset < byteCount {
            lode_prefetch(address + offset)
            offset += lineByteCount
        }
    }

    /// Has the beginning of a value loaded, for code that finds many values now and reads them
    /// later.
    ///
    /// - Parameter value: The value; its first 128 bytes are loaded.
    @inlinable
    @inline(__always)
    public static func willRead(_ value: UnsafeRawBufferPointer) {
        guard let address = value.baseAddress else { return }
        load(address, min(value.count, 2 * lineByteCount))
    }

    /// How many lines a value lies behind another one of the same map; 0 where that is too far to
    /// say.
    @inlinable
    @inline(__always)
    public static func lines(
        from value: UnsafeRawBufferPointer, to later: UnsafeRawBufferPointer
    ) -> Int32 {
        let distance = Int(bitPattern: later.baseAddress) &- Int(bitPattern: value.baseAddress)
        return Int32(exactly: distance >> lineByteCount.trailingZeroBitCount) ?? 0
    }

    // SAFETY: it computes an address, which may be any, and only prefetches.
    /// Has the beginning of a value loaded that lies some lines behind another one.
    ///
    /// - Parameters:
    ///   - lines: The distance, see ``lines(from:to:)``.
    ///   - value: The other one. Of the value 192 bytes or more are loaded, whatever its size.
    @inlinable
    @inline(__always)
    public static func willRead(_ lines: Int32, behind value: UnsafeRawBufferPointer) {
        guard let base = value.baseAddress else { return }
        let address = base + Int(lines) &* lineByteCount
        // Written out: a loop would take three times as many instructions for each object read.
        lode_prefetch(address)
        lode_prefetch(address + lineByteCount)
        lode_prefetch(address + 2 * lineByteCount)
        lode_prefetch(address + 3 * lineByteCount)
    }

    /// Has the page loaded that a value of the map lies in: the first change of a page copies it.
    ///
    /// - Parameters:
    ///   - value: The value, which is not read.
    ///   - last: The number of the page asked for last, which is not asked for again.
    @inlinable
    public static func willCopyPage(of value: UnsafeRawBufferPointer, last: inout UInt) {
        let number = UInt(bitPattern: value.baseAddress) / UInt(pageByteCount)
        guard number != last else { return }
        last = number
        guard let page = UnsafeRawPointer(bitPattern: number * UInt(pageByteCount)) else { return }
        load(page, pageByteCount)
    }
}
