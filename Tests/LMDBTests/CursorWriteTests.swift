// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing

/// What a cursor changes where it stands.
@Suite struct CursorWriteTests {
    private let sample: CursorSample
    private var environment: Environment { sample.environment }
    private var objects: Database { sample.objects }
    private var edges: Database { sample.edges }

    init() throws { sample = try CursorSample() }

    @Test func overwritesWhereItStands() throws {
        try environment.write { (txn) throws in
            let cursor = try txn.makeWriteCursor(objects)
            for (key, byte) in [(20, 2), (40, 4)] as [(UInt64, UInt8)] {
                #expect(try cursor.seek(exactly: key) != nil)
                try [byte].withUnsafeBytes { try cursor.overwriteCurrent($0, for: key) }
            }
            #expect(try cursor.seek(exactly: 30 as UInt64) != nil)
        }
        #expect(
            try [10, 20, 30, 40].map { try environment.value($0, in: objects) } == [
                [10], [2], [30], [4],
            ])
    }

    /// Values inside a page of 4 KiB and in pages of their own, up to the last byte of each kind.
    @Test(arguments: [1, 100, 2_022, 2_023, 4_080, 4_081, 70_000])
    func overwritesValuesOfAnySize(byteCount: Int) throws {
        func bytes(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: byteCount) }
        func overwrite(_ byte: UInt8, _ txn: borrowing WriteTransaction) throws {
            let cursor = try txn.makeWriteCursor(objects)
            #expect(try cursor.seek(exactly: 51 as UInt64)?.value.count == byteCount)
            try bytes(byte).withUnsafeBytes { try cursor.overwriteCurrent($0, for: 51) }
            #expect(try cursor.current().map { Array($0.value) } == bytes(byte))
        }
        try environment.write { (txn) throws in
            for key in [50, 51, 52] as [UInt64] {
                try txn.put(bytes(UInt8(key)), for: key, in: objects)
            }
            try overwrite(1, txn)
        }
        // Now in pages of an earlier commit; the second time in those of this one.
        try environment.write { (txn) throws in
            try overwrite(2, txn)
            try overwrite(3, txn)
        }
        #expect(
            try [50, 51, 52].map { try environment.value($0, in: objects) } == [
                bytes(50), bytes(3), bytes(52),
            ])
        #expect(try environment.read { try $0.entryCount(objects) } == 7)
    }

    @Test func deletesWhileWalkingForwards() throws {
        try environment.write { (txn) throws in
            let cursor = try txn.makeWriteCursor(objects)
            var entry = try cursor.first()
            while let reached = entry {
                if reached.integerKey % 20 == 0 { try cursor.deleteCurrent() }
                entry = try cursor.next()
            }
        }
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(objects)
            #expect(try cursor.next()?.integerKey == 10)
            #expect(try cursor.next()?.integerKey == 30)
            #expect(try cursor.next() == nil)
        }
    }

    @Test func deletesAKeyWithItsDuplicates() throws {
        try environment.write { (txn) throws in
            let cursor = try txn.makeWriteCursor(edges)
            #expect(try cursor.seek(exactly: 3) != nil)
            try cursor.deleteCurrentKey()
            #expect(try cursor.seek(exactly: 1) != nil)
            try cursor.deleteCurrent()
            #expect(try txn.entryCount(edges) == 2)
            let plain = try txn.makeWriteCursor(objects)
            #expect(try plain.first() != nil)
            try plain.deleteCurrentKey()
            #expect(try txn.entryCount(objects) == 3)
        }
    }

    @Test func writesThroughACursor() throws {
        let names = try environment.database("names")
        try environment.write { (txn) throws in
            let cursor = try txn.makeWriteCursor(objects)
            try [1, 2].withUnsafeBytes { (bytes) throws in
                #expect(try cursor.put(bytes, for: 50, options: .append))
                #expect(try !cursor.put(bytes, for: 50, options: .noOverwrite))
                #expect(errorCode { try cursor.put(bytes, for: 5, options: .append) } == .keyExists)
            }
            #expect(try cursor.put(99, for: 60))
            #expect(try cursor.current()?.integerValue == 99)
            let byName = try txn.makeWriteCursor(names)
            try Array("x".utf8).withUnsafeBytes { (key) throws in
                #expect(try byName.put(key, for: key))
                #expect(try byName.put(12, for: key))
                #expect(try byName.current()?.integerValue == 12)
            }
        }
        #expect(try environment.read { try $0.entryCount(objects) } == 6)
    }

    @Test func refusesToDeleteNowhere() throws {
        try environment.write { (txn) throws in
            let cursor = try txn.makeWriteCursor(objects)
            #expect(errorCode { try cursor.deleteCurrent() } == .init(rawValue: 22))
            #expect(errorCode { try cursor.deleteCurrentKey() } == .init(rawValue: 22))
        }
    }
}
