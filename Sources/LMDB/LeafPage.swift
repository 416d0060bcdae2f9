// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// A leaf page of a database with integer keys, read where it lies in the map.
///
/// Layout of LMDB's data version 1 (`MDB_page` and `MDB_node` in mdb.c): 16 bytes of header, with
/// flags at 10 and the ends of the free room at 12 and 14, then a 16-bit position for each entry;
/// an entry is a 32-bit size, 16 bits of flags, a 16-bit size of the key, the key and the value.
/// Anything unexpected is left to LMDB: nothing is read outside the page.
@frozen
@usableFromInline
struct LeafPage {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let byteCount: Int
    /// The number of entries.
    @usableFromInline let count: Int

    /// How many entries ahead a walk prefetches: enough that it never waits for one.
    @usableFromInline static var distance: Int { 12 }
    /// Keys that are no further apart than this may well be in neighbouring pages.
    @usableFromInline static var nearness: UInt64 { 64 }
    @usableFromInline static var headerByteCount: Int { 16 }
    /// The header of an entry and its key.
    @usableFromInline static var entryByteCount: Int { 16 }
    /// `P_LEAF`, and nothing else.
    @usableFromInline static var leaf: UInt16 { 2 }

    /// The page that a key lies in, which LMDB has found in a snapshot.
    ///
    /// - Parameters:
    ///   - key: A key of a plain database with integer keys.
    ///   - byteCount: The size of pages, a power of two that the map is aligned to.
    @inlinable
    init?(holding key: UnsafeRawBufferPointer, byteCount: Int) {
        guard let key = key.baseAddress else { return nil }
        let offset = Int(bitPattern: key) & (byteCount - 1)
        base = key - offset
        self.byteCount = byteCount
        guard base.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == LeafPage.leaf else {
            return nil
        }
        let lower = Int(base.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        guard lower > LeafPage.headerByteCount, lower <= offset else { return nil }
        count = (lower - LeafPage.headerByteCount) / 2
    }

    /// Where an entry begins.
    @inlinable
    @inline(__always)
    func position(at index: Int) -> Int {
        Int(
            base.loadUnaligned(
                fromByteOffset: LeafPage.headerByteCount + 2 * index, as: UInt16.self))
    }

    /// The place of a key among the page's; nil where it is the key of no entry.
    @usableFromInline
    func place(of key: UnsafeRawBufferPointer) -> Int? {
        guard let key = key.baseAddress else { return nil }
        let wanted = key - base - 8
        return (0..<count).first { position(at: $0) == wanted }
    }

    /// The place of a key; nil where none of the entries with values in the page has it.
    func index(of key: UInt64) -> Int? {
        var (low, high) = (0, count - 1)
        while low <= high {
            let middle = (low + high) / 2
            guard let found = entry(at: middle)?.integerKey else { return nil }
            if found == key { return middle }
            if found < key { low = middle + 1 } else { high = middle - 1 }
        }
        return nil
    }

    /// An entry whose value is in the page; nil for any other.
    @inlinable
    @inline(__always)
    func entry(at index: Int) -> Entry? {
        let position = position(at: index)
        let room = byteCount - LeafPage.entryByteCount - position
        guard room >= 0 else { return nil }
        let size = Int(base.loadUnaligned(fromByteOffset: position, as: UInt32.self))
        let flags = base.loadUnaligned(fromByteOffset: position + 4, as: UInt16.self)
        let keySize = base.loadUnaligned(fromByteOffset: position + 6, as: UInt16.self)
        guard flags == 0, keySize == 8, size <= room else { return nil }
        let key = base + (position + 8)
        return Entry(
            key: UnsafeRawBufferPointer(start: key, count: 8),
            value: UnsafeRawBufferPointer(start: key + 8, count: size))
    }

    /// Has an entry loaded that is about to be asked for.
    ///
    /// - Parameter index: Its place; behind the last entry, that in the page which comes next in
    ///   the file, where entries in the order of their keys mostly go on.
    @inlinable
    @inline(__always)
    func willRead(_ index: Int) {
        if index < count { return load(base + position(at: index)) }
        load(base + 2 * byteCount - (index - count + 1) * entryStride)
        if index == count { lode_prefetch(base + byteCount) }
    }

    @inlinable
    @inline(__always)
    func load(_ address: UnsafeRawPointer) {
        lode_prefetch(address)
        lode_prefetch(address + MemoryHint.lineByteCount)
    }

    /// The room that the last entry takes, as the next ones may.
    @inlinable var entryStride: Int {
        let upper = Int(base.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
        return max(0, byteCount - upper) / count
    }
}
