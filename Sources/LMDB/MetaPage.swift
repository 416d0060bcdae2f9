// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// One of the two header pages of an LMDB file, as read from disk.
struct MetaPage {
    /// The part of the page that holds the header.
    static let byteCount = Offsets.transactionID + 8
    /// Where the transaction's number is.
    static let transactionIDOffset = Offsets.transactionID
    /// How LMDB marks its files.
    static let magic: UInt32 = 0xBEEF_C0DE

    /// Where the parts are, as in `MDB_meta` of mdb.c on 64-bit machines.
    private enum Offsets {
        static let magic = PageLayout.Header.byteCount
        static let version = magic + 4
        static let mapAddress = version + 4
        static let mapSize = mapAddress + 8
        static let freeList = mapSize + 8
        static let main = freeList + TreeRecord.byteCount
        static let lastPage = main + TreeRecord.byteCount
        static let transactionID = lastPage + 8
    }

    /// The page that it was read from: 0 or 1.
    let page: UInt64
    let version: UInt32
    let pageSizeBytes: Int
    let freeList: TreeRecord
    let main: TreeRecord
    let lastPage: UInt64
    private(set) var transactionID: UInt64

    /// Reads the header from the first bytes of a page; nil where it is none.
    init?(_ bytes: UnsafeRawBufferPointer, page: UInt64) {
        guard bytes.count >= Self.byteCount,
            bytes.loadUnaligned(fromByteOffset: PageLayout.Header.flags, as: UInt16.self)
                & PageLayout.Flags.meta != 0,
            bytes.loadUnaligned(fromByteOffset: Offsets.magic, as: UInt32.self) == Self.magic
        else { return nil }
        self.page = page
        version = bytes.loadUnaligned(fromByteOffset: Offsets.version, as: UInt32.self)
        freeList = TreeRecord(
            UnsafeRawBufferPointer(rebasing: bytes[Offsets.freeList..<Offsets.main]))
        main = TreeRecord(UnsafeRawBufferPointer(rebasing: bytes[Offsets.main..<Offsets.lastPage]))
        // The free list has numbers for keys; LMDB keeps the size of pages in place of theirs.
        pageSizeBytes = freeList.keySize
        lastPage = bytes.loadUnaligned(fromByteOffset: Offsets.lastPage, as: UInt64.self)
        transactionID = bytes.loadUnaligned(
            fromByteOffset: Offsets.transactionID, as: UInt64.self)
    }

    /// The same header with another number.
    func numbered(_ number: UInt64) -> MetaPage {
        var result = self
        result.transactionID = number
        return result
    }

    /// The first page of the free list.
    var freeListRoot: UInt64 { freeList.root }

    /// Whether LMDB could have written this page size: that of the system's pages, with a limit.
    var hasValidPageSize: Bool {
        (4_096...32_768).contains(pageSizeBytes) && pageSizeBytes & (pageSizeBytes - 1) == 0
    }

    /// Whether LMDB can read the trees of this commit correctly, and its numbers cannot overflow:
    /// it takes the number of the newer header, and then the header page by whether that is odd.
    var isUsable: Bool {
        (transactionID == 0 || transactionID & 1 == page) && transactionID < 1 << 62
            && freeList.fitsFreeList && main.fitsMain
    }
}
