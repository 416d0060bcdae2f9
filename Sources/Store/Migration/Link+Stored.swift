// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat

extension Link {
    /// Reads an entry of a relationship's database, for a walk over all of it.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - isRanked: Whether the relationship is ordered.
    ///   - path: The file, for errors.
    /// - Throws: `damaged` for bytes that are no link.
    init(_ entry: Entry, isRanked: Bool, path: String) throws(StoreError) {
        guard entry.key.count == 8, entry.value.count == (isRanked ? RankedLink.byteCount : 8)
        else {
            throw StoreError(
                .damaged, path: path,
                "a relationship has entries that are no links; restore the file from a copy")
        }
        self.init(
            owner: entry.integerKey,
            destination: isRanked
                ? RankedLink(entry.value).destination
                : entry.value.loadUnaligned(as: UInt64.self))
    }
}
