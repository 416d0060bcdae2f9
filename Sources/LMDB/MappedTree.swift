// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// The tree of a database where it lies in the map, read without LMDB's cursors.
///
/// What does not look as ``PageLayout`` expects is answered with nil: nothing is read outside the
/// file's pages.
struct MappedTree {
    let map: UnsafeRawPointer
    let pageByteCount: Int
    let lastPage: UInt64
    let record: TreeRecord

    /// LMDB's number of the tree that lists the others.
    private static var main: MDB_dbi { 1 }

    init?(named name: String, in transaction: OpaquePointer) {
        let environment = environment(of: transaction)
        pageByteCount = environment.pageByteCountInMap
        guard pageByteCount > 0,
            let found = MappedTree.record(named: name, in: transaction),
            let start = found.baseAddress
        else { return nil }
        record = TreeRecord(found)
        var info = MDB_envinfo()
        guard mdb_env_info(mdb_txn_env(transaction), &info) == MDB_SUCCESS else { return nil }
        // Another process may have made the file larger than the map.
        lastPage = min(
            UInt64(info.me_last_pgno), UInt64(max(1, info.me_mapsize / pageByteCount) - 1))
        // The record lies in a page that knows its number, and so where the map begins.
        let offset = Int(bitPattern: start) & (pageByteCount - 1)
        let page = MappedPage(base: start - offset)
        guard page.number <= lastPage, page.flags == PageLayout.Flags.leaf else { return nil }
        map = page.base - Int(page.number) * pageByteCount
    }

    static func record(
        named name: String, in transaction: OpaquePointer
    ) -> UnsafeRawBufferPointer? {
        var name = name
        return name.withUTF8 { text -> UnsafeRawBufferPointer? in
            var key = MDB_val(UnsafeRawBufferPointer(text))
            var value = MDB_val()
            guard mdb_get(transaction, main, &key, &value) == MDB_SUCCESS,
                value.mv_size == TreeRecord.byteCount
            else { return nil }
            return value.bytes
        }
    }

    /// A page of the tree; nil for what is none.
    func node(_ number: UInt64) -> MappedNode? {
        page(number).flatMap { MappedNode($0, byteCount: pageByteCount) }
    }

    /// The page of a number; nil where the map has no such page.
    @inline(__always)
    func page(_ number: UInt64) -> MappedPage? {
        guard number >= PageLayout.firstPage, number <= lastPage else { return nil }
        let page = MappedPage(base: map + Int(number) * pageByteCount)
        return page.number == number ? page : nil
    }
}
