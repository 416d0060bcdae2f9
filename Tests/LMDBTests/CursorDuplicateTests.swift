// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing
import _TestSupport

/// Several values of one key.
@Suite struct CursorDuplicateTests {
    private let sample: CursorSample
    private var environment: Environment { sample.environment }
    private var objects: Database { sample.objects }
    private var edges: Database { sample.edges }

    init() throws { sample = try CursorSample() }

    private func pair(_ entry: borrowing Entry?) -> [UInt64]? {
        entry.map { [$0.integerKey, $0.integerValue] }
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

    @Test func countsDuplicatesOfDuplicateDatabasesOnly() throws {
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(objects)
            #expect(try cursor.first() != nil)
            #expect(errorCode { _ = try cursor.duplicateCount() } == .incompatible)
            #expect(errorCode { _ = try cursor.firstMultiple(10) } == .incompatible)
        }
    }
}
