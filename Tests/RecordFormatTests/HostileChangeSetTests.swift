// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing

/// Change sets that announce other than they have.
@Suite struct HostileChangeSetTests {
    private func changeSet(_ count: Int, _ changes: [UInt8], first: UInt64 = 1) -> [UInt8] {
        HistoryChangeSet(
            timestamp: 0, firstChange: first, changeCount: count, author: nil, contextName: nil,
            processID: "1", bundleID: "p", changes: changes
        ).encoded()
    }

    /// New rows from 1 on: one, and as many more as the number says.
    private func run(more: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(HistoryGroup.inserts.rawValue)
        writer.writeVarint(1)
        writer.writeVarint(3)
        writer.writeVarint(more)
        writer.writeVarint(0)
        writer.write(HistoryGroup.end.rawValue)
        return writer.bytes
    }

    private func changes(_ bytes: [UInt8]) throws -> Int {
        var count = 0
        try HistoryChangeSet(bytes).forEachChange { _ in count += 1 }
        return count
    }

    @Test func asManyAsAnnounced() throws {
        #expect(try changes(changeSet(4, run(more: 3))) == 4)
    }

    /// The first of these would take years, and the list of the second all memory.
    @Test(arguments: [(4, 1 << 46), (1 << 46, 3), (3, 3), (5, 3)] as [(Int, UInt64)])
    func otherCountsAreRefusedBeforeTheFirstChange(count: Int, more: UInt64) throws {
        var seen = 0
        #expect(throws: RecordFormatError.self) {
            try HistoryChangeSet(changeSet(count, run(more: more))).forEachChange { _ in
                seen += 1
            }
        }
        #expect(seen == 0)
    }

    @Test(arguments: [.max, .max - 2, 1 << 63] as [UInt64]) func numbersThatRunOut(
        first: UInt64
    ) throws {
        let bytes = changeSet(4, run(more: 3), first: first)
        #expect(throws: RecordFormatError.self) { try HistoryChangeSet(bytes) }
        #expect(throws: RecordFormatError.self) {
            try bytes.withUnsafeBytes { try HistoryHead($0) }
        }
    }
}
