// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing

@Suite struct CursorTests {
    let scratch: Scratch
    let environment: Environment
    let objects: Database
    let edges: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment()
        objects = try environment.database("objects", .integerKey)
        edges = try environment.database("edges", [.integerKey, .integerDup])
        try environment.write { (txn) throws in
            for key in [10, 20, 30, 40] as [UInt64] {
                try txn.put([UInt8(key)], for: key, in: objects)
            }
            for (key, value) in [(1, 5), (1, 7), (2, 6), (3, 1), (3, 2), (3, 9)] {
                try txn.put(UInt64(value), for: UInt64(key), in: edges)
            }
        }
    }

    private func pair(_ entry: borrowing Entry?) -> [UInt64]? {
        entry.map { [$0.integerKey, $0.integerValue] }
    }

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

    @Test func movesForwardsAndBackwards() throws {
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(objects)
            #expect(try cursor.current() == nil)
            #expect(try cursor.next()?.integerKey == 10)
            #expect(try cursor.next()?.integerKey == 20)
            #expect(try cursor.current().map { Array($0.value) } == [20])
            #expect(try cursor.last()?.integerKey == 40)
            #expect(try cursor.next() == nil)
            #expect(try cursor.previous()?.integerKey == 30)
            #expect(try cursor.first()?.integerKey == 10)
            #expect(try cursor.previous() == nil)
        }
    }

    @Test func startsAtTheEndWhenMovingBackwards() throws {
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(objects)
            #expect(try cursor.previous()?.integerKey == 40)
        }
    }

    @Test func seeksKeysAndRanges() throws {
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(objects)
            #expect(try cursor.seek(exactly: 20)?.integerKey == 20)
            #expect(try cursor.seek(exactly: 21) == nil)
            #expect(try cursor.seek(atLeast: 21)?.integerKey == 30)
            #expect(try cursor.seek(atLeast: 0)?.integerKey == 10)
            #expect(try cursor.seek(atLeast: 41) == nil)
            var found: [UInt64] = []
            var entry = try cursor.seek(atLeast: 15)
            while let reached = entry, reached.integerKey < 40 {
                found.append(reached.integerKey)
                entry = try cursor.next()
            }
            #expect(found == [20, 30])
        }
    }

    @Test func seeksByteKeys() throws {
        let names = try environment.database("names")
        try environment.write { (txn) throws in
            for name in ["ant", "bee", "cat"] { try txn.put([1], for: name, in: names) }
        }
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(names)
            try Array("b".utf8).withUnsafeBytes { (key) throws in
                #expect(try cursor.seek(atLeast: key).map { Array($0.key) } == Array("bee".utf8))
                #expect(try cursor.seek(exactly: key) == nil)
            }
            try Array("cat".utf8).withUnsafeBytes { (key) throws in
                #expect(try cursor.seek(exactly: key).map { Array($0.key) } == Array("cat".utf8))
            }
        }
    }

    @Test func movesAmongDuplicates() throws {
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(edges)
            #expect(pair(try cursor.seek(exactly: 3)) == [3, 1])
            #expect(try cursor.duplicateCount() == 3)
            #expect(pair(try cursor.nextDuplicate()) == [3, 2])
            #expect(pair(try cursor.lastDuplicate()) == [3, 9])
            #expect(try cursor.nextDuplicate() == nil)
            #expect(pair(try cursor.previousDuplicate()) == [3, 2])
            #expect(pair(try cursor.firstDuplicate()) == [3, 1])
            #expect(try cursor.previousDuplicate() == nil)
            #expect(pair(try cursor.first()) == [1, 5])
            #expect(pair(try cursor.nextKey()) == [2, 6])
            #expect(try cursor.nextDuplicate() == nil)
            #expect(pair(try cursor.firstDuplicate()) == [2, 6])
            #expect(pair(try cursor.lastDuplicate()) == [2, 6])
            #expect(pair(try cursor.nextKey()) == [3, 1])
            #expect(try cursor.nextKey() == nil)
            #expect(pair(try cursor.seek(exactly: 3)) == [3, 1])
            #expect(pair(try cursor.previousKey()) == [2, 6])
        }
    }

    @Test func seeksPairs() throws {
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(edges)
            #expect(pair(try cursor.seekBoth(3, 2)) == [3, 2])
            #expect(try cursor.seekBoth(3, 3) == nil)
            #expect(try cursor.seekBoth(4, 3) == nil)
            #expect(pair(try cursor.seek(3, duplicateAtLeast: 3)) == [3, 9])
            #expect(try cursor.seek(3, duplicateAtLeast: 10) == nil)
            #expect(pair(try cursor.seek(2, duplicateAtLeast: 1)) == [2, 6])
            #expect(try cursor.seek(2, duplicateAtLeast: 7) == nil)
        }
    }

    @Test func seeksPairsOfByteKeys() throws {
        let index = try environment.database("index", .dupFixed)
        let key: [UInt8] = [1, 2, 3]
        try environment.write { (txn) throws in
            try key.withUnsafeBytes { (bytes) throws in
                for value in [4, 8, 256] as [UInt64] {
                    try txn.put(value.bigEndian, for: bytes, in: index)
                }
            }
        }
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(index)
            try key.withUnsafeBytes { (bytes) throws in
                let found = try cursor.seek(bytes, duplicateAtLeast: UInt64(5).bigEndian)
                #expect(found?.integerValue == UInt64(8).bigEndian)
                #expect(found.map { Array($0.key) } == key)
                #expect(try cursor.seekBoth(bytes, UInt64(256).bigEndian) != nil)
                #expect(try cursor.seekBoth(bytes, UInt64(257).bigEndian) == nil)
                #expect(try cursor.firstMultiple(bytes)?.count == 24)
                var wanted = UInt64(8).bigEndian
                try withUnsafeBytes(of: &wanted) { (value) throws in
                    #expect(try cursor.seekBoth(bytes, value) != nil)
                    #expect(try cursor.seek(bytes, duplicateAtLeast: value) != nil)
                }
            }
        }
    }

    @Test(arguments: [1, 2, 100, 300, 2000])
    func readsDuplicatesPageByPage(count: Int) throws {
        let values = (0..<UInt64(count)).map { $0 &* 7 + 1 }
        try environment.write { try $0.putMultiple(values, for: 77, in: edges) }
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(edges)
            var found: [UInt64] = []
            var pages = 0
            var page = try cursor.firstMultiple(77)
            while let bytes = page {
                pages += 1
                for offset in stride(from: 0, to: bytes.count, by: 8) {
                    found.append(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                }
                page = try cursor.nextMultiple()
            }
            #expect(found == values)
            #expect(count < 2000 || pages > 2)
            #expect(try cursor.firstMultiple(78) == nil)
        }
    }

    @Test func writesSeveralDuplicatesOverExistingOnes() throws {
        try environment.write { (txn) throws in
            try txn.putMultiple([2, 4, 9, 11], for: 3, in: edges)
            try txn.putMultiple([], for: 50, in: edges)
            let cursor = try txn.makeCursor(edges)
            #expect(try cursor.seek(exactly: 3) != nil)
            #expect(try cursor.duplicateCount() == 5)
            #expect(try cursor.seek(exactly: 50) == nil)
        }
    }

    @Test func writesSeveralUnsortedAndRepeatedDuplicates() throws {
        var random = SeededGenerator(seed: 3)
        for key in 100..<200 as Range<UInt64> {
            let values = (0..<300).map { _ in UInt64.random(in: 0..<500, using: &random) }
            try environment.write { (txn) throws in
                try txn.putMultiple(values, for: key, in: edges)
                try txn.putMultiple(Array(values.reversed()), for: key, in: edges)
                let cursor = try txn.makeCursor(edges)
                _ = try cursor.seek(exactly: key)
                #expect(try cursor.duplicateCount() == Set(values).count, "key \(key)")
            }
        }
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

    @Test func countsDuplicatesOfDuplicateDatabasesOnly() throws {
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(objects)
            #expect(try cursor.first() != nil)
            #expect(errorCode { _ = try cursor.duplicateCount() } == .incompatible)
            #expect(errorCode { _ = try cursor.firstMultiple(10) } == .incompatible)
        }
    }
}
