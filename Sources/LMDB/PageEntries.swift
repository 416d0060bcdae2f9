// SPDX-License-Identifier: Apache-2.0

/// A page as bytes, with the positions of its entries; call ``problem(_:)`` before reading them.
struct PageEntries: CopiedPage {
    /// What an entry of a leaf holds.
    enum Content {
        case value(ArraySlice<UInt8>)
        case pages(UInt64, byteCount: Int)
        /// The few values of a key.
        case page(ArraySlice<UInt8>)
        /// The tree of a database.
        case database(TreeRecord)
        /// The tree of the many values of a key.
        case duplicates(TreeRecord)
        case broken(String)
    }

    struct Entry {
        let key: ArraySlice<UInt8>
        let content: Content

        /// The key of a database: its name.
        var keyText: String { String(decoding: key, as: UTF8.self) }
    }

    let bytes: [UInt8]

    /// Nil where the bytes are too few for the header of a page.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= PageLayout.Header.byteCount else { return nil }
        self.bytes = bytes
    }

    var isPlain: Bool { flags & PageLayout.Flags.plainLeaf == PageLayout.Flags.plainLeaf }

    func key(_ index: Int) -> ArraySlice<UInt8> {
        if isPlain {
            let start = PageLayout.Header.byteCount + index * keySize
            return bytes[start..<start + keySize]
        }
        let position = position(index)
        let start = position + PageLayout.Entry.key
        return bytes[start..<start + keySize(at: position)]
    }

    /// The page that an entry of a branch leads to.
    func child(_ index: Int) -> UInt64 { child(at: position(index)) }

    /// An entry of a leaf.
    func entry(_ index: Int) -> Entry {
        let key = key(index)
        return Entry(key: key, content: content(position(index), key.endIndex))
    }

    private func content(_ position: Int, _ start: Int) -> Content {
        let count = valueSize(at: position)
        let flags = entryFlags(at: position)
        if flags == PageLayout.EntryFlags.pages { return .pages(load(start), byteCount: count) }
        let value = bytes[start..<start + count]
        switch flags {
        case PageLayout.EntryFlags.value: return .value(value)
        case PageLayout.EntryFlags.database, PageLayout.EntryFlags.duplicates:
            guard count == TreeRecord.byteCount else { return .broken("of \(count) bytes") }
            let record = value.withUnsafeBytes { TreeRecord($0) }
            return flags == PageLayout.EntryFlags.database
                ? .database(record) : .duplicates(record)
        case PageLayout.EntryFlags.subpage: return .page(value)
        default: return .broken("of kind \(flags)")
        }
    }

    /// Bytes as 8-byte numbers.
    static func numbers(_ bytes: ArraySlice<UInt8>) -> [UInt64] {
        bytes.withUnsafeBytes { raw in
            (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
        }
    }
}
