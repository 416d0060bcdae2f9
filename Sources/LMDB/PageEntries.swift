// SPDX-License-Identifier: Apache-2.0

/// A page as bytes, with the positions of its entries; ``problem(order:plainSize:)`` has to be
/// asked before they are read.
struct PageEntries {
    /// How the keys of a tree follow each other.
    enum Order {
        case bytes, integers, unknown
    }

    /// What an entry of a leaf holds.
    enum Content {
        case value(ArraySlice<UInt8>)
        case pages(UInt64, byteCount: Int)
        case page(ArraySlice<UInt8>)
        case tree(TreeRecord)
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
    private static let entryHeader = 8

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var number: UInt64 { load(0) }
    var flags: UInt16 { bytes.count >= Self.headerByteCount ? load(10) : 0 }
    var overflowCount: Int { Int(load(12) as UInt32) }
    private var keySize: Int { Int(load(8) as UInt16) }
    private var lower: Int { Int(load(12) as UInt16) }
    private var upper: Int { Int(load(14) as UInt16) }

    /// The number of entries, or of keys without entries.
    var count: Int { (lower - Self.headerByteCount) / 2 }

    /// What is wrong with the positions, sizes and order of the entries.
    ///
    /// - Parameter plainSize: The size that keys without entries have to have.
    func problem(order: Order, plainSize: Int?) -> String? {
        guard lower >= Self.headerByteCount, lower % 2 == 0, lower <= upper, upper <= bytes.count
        else { return "has bounds \(lower) and \(upper)" }
        if flags & Self.plainLeaf == Self.plainLeaf {
            guard keySize > 0, plainSize == nil || plainSize == keySize,
                Self.headerByteCount + count * keySize <= bytes.count
            else { return "has \(count) keys of \(keySize) bytes" }
        } else {
            for index in 0..<count where !isInside(index) { return "has entry \(index) outside" }
        }
        return orderProblem(order)
    }

    private func isInside(_ index: Int) -> Bool {
        let offset = position(index)
        guard offset >= upper, offset % 2 == 0, offset + Self.entryHeader <= bytes.count else {
            return false
        }
        return offset + Self.entryHeader + Int(load(offset + 6) as UInt16) <= bytes.count
    }

    private func orderProblem(_ order: Order) -> String? {
        let isBranch = flags & Self.branch != 0
        // The first key of a branch stands for everything below the second.
        var former: ArraySlice<UInt8>?
        for index in (isBranch ? 1 : 0)..<max(count, 1) where index < count {
            let key = key(index)
            switch order {
            case .unknown: return nil
            case .integers:
                guard key.count == 8 || key.count == 4 else {
                    return "has a number of \(key.count) bytes"
                }
                if let former, former.count != key.count || !Self.isLess(former, key) {
                    return "has keys out of order at \(index)"
                }
            case .bytes:
                if let former, !former.lexicographicallyPrecedes(key) {
                    return "has keys out of order at \(index)"
                }
            }
            former = key
        }
        return nil
    }

    private static func isLess(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        left.reversed().lexicographicallyPrecedes(right.reversed())
    }

    private func position(_ index: Int) -> Int {
        Int(load(Self.headerByteCount + 2 * index) as UInt16)
    }

    private func key(_ index: Int) -> ArraySlice<UInt8> {
        if flags & Self.plainLeaf == Self.plainLeaf {
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
        if flags == 1 {
            guard start + 8 <= bytes.count else { return .broken("outside of the page") }
            return .pages(load(start), byteCount: count)
        }
        guard start + count <= bytes.count else { return .broken("outside of the page") }
        switch flags {
        case 0: return .value(bytes[start..<start + count])
        case 2, 6:
            guard count == TreeRecord.byteCount else { return .broken("of \(count) bytes") }
            return .tree(
                bytes.withUnsafeBytes {
                    TreeRecord(UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
                })
        case 4:
            guard count >= Self.headerByteCount else { return .broken("of \(count) bytes") }
            return .page(bytes[start..<start + count])
        default: return .broken("of kind \(flags)")
        }
    }

    /// Bytes as 8-byte numbers.
    static func numbers(_ bytes: ArraySlice<UInt8>) -> [UInt64] {
        bytes.withUnsafeBytes { raw in
            (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
        }
    }

    private func load<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }
}
