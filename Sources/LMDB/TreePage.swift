// SPDX-License-Identifier: Apache-2.0

/// A branch or leaf page of an LMDB tree, as read from disk, with every offset checked.
struct TreePage: CopiedPage {
    let bytes: [UInt8]

    /// Nil where the bytes are no such page.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.count >= PageLayout.Header.byteCount,
            flags & (PageLayout.Flags.branch | PageLayout.Flags.leaf) != 0,
            lower >= PageLayout.Header.byteCount, lower <= bytes.count,
            lower % PageLayout.positionByteCount == 0
        else { return nil }
    }

    /// The page that an entry of a branch page leads to.
    func child(_ index: Int) -> UInt64? { offset(index).map(child(at:)) }

    /// Where the value of an entry of a leaf page is: in the page, or in pages of its own.
    func value(_ index: Int) -> (inline: ArraySlice<UInt8>, overflowPage: UInt64?, byteCount: Int)?
    {
        guard let offset = offset(index) else { return nil }
        let count = valueSize(at: offset)
        let start = offset + PageLayout.Entry.key + keySize(at: offset)
        if entryFlags(at: offset) & PageLayout.EntryFlags.pages != 0 {
            guard start + PageLayout.numberByteCount <= bytes.count else { return nil }
            return ([], load(start), count)
        }
        guard start + count <= bytes.count else { return nil }
        return (bytes[start..<start + count], nil, count)
    }

    /// The key of an entry of a leaf page, where it is a number.
    func integerKey(_ index: Int) -> UInt64? {
        guard let offset = offset(index), keySize(at: offset) == PageLayout.numberByteCount,
            offset + PageLayout.Entry.key + PageLayout.numberByteCount <= bytes.count
        else { return nil }
        return load(offset + PageLayout.Entry.key)
    }

    /// Where an entry starts; nil where that is outside the page.
    private func offset(_ index: Int) -> Int? {
        let offset = position(index)
        guard offset >= PageLayout.Header.byteCount,
            offset + PageLayout.Entry.key <= bytes.count
        else { return nil }
        return offset
    }
}
