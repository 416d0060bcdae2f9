// SPDX-License-Identifier: Apache-2.0

/// The 48 bytes with which LMDB describes a tree: of a database, or of the values of one key.
struct TreeRecord {
    static let byteCount = Offsets.root + 8
    static let reverseKey: UInt16 = 0x02
    static let dupSort: UInt16 = 0x04
    static let integerKey: UInt16 = 0x08
    static let dupFixed: UInt16 = 0x10
    static let integerDup: UInt16 = 0x20
    static let reverseDup: UInt16 = 0x40
    /// The bits that say how entries are ordered and kept.
    ///
    /// Beside them LMDB keeps bits of its environment in the record of the free list.
    private static let form: UInt16 = 0x7E
    /// The bits that are about the values of a key.
    private static let duplicates = dupFixed | integerDup | reverseDup

    /// Where the parts are, as in `MDB_db` of mdb.c; between depth and entries are three counts of
    /// pages.
    private enum Offsets {
        static let keySize = 0
        static let flags = keySize + 4
        static let depth = flags + 2
        static let pageCounts = depth + 2
        static let leafPages = pageCounts + 8
        static let entries = pageCounts + 3 * 8
        static let root = entries + 8
    }

    /// The size of each key of a page without entries.
    let keySize: Int
    let flags: UInt16
    let depth: Int
    let leafPages: UInt64
    let entries: UInt64
    /// The first page; ``PageLayout/noPage`` for none.
    let root: UInt64

    /// Reads a record from that many bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        keySize = Int(bytes.loadUnaligned(fromByteOffset: Offsets.keySize, as: UInt32.self))
        flags = bytes.loadUnaligned(fromByteOffset: Offsets.flags, as: UInt16.self)
        depth = Int(bytes.loadUnaligned(fromByteOffset: Offsets.depth, as: UInt16.self))
        leafPages = bytes.loadUnaligned(fromByteOffset: Offsets.leafPages, as: UInt64.self)
        entries = bytes.loadUnaligned(fromByteOffset: Offsets.entries, as: UInt64.self)
        root = bytes.loadUnaligned(fromByteOffset: Offsets.root, as: UInt64.self)
    }

    /// Whether LMDB can read a free list by the record: it assumes integer keys.
    var fitsFreeList: Bool { flags & Self.form == Self.integerKey }

    /// Whether LMDB can read the list of databases by the record.
    var fitsMain: Bool { flags & Self.form == 0 }

    /// Whether the flags of a database contradict each other.
    ///
    /// LMDB reads the values of a key by them also where there can be none.
    var isContradictory: Bool {
        flags & Self.duplicates != 0 && flags & Self.dupSort == 0
    }

    /// The flags that the tree of the values of one key has in a database with some flags.
    static func flagsOfValues(_ flags: UInt16) -> UInt16 {
        guard flags & dupFixed != 0 else { return 0 }
        return dupFixed | (flags & integerDup != 0 ? integerKey : 0)
    }
}
