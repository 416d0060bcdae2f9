// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// Reads the packed destinations under one owner, page by page.
enum LinkReader {
    /// The most entries that room is asked for at once; a damaged file may announce any number.
    private static let mostReserved = 1 << 16

    static func destinations(
        of owner: UInt64, _ links: Database, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LMDBError) -> ContiguousArray<ObjectKey> {
        // Ranked links have 16 bytes, with the destination last.
        guard links.flags.contains(.integerDup) else {
            return ContiguousArray(
                try rankedLinks(of: owner, links, in: transaction).lazy.map {
                    ObjectKey(rawValue: $0.destination)
                })
        }
        let cursor = try transaction.makeCursor(links)
        var page = try cursor.firstMultiple(owner)
        guard page != nil else { return [] }
        // No room is asked for: the first page, mostly the only one, becomes the list as it is.
        var keys: ContiguousArray<ObjectKey> = []
        while let bytes = page {
            append(bytes, to: &keys)
            page = try cursor.nextMultiple()
        }
        return keys
    }

    /// Adds the keys of a page, all at once.
    private static func append(
        _ page: UnsafeRawBufferPointer, to keys: inout ContiguousArray<ObjectKey>
    ) {
        let count = page.count / 8
        let added = ContiguousArray<ObjectKey>(unsafeUninitializedCapacity: count) {
            buffer, filled in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: page[..<(count * 8)]))
            filled = count
        }
        if keys.isEmpty { keys = added } else { keys.append(contentsOf: added) }
    }

    /// The entries of an owner of an ordered relationship, ascending.
    static func rankedLinks(
        of owner: UInt64, _ links: Database, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LMDBError) -> ContiguousArray<RankedLink> {
        let cursor = try transaction.makeCursor(links)
        var page = try cursor.firstMultiple(owner)
        guard page != nil else { return [] }
        var result: ContiguousArray<RankedLink> = []
        result.reserveCapacity(min(try cursor.duplicateCount(), mostReserved))
        while let bytes = page {
            guard bytes.count % RankedLink.byteCount == 0 else {
                throw LMDBError(
                    code: .corrupted, path: nil,
                    message: "The file is damaged: an ordered relationship has \(bytes.count) "
                        + "bytes of destinations. Restore a backup, or rebuild it from an export.")
            }
            for offset in stride(from: 0, to: bytes.count, by: RankedLink.byteCount) {
                result.append(RankedLink(bytes, at: offset))
            }
            page = try cursor.nextMultiple()
        }
        return result
    }
}
