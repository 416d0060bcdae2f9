// SPDX-License-Identifier: Apache-2.0

/// A branch or leaf page of an LMDB tree, as read from disk, with every offset checked.
struct TreePage {
    private let bytes: [UInt8]
    let isBranch: Bool
    let nodeCount: Int

    private static let headerByteCount = 16
    private static let branchFlag: UInt16 = 0x01
    private static let leafFlag: UInt16 = 0x02
    private static let bigDataFlag: UInt16 = 0x01

    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        let flags = Self.load(bytes, 10, UInt16.self)
        let lower = Int(Self.load(bytes, 12, UInt16.self))
        guard flags & (Self.branchFlag | Self.leafFlag) != 0, lower >= Self.headerByteCount,
            lower <= bytes.count, lower % 2 == 0
        else { return nil }
        isBranch = flags & Self.branchFlag != 0
        nodeCount = (lower - Self.headerByteCount) / 2
    }

    /// The page that a node of a branch page leads to.
    func child(_ index: Int) -> UInt64? {
        guard let offset = offset(index) else { return nil }
        let low = UInt64(load(offset, UInt16.self)) | UInt64(load(offset + 2, UInt16.self)) << 16
        return low | UInt64(load(offset + 4, UInt16.self)) << 32
    }

    /// Where the value of a node of a leaf page is: in the page, or in pages of its own.
    func value(_ index: Int) -> (inline: ArraySlice<UInt8>, overflowPage: UInt64?, byteCount: Int)?
    {
        guard let offset = offset(index) else { return nil }
        let count = Int(load(offset, UInt16.self)) | Int(load(offset + 2, UInt16.self)) << 16
        let start = offset + 8 + Int(load(offset + 6, UInt16.self))
        if load(offset + 4, UInt16.self) & Self.bigDataFlag != 0 {
            guard start + 8 <= bytes.count else { return nil }
            return ([], load(start, UInt64.self), count)
        }
        guard start + count <= bytes.count else { return nil }
        return (bytes[start..<start + count], nil, count)
    }

    /// The key of a node of a leaf page, where it is a number.
    func integerKey(_ index: Int) -> UInt64? {
        guard let offset = offset(index), load(offset + 6, UInt16.self) == 8,
            offset + 16 <= bytes.count
        else { return nil }
        return load(offset + 8, UInt64.self)
    }

    /// Where a node starts; nil where that is outside the page.
    private func offset(_ index: Int) -> Int? {
        let offset = Int(load(Self.headerByteCount + 2 * index, UInt16.self))
        return offset >= Self.headerByteCount && offset + 8 <= bytes.count ? offset : nil
    }

    private func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _ type: T.Type) -> T {
        Self.load(bytes, offset, type)
    }

    private static func load<T: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: [UInt8], _ offset: Int, _ type: T.Type
    ) -> T {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
}
