// SPDX-License-Identifier: Apache-2.0

import Traps

/// Where LMDB's data version 1 keeps what in a page: `MDB_page` and `MDB_node` of mdb.c.
///
/// A header comes first, then a 16-bit position for each entry; the entries lie at the end of the
/// page, and the free room between.
@usableFromInline
enum PageLayout {
    /// Where parts of the header are.
    @usableFromInline
    enum Header {
        /// The number of the page, of 64 bits.
        @inlinable static var number: Int { 0 }
        /// The size of each key of a page without entries, of 16 bits.
        @inlinable static var keySize: Int { number + 8 }
        /// What the page is, of 16 bits.
        @inlinable static var flags: Int { keySize + 2 }
        /// Where the free room begins, of 16 bits.
        @inlinable static var lower: Int { flags + 2 }
        /// Where the free room ends, of 16 bits.
        @inlinable static var upper: Int { lower + 2 }
        /// How many pages a large value takes, of 32 bits, in place of the ends of the room.
        static var overflowCount: Int { lower }
        /// The size of the header.
        @inlinable static var byteCount: Int { upper + 2 }
    }

    /// Where parts of an entry are, from its position.
    @usableFromInline
    enum Entry {
        /// The size of the value, of 32 bits; in a branch the low bits of the page below.
        @inlinable static var valueSize: Int { 0 }
        /// What the value is, of 16 bits; in a branch the high bits of the page below.
        @inlinable static var flags: Int { valueSize + 4 }
        /// The size of the key, of 16 bits.
        @inlinable static var keySize: Int { flags + 2 }
        /// The key, which the value follows.
        @inlinable static var key: Int { keySize + 2 }
    }

    /// The size of an entry's position.
    @inlinable static var positionByteCount: Int { 2 }
    /// The size of a key that is a number, and of the number of a page.
    @inlinable static var numberByteCount: Int { 8 }

    /// The first page behind those of the file's header.
    static let firstPage: UInt64 = 2
    /// Stands for the root of a tree without pages.
    static let noPage = UInt64.max
    /// The most levels of a tree: as many as LMDB's cursors hold.
    static let mostLevels = 32

    /// How many pages a value of some bytes takes that has pages of its own.
    static func pageCount(_ byteCount: Int, pageSize: Int) -> Int {
        (Header.byteCount + byteCount + pageSize - 1) / pageSize
    }
}

extension PageLayout {
    /// What a page is; one may have several flags.
    @usableFromInline
    enum Flags {
        static let branch: UInt16 = 0x01
        @inlinable static var leaf: UInt16 { 0x02 }
        /// The first page of a large value.
        static let overflow: UInt16 = 0x04
        /// One of the file's header.
        static let meta: UInt16 = 0x08
        /// Changed and not yet written.
        static let dirty: UInt16 = 0x10
        /// A leaf of keys of one size, without entries around them.
        static let plainLeaf: UInt16 = 0x20 | 0x02
        /// The values of a key that lie in its entry.
        static let subpage: UInt16 = 0x40
    }

    /// What the value of an entry is.
    @usableFromInline
    enum EntryFlags {
        /// The value itself.
        @inlinable static var value: UInt16 { 0 }
        /// The number of the first of the value's own pages.
        static let pages: UInt16 = 0x01
        /// The tree of a database.
        static let database: UInt16 = 0x02
        /// A page of the values of the key.
        static let subpage: UInt16 = 0x04
        /// The tree of the values of the key.
        static let duplicates: UInt16 = 0x02 | 0x04
    }
}

/// The bytes of a page, wherever they are.
///
/// The members only say where something is: that it is in the page, those who read make sure.
@usableFromInline
protocol PageBytes {
    /// The number at an offset.
    func load<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number
}

extension PageBytes {
    @inlinable
    @inline(__always)
    var flags: UInt16 { load(PageLayout.Header.flags) }

    /// Where the free room begins.
    @inlinable
    @inline(__always)
    var lower: Int { Int(load(PageLayout.Header.lower) as UInt16) }

    /// Where the free room ends.
    @inlinable
    @inline(__always)
    var upper: Int { Int(load(PageLayout.Header.upper) as UInt16) }

    /// The number of entries, or of keys without entries.
    @inlinable
    @inline(__always)
    var count: Int { (lower - PageLayout.Header.byteCount) / PageLayout.positionByteCount }

    /// Where an entry begins.
    @inlinable
    @inline(__always)
    func position(_ index: Int) -> Int {
        // A page has few entries. A check for an overflow would be made for each of them.
        let offset = PageLayout.Header.byteCount &+ PageLayout.positionByteCount &* index
        return Int(load(offset) as UInt16)
    }

    /// The size of the value of the entry at a position.
    @inlinable
    @inline(__always)
    func valueSize(at position: Int) -> Int {
        Int(load(position + PageLayout.Entry.valueSize) as UInt32)
    }

    /// What the value of the entry at a position is.
    @inlinable
    @inline(__always)
    func entryFlags(at position: Int) -> UInt16 { load(position + PageLayout.Entry.flags) }

    /// The size of the key of the entry at a position.
    @inlinable
    @inline(__always)
    func keySize(at position: Int) -> Int {
        Int(load(position + PageLayout.Entry.keySize) as UInt16)
    }
}

extension PageBytes {
    var number: UInt64 { load(PageLayout.Header.number) }
    var isBranch: Bool { flags & PageLayout.Flags.branch != 0 }
    /// The size of each key of a page without entries.
    var keySize: Int { Int(load(PageLayout.Header.keySize) as UInt16) }
    /// How many pages the value takes that begins with this one.
    var overflowCount: Int { Int(load(PageLayout.Header.overflowCount) as UInt32) }

    /// The page that the entry of a branch at a position leads to.
    func child(at position: Int) -> UInt64 {
        UInt64(load(position + PageLayout.Entry.valueSize) as UInt32)
            | UInt64(load(position + PageLayout.Entry.flags) as UInt16) << 32
    }
}

/// A page where it lies in the map.
@frozen
@usableFromInline
struct MappedPage: PageBytes {
    @usableFromInline let base: UnsafeRawPointer

    @inlinable
    init(base: UnsafeRawPointer) { self.base = base }

    @inlinable
    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
        base.loadUnaligned(fromByteOffset: offset, as: Number.self)
    }
}

/// A page that was read from the file; reading outside of it traps.
protocol CopiedPage: PageBytes {
    var bytes: [UInt8] { get }
}

extension CopiedPage {
    func load<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
        let end = offset + MemoryLayout<Number>.size
        require(offset >= 0 && end <= bytes.count, "\(offset) in a page of \(bytes.count) bytes")
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }
}
