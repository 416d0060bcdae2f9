// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing
import _TestSupport

/// Free lists that are wrong on purpose.
///
/// A file that is shorter than its header says is opened by its free list, before any other check.
@Suite struct HostileFreeListTests {
    private static let pageSize = 4_096

    /// A page of a tree, all of whose nodes lie at the given places.
    private static func page(
        _ number: Int, flags: UInt16, _ places: [Int], _ nodes: [(at: Int, bytes: [UInt8])]
    ) -> Data {
        var page = Data(count: pageSize)
        page.put(UInt64(number), at: 0)
        page.put(flags, at: 10)
        page.put(UInt16(16 + 2 * places.count), at: 12)
        page.put(UInt16(pageSize - 24), at: 14)
        for (index, place) in places.enumerated() {
            page.put(UInt16(place), at: 16 + 2 * index)
        }
        for node in nodes {
            page.replaceSubrange(node.at..<node.at + node.bytes.count, with: node.bytes)
        }
        return page
    }

    /// A node with a key of eight bytes, whose value is in pages of its own.
    private static func node(_ byteCount: Int, in page: Int) -> [UInt8] {
        var node = Data(count: 24)
        node.put(UInt32(byteCount), at: 0)
        node.put(UInt16(1), at: 4)
        node.put(UInt16(8), at: 6)
        node.put(UInt64(page), at: 16)
        return Array(node)
    }

    /// A file of 8 MB with a page less than it should have, and a free list of 16,224 entries that
    /// all lead to one run of 2,048 pages.
    private static func makeFile(_ scratch: Scratch) throws {
        do {
            let environment = try scratch.environment()
            let objects = try environment.database("objects", .integerKey)
            try environment.write { try $0.put([1], for: 1, in: objects) }
        }
        let url = URL(fileURLWithPath: scratch.path())
        var data = try Data(contentsOf: url)
        let first = data.count / pageSize
        let run = first + 9
        let byteCount = 2_048 * pageSize - 16
        let leaves = (1...8).map { first + $0 }
        let branches = leaves.enumerated().map { index, leaf in
            (at: 2_048 + 8 * index, bytes: Array(UInt64(leaf).littleEndianBytes))
        }
        data += page(first, flags: 1, branches.map(\.at), branches)
        for leaf in leaves {
            data += page(
                leaf, flags: 2, Array(repeating: 4_072, count: 2_028),
                [(at: 4_072, bytes: node(byteCount, in: run))])
        }
        data.count += 2_048 * pageSize
        data.put(UInt64(byteCount / 8 - 1), at: run * pageSize + 16)
        let newest = data.number(at: 144) > data.number(at: pageSize + 144) ? 0 : pageSize
        data.put(UInt64(first), at: newest + 80)
        // One more than there are.
        data.put(UInt64(data.count / pageSize), at: newest + 136)
        try data.write(to: url)
    }

    /// The lists together have 100 GB.
    @Test func entriesThatShareTheirPagesAreRefused() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            try HostileFreeListTests.makeFile(scratch)
            alarm(20)
            #expect(errorCode { _ = try scratch.environment() } == .truncated)
        }
    }
}

extension Data {
    fileprivate mutating func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
        let bytes = number.littleEndianBytes
        replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }

    fileprivate func number(at offset: Int) -> UInt64 {
        self[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension FixedWidthInteger {
    fileprivate var littleEndianBytes: [UInt8] {
        withUnsafeBytes(of: littleEndian) { Array($0) }
    }
}
