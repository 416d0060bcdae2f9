// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// One of the two header pages of an LMDB file, as read from disk.
///
/// Layout of LMDB 0.9 for 64-bit machines: a 16-byte page header, then magic,
/// version, map address, map size, the records of the free list and of the main
/// database (48 bytes each), the last page and the transaction.
struct MetaPage {
    /// The part of the page that holds the header.
    static let byteCount = 152
    /// Where the transaction's number is.
    static let transactionIDOffset = 144

    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let metaFlag: UInt16 = 0x08

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
            bytes.loadUnaligned(fromByteOffset: 10, as: UInt16.self) & Self.metaFlag != 0,
            bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self) == Self.magic
        else { return nil }
        self.page = page
        version = bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self)
        pageSizeBytes = Int(bytes.loadUnaligned(fromByteOffset: 40, as: UInt32.self))
        freeList = TreeRecord(UnsafeRawBufferPointer(rebasing: bytes[40..<88]))
        main = TreeRecord(UnsafeRawBufferPointer(rebasing: bytes[88..<136]))
        lastPage = bytes.loadUnaligned(fromByteOffset: 136, as: UInt64.self)
        transactionID = bytes.loadUnaligned(
            fromByteOffset: Self.transactionIDOffset, as: UInt64.self)
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
