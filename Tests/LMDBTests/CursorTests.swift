// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing

/// Where a cursor goes.
@Suite struct CursorTests {
    private let sample: CursorSample
    private var environment: Environment { sample.environment }
    private var objects: Database { sample.objects }

    init() throws { sample = try CursorSample() }

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
}
