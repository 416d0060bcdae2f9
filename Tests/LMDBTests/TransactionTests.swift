// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing

@Suite struct TransactionTests {
    let scratch: Scratch
    let environment: Environment
    let objects: Database
    let names: Database
    let edges: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment()
        objects = try environment.database("objects", .integerKey)
        names = try environment.database("names")
        edges = try environment.database("edges", [.integerKey, .integerDup])
    }

    @Test func writesReadsReplacesAndDeletesIntegerKeys() throws {
        try environment.write { (txn) throws in
            #expect(try txn.put([1, 2, 3], for: 7, in: objects))
            #expect(try txn.get(7, in: objects).map { Array($0) } == [1, 2, 3])
            #expect(try txn.put([4], for: 7, in: objects))
        }
        #expect(try environment.value(7, in: objects) == [4])
        #expect(try environment.value(8, in: objects) == nil)
        try environment.write { (txn) throws in
            #expect(try txn.delete(7, in: objects))
            #expect(try !txn.delete(7, in: objects))
        }
        #expect(try environment.value(7, in: objects) == nil)
    }

    @Test func writesReadsAndDeletesByteAndTextKeys() throws {
        try environment.write { (txn) throws in
            try txn.put([9], for: "version", in: names)
            try txn.put([8], for: [0, 255], in: names)
        }
        try environment.read { (txn) throws in
            #expect(try txn.get("version", in: names).map { Array($0) } == [9])
            #expect(try txn.get([0, 255], in: names).map { Array($0) } == [8])
            #expect(try txn.get("versio", in: names) == nil)
            #expect(try txn.entryCount(names) == 2)
        }
        try environment.write { (txn) throws in
            #expect(try txn.delete("version", in: names))
            #expect(try txn.delete([0, 255] as [UInt8], in: names))
            #expect(try !txn.delete("version", in: names))
        }
        #expect(try environment.read { try $0.entryCount(names) } == 0)
    }

    @Test func sortsIntegerKeysByValue() throws {
        let keys: [UInt64] = [.max, 0, 1 << 32, 255, 256, 65536]
        try environment.write { (txn) throws in
            for key in keys { try txn.put([], for: key, in: objects) }
        }
        try environment.read { (txn) throws in
            let cursor = try txn.makeCursor(objects)
            var found: [UInt64] = []
            while let entry = try cursor.next() { found.append(entry.integerKey) }
            #expect(found == [0, 255, 256, 65536, 1 << 32, .max])
        }
    }

    @Test func keepsEmptyValues() throws {
        try environment.write { try $0.put([], for: 1, in: objects) }
        #expect(try environment.value(1, in: objects) == [])
    }

    @Test func leavesExistingEntriesAloneWhenAsked() throws {
        try environment.write { (txn) throws in
            #expect(try txn.put([1], for: 1, in: objects, options: .noOverwrite))
            #expect(try !txn.put([2], for: 1, in: objects, options: .noOverwrite))
            #expect(try txn.put(5, for: 1, in: edges, options: .noDuplicate))
            #expect(try !txn.put(5, for: 1, in: edges, options: .noDuplicate))
            #expect(try txn.put(6, for: 1, in: edges, options: .noDuplicate))
        }
        #expect(try environment.value(1, in: objects) == [1])
        #expect(try environment.read { try $0.entryCount(edges) } == 2)
    }

    @Test func appendsRisingKeysAndRefusesOthers() throws {
        try environment.write { (txn) throws in
            for key in 1...1000 as ClosedRange<UInt64> {
                try txn.put([UInt8(key & 255)], for: key, in: objects, options: .append)
            }
            let code = errorCode { try txn.put([], for: 500, in: objects, options: .append) }
            #expect(code == .keyExists)
            #expect(try txn.put([1], for: 1001, in: objects, options: .append))
        }
        #expect(try environment.read { try $0.entryCount(objects) } == 1001)
    }

    @Test func appendsRisingDuplicates() throws {
        try environment.write { (txn) throws in
            for value in 1...3000 as ClosedRange<UInt64> {
                try txn.put(value, for: 1, in: edges, options: .appendDuplicate)
            }
            let code = errorCode { try txn.put(7, for: 1, in: edges, options: .appendDuplicate) }
            #expect(code == .keyExists)
        }
        #expect(try environment.read { try $0.entryCount(edges) } == 3000)
    }

    @Test func deletesOnePairOfADuplicateKey() throws {
        try environment.write { (txn) throws in
            for value in [3, 1, 2] as [UInt64] { try txn.put(value, for: 9, in: edges) }
            #expect(try txn.delete(9, 2, in: edges))
            #expect(try !txn.delete(9, 2, in: edges))
            #expect(try txn.entryCount(edges) == 2)
            #expect(try txn.delete(9, in: edges))
            #expect(try txn.entryCount(edges) == 0)
        }
    }

    @Test func keepsIndexEntriesOfByteKeysAndIntegerValues() throws {
        let index = try environment.database("index", [.dupFixed])
        let key: [UInt8] = [65, 66]
        try environment.write { (txn) throws in
            try key.withUnsafeBytes { (bytes) throws in
                #expect(try txn.put(5, for: bytes, in: index))
                #expect(try txn.put(6, for: bytes, in: index))
                #expect(try txn.delete(bytes, 5, in: index))
                #expect(try !txn.delete(bytes, 5, in: index))
                #expect(try txn.get(bytes, in: index)?.loadUnaligned(as: UInt64.self) == 6)
            }
        }
    }

    @Test func fillsReservedRoomInPlace() throws {
        try environment.write { (txn) throws in
            try txn.putReserving(4, byteCount: 5000, in: objects) { room in
                for index in room.indices { room[index] = UInt8(index & 127) }
            }
            let kept = try txn.putReserving(4, byteCount: 1, in: objects, options: .noOverwrite) {
                _ in Issue.record("filled although the key was there")
            }
            #expect(!kept)
            try [1, 2].withUnsafeBytes { (key) throws in
                try txn.putReserving(key, byteCount: 1, in: names) { $0[0] = 77 }
                #expect(try txn.get(key, in: names)?[0] == 77)
            }
        }
        #expect(try environment.value(4, in: objects) == (0..<5000).map { UInt8($0 & 127) })
    }

    @Test func refusesOversizedKeysAndStaysUsable() throws {
        try environment.write { (txn) throws in
            let long = [UInt8](repeating: 1, count: 512)
            #expect(errorCode { try txn.put([], for: long, in: names) } == .badValueSize)
            #expect(errorCode { try txn.put([], for: [] as [UInt8], in: names) } == .badValueSize)
            #expect(errorCode { _ = try txn.get([] as [UInt8], in: names) } == .badValueSize)
            #expect(try txn.put([1], for: Array(long.dropLast()), in: names))
        }
        #expect(try environment.read { try $0.entryCount(names) } == 1)
    }

    @Test func refusesOversizedDuplicatesAndStaysUsable() throws {
        let tags = try environment.database("tags", .dupSort)
        try environment.write { (txn) throws in
            let long = [UInt8](repeating: 1, count: 512)
            #expect(errorCode { try txn.put(long, for: "a", in: tags) } == .badValueSize)
            #expect(try txn.put(Array(long.dropLast()), for: "a", in: tags))
        }
        #expect(try environment.read { try $0.entryCount(tags) } == 1)
    }

    @Test func undoesEverythingWhenTheBodyThrows() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try environment.write { (txn) throws in
                try txn.put([1], for: 1, in: objects)
                throw Stop()
            }
        }
        #expect(try environment.value(1, in: objects) == nil)
        #expect(try environment.write { _ in 42 } == 42)
    }

    @Test func emptiesADatabaseAndKeepsIt() throws {
        try environment.write { (txn) throws in
            for key in 0..<500 as Range<UInt64> { try txn.put([1], for: key, in: objects) }
            try txn.put([1], for: "a", in: names)
        }
        try environment.write { try $0.removeAll(objects) }
        try environment.write { try $0.put([2], for: 3, in: objects) }
        #expect(try environment.read { try $0.entryCount(objects) } == 1)
        #expect(try environment.read { try $0.entryCount(names) } == 1)
    }

    @Test func measuresTrees() throws {
        try environment.write { (txn) throws in
            for key in 0..<1000 as Range<UInt64> {
                try txn.put([UInt8](repeating: 0, count: 100), for: key, in: objects)
            }
            try txn.put([UInt8](repeating: 0, count: 40_000), for: 5000, in: objects)
        }
        let statistics = try environment.read { try $0.statistics(objects) }
        #expect(statistics.entries == 1001)
        #expect(statistics.depth == 2)
        #expect(statistics.branchPages == 1)
        #expect(statistics.overflowPages == 40_000 / statistics.pageSizeBytes + 1)
        #expect(statistics.bytes > 140_000)
    }

    @Test func numbersCommits() throws {
        let before = environment.lastTransactionID
        let made = try environment.write { (txn) throws in
            try txn.put([1], for: 1, in: objects)
            return txn.transactionID
        }
        #expect(made == before + 1)
        #expect(environment.lastTransactionID == made)
        #expect(try environment.read { $0.transactionID } == made)
    }

    @Test func readsInsideReadsAndWrites() throws {
        try environment.write { (txn) throws in
            try txn.put([1], for: 1, in: objects)
            #expect(try environment.value(1, in: objects) == nil)
        }
        try environment.read { (outer) throws in
            try environment.write { try $0.put([2], for: 1, in: objects) }
            #expect(try outer.get(1, in: objects).map { Array($0) } == [1])
            #expect(try environment.value(1, in: objects) == [2])
        }
    }

    @Test func databasesAreEightBytes() {
        #expect(MemoryLayout<Database>.size == 8)
        #expect(MemoryLayout<Database>.stride == 8)
    }
}
