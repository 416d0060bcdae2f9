// SPDX-License-Identifier: Apache-2.0

/// A page as bytes, with the positions of its entries; call ``problem(_:)`` before reading them.
struct PageEntries {
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

    static let headerByteCount = 16
    static let branch: UInt16 = 0x01
    static let leaf: UInt16 = 0x02
    static let overflow: UInt16 = 0x04
    static let dirty: UInt16 = 0x10
    static let plainLeaf: UInt16 = 0x22
    static let subpage: UInt16 = 0x40
    static let entryHeader = 8

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var number: UInt64 { load(0) }
    var flags: UInt16 { bytes.count >= Self.headerByteCount ? load(10) : 0 }
    var overflowCount: Int { Int(load(12) as UInt32) }
    var keySize: Int { Int(load(8) as UInt16) }
    var lower: Int { Int(load(12) as UInt16) }
    var upper: Int { Int(load(14) as UInt16) }
    var isBranch: Bool { flags & Self.branch != 0 }
    var isPlain: Bool { flags & Self.plainLeaf == Self.plainLeaf }

    /// The number of entries, or of keys without entries.
    var count: Int { (lower - Self.headerByteCount) / 2 }

    func position(_ index: Int) -> Int {
        Int(load(Self.headerByteCount + 2 * index) as UInt16)
    }

    func key(_ index: Int) -> ArraySlice<UInt8> {
        if isPlain {
            let start = Self.headerByteCount + index * keySize
            return bytes[start..<start + keySize]
        }
        let start = position(index) + Self.entryHeader
        return bytes[start..<start + Int(load(start - 2) as UInt16)]
    }

    /// The page that an entry of a branch leads to.
    func child(_ index: Int) -> UInt64 {
        let offset = position(index)
        return UInt64(load(offset) as UInt32) | UInt64(load(offset + 4) as UInt16) << 32
    }

    /// An entry of a leaf.
    func entry(_ index: Int) -> Entry {
        let key = key(index)
        let offset = position(index)
        return Entry(key: key, content: content(offset, Int(load(offset) as UInt32), key.endIndex))
    }

    private func content(_ offset: Int, _ count: Int, _ start: Int) -> Content {
        let flags: UInt16 = load(offset + 4)
        if flags == 1 { return .pages(load(start), byteCount: count) }
        let value = bytes[start..<start + count]
        switch flags {
        case 0: return .value(value)
        case 2, 6:
            guard count == TreeRecord.byteCount else { return .broken("of \(count) bytes") }
            let record = value.withUnsafeBytes { TreeRecord($0) }
            return flags == 2 ? .database(record) : .duplicates(record)
        case 4:
            guard count >= Self.headerByteCount else { return .broken("of \(count) bytes") }
            return .page(value)
        default: return .broken("of kind \(flags)")
        }
    }

    /// Bytes as 8-byte numbers.
    static func numbers(_ bytes: ArraySlice<UInt8>) -> [UInt64] {
        bytes.withUnsafeBytes { raw in
            (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
        }
    }

    func load<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }
}
