// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing
import _TestSupport

/// Random operations, compared with a dictionary after every transaction.
@Suite struct OracleTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func plainDatabaseMatchesADictionary(seed: UInt64) throws {
        let scratch = try Scratch()
        let environment = try scratch.environment { $0.durability = .none }
        let objects = try environment.database("objects", .integerKey)
        var random = SeededGenerator(seed: seed)
        var model: [UInt64: [UInt8]] = [:]
        for round in 0..<30 {
            let undoes = round % 7 == 3
            let before = model
            struct Undo: Error {}
            do {
                try environment.write { (txn) throws in
                    for _ in 0..<40 { try step(&model, txn, objects, &random) }
                    if undoes { throw Undo() }
                }
            } catch is Undo {
                model = before
            }
            let found = try environment.read { (txn) throws in
                var found: [UInt64: [UInt8]] = [:]
                let cursor = try txn.makeCursor(objects)
                while let entry = try cursor.next() { found[entry.integerKey] = Array(entry.value) }
                return found
            }
            #expect(found == model, "seed \(seed), round \(round)")
        }
    }

    private func step(
        _ model: inout [UInt64: [UInt8]], _ txn: borrowing WriteTransaction, _ objects: Database,
        _ random: inout SeededGenerator
    ) throws {
        let key = UInt64.random(in: 0..<200, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
            let size = [0, 8, 300, 1400, 2100, 9000].randomElement(using: &random) ?? 0
            let value = [UInt8](repeating: UInt8(key & 255), count: size)
            try txn.put(value, for: key, in: objects)
            model[key] = value
        case 5..<7:
            let isNew = try txn.put([1], for: key, in: objects, options: .noOverwrite)
            #expect(isNew == (model[key] == nil))
            if isNew { model[key] = [1] }
        default:
            let wasThere = try txn.delete(key, in: objects)
            #expect(wasThere == (model.removeValue(forKey: key) != nil))
        }
        let check = UInt64.random(in: 0..<200, using: &random)
        #expect(try txn.get(check, in: objects).map { Array($0) } == model[check])
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func edgesMatchADictionaryOfSets(seed: UInt64) throws {
        let scratch = try Scratch()
        let environment = try scratch.environment { $0.durability = .none }
        let edges = try environment.database("edges", [.integerKey, .integerDup])
        var random = SeededGenerator(seed: seed)
        var model: [UInt64: Set<UInt64>] = [:]
        for round in 0..<20 {
            try environment.write { (txn) throws in
                for _ in 0..<150 { try edgeStep(&model, txn, edges, &random) }
            }
            let (keys, counts, pages) = try environment.read { try edgeLists($0, edges) }
            let sorted = model.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            #expect(keys == sorted.map(\.key), "seed \(seed), round \(round)")
            #expect(counts == sorted.map(\.value.count), "seed \(seed), round \(round)")
            // Compared first: a failure would print thousands of numbers.
            let matches = pages == sorted.map { $0.value.sorted() }
            #expect(matches, "seed \(seed), round \(round)")
        }
    }

    private func edgeStep(
        _ model: inout [UInt64: Set<UInt64>], _ txn: borrowing WriteTransaction,
        _ edges: Database, _ random: inout SeededGenerator
    ) throws {
        let key = UInt64.random(in: 0..<6, using: &random)
        let value = UInt64.random(in: 0..<700, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<55:
            let isNew = try txn.put(value, for: key, in: edges, options: .noDuplicate)
            #expect(isNew == model[key, default: []].insert(value).inserted)
        case 55..<90:
            let wasThere = try txn.delete(key, value, in: edges)
            #expect(wasThere == (model[key]?.remove(value) != nil))
        case 90..<96:
            let values = (0..<UInt64.random(in: 1..<400, using: &random)).map { $0 + value }
            try txn.putMultiple(values, for: key, in: edges)
            model[key, default: []].formUnion(values)
        case 96..<99:
            let wasThere = try txn.delete(key, in: edges)
            #expect(wasThere == !(model.removeValue(forKey: key) ?? []).isEmpty)
        default:
            try deleteOddValues(key, txn, edges)
            model[key] = model[key]?.filter { $0 % 2 == 0 }
        }
    }

    /// Deletes with a cursor while it walks forwards.
    private func deleteOddValues(
        _ key: UInt64, _ txn: borrowing WriteTransaction, _ edges: Database
    ) throws {
        let cursor = try txn.makeWriteCursor(edges)
        var entry = try cursor.seek(exactly: key)
        while let reached = entry, reached.integerKey == key {
            if reached.integerValue % 2 == 1 { try cursor.deleteCurrent() }
            entry = try cursor.next()
        }
    }

    /// Every key with its values, read page by page.
    private func edgeLists(
        _ txn: borrowing ReadTransaction, _ edges: Database
    ) throws -> ([UInt64], [Int], [[UInt64]]) {
        var keys: [UInt64] = []
        var counts: [Int] = []
        var lists: [[UInt64]] = []
        let cursor = try txn.makeCursor(edges)
        let pages = try txn.makeCursor(edges)
        var entry = try cursor.first()
        while let reached = entry {
            keys.append(reached.integerKey)
            counts.append(try cursor.duplicateCount())
            var list: [UInt64] = []
            var page = try pages.firstMultiple(reached.integerKey)
            while let bytes = page {
                for offset in stride(from: 0, to: bytes.count, by: 8) {
                    list.append(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                }
                page = try pages.nextMultiple()
            }
            lists.append(list)
            entry = try cursor.nextKey()
        }
        return (keys, counts, lists)
    }
}
