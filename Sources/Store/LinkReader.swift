// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// Reads the packed destinations under one owner, page by page.
enum LinkReader {
    static func destinations(
        of owner: UInt64, _ links: Database, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LMDBError) -> ContiguousArray<ObjectKey> {
        let cursor = try transaction.makeCursor(links)
        // Ranked links have 16 bytes, of which the destination comes last.
        let isRanked = !links.flags.contains(.integerDup)
        let width = isRanked ? RankedLink.byteCount : 8
        let start = isRanked ? 8 : 0
        var page = try cursor.firstMultiple(owner)
        guard page != nil else { return [] }
        var keys: ContiguousArray<ObjectKey> = []
        keys.reserveCapacity(try cursor.duplicateCount())
        while let bytes = page {
            for offset in stride(from: start, to: bytes.count, by: width) {
                keys.append(
                    ObjectKey(
                        rawValue: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            }
            page = try cursor.nextMultiple()
        }
        return keys
    }

    /// The entries of an owner of an ordered relationship, ascending.
    static func rankedLinks(
        of owner: UInt64, _ links: Database, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LMDBError) -> ContiguousArray<RankedLink> {
        let cursor = try transaction.makeCursor(links)
        var page = try cursor.firstMultiple(owner)
        guard page != nil else { return [] }
        var result: ContiguousArray<RankedLink> = []
        result.reserveCapacity(try cursor.duplicateCount())
        while let bytes = page {
            for offset in stride(from: 0, to: bytes.count, by: RankedLink.byteCount) {
                result.append(RankedLink(bytes, at: offset))
            }
            page = try cursor.nextMultiple()
        }
        return result
    }
}
