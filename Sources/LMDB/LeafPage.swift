// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// A leaf page of a database with integer keys, read where it lies in the map.
///
/// Anything that ``PageLayout`` does not expect of such a page is left to LMDB: nothing is read
/// outside the page.
@frozen
@usableFromInline
struct LeafPage {
    @usableFromInline let page: MappedPage
    @usableFromInline let byteCount: Int
    /// The number of entries.
    @usableFromInline let count: Int

    /// How many entries ahead a walk prefetches: enough that it never waits for one.
    @inlinable static var distance: Int { 12 }
    /// The parts of an entry in front of its value, with the key.
    @inlinable static var entryByteCount: Int {
        PageLayout.Entry.key + PageLayout.numberByteCount
    }

    /// The page that a key lies in, which LMDB has found in a snapshot.
    ///
    /// - Parameters:
    ///   - key: A key of a plain database with integer keys.
    ///   - byteCount: The size of pages, a power of two that the map is aligned to.
    @inlinable
    init?(holding key: UnsafeRawBufferPointer, byteCount: Int) {
        guard let key = key.baseAddress else { return nil }
        let offset = Int(bitPattern: key) & (byteCount - 1)
        page = MappedPage(base: key - offset)
        self.byteCount = byteCount
        count = page.count
        guard page.flags == PageLayout.Flags.leaf, page.lower > PageLayout.Header.byteCount,
            page.lower <= offset
        else { return nil }
    }

    /// A page in the map; nil for one that is no leaf.
    init?(_ page: MappedPage, byteCount: Int) {
        self.page = page
        self.byteCount = byteCount
        count = page.count
        guard page.flags == PageLayout.Flags.leaf, page.lower > PageLayout.Header.byteCount,
            page.lower <= byteCount
        else { return nil }
    }

    /// The place of a key among the page's; nil where it is the key of no entry.
    @usableFromInline
    func place(of key: UnsafeRawBufferPointer) -> Int? {
        guard let key = key.baseAddress else { return nil }
        let wanted = key - page.base - PageLayout.Entry.key
        return (0..<count).first { page.position($0) == wanted }
    }

    /// An entry whose value is in the page; nil for any other.
    @inlinable
    @inline(__always)
    func entry(at index: Int) -> Entry? {
        let position = page.position(index)
        let room = byteCount &- LeafPage.entryByteCount &- position
        guard room >= 0 else { return nil }
        let size = page.valueSize(at: position)
        guard page.entryFlags(at: position) == PageLayout.EntryFlags.value,
            page.keySize(at: position) == PageLayout.numberByteCount, size <= room
        else { return nil }
        let key = page.base + (position + PageLayout.Entry.key)
        return Entry(
            key: UnsafeRawBufferPointer(start: key, count: PageLayout.numberByteCount),
            value: UnsafeRawBufferPointer(start: key + PageLayout.numberByteCount, count: size))
    }

    /// Has an entry loaded that is about to be asked for.
    ///
    /// - Parameters:
    ///   - index: Its place; behind the last entry, that in the page which comes next in the file,
    ///     where entries in the order of their keys mostly go on.
    ///   - stride: The page's ``entryStride``.
    @inlinable
    @inline(__always)
    func willRead(_ index: Int, stride: Int) {
        if index < count { return load(page.base + page.position(index)) }
        // Only an address to prefetch: no overflow matters.
        load(page.base + (2 &* byteCount &- (index &- count &+ 1) &* stride))
        if index == count { lode_prefetch(page.base + byteCount) }
    }

    @inlinable
    @inline(__always)
    func load(_ address: UnsafeRawPointer) {
        lode_prefetch(address)
        lode_prefetch(address + MemoryHint.lineByteCount)
    }

    /// The room that the last entry takes, as the next ones may.
    @inlinable var entryStride: Int {
        max(0, byteCount - page.upper) / count
    }
}
