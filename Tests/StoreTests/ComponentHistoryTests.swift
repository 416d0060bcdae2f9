// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

/// Changes of components in the history of a store: what is written, and when the file says so.
@Suite struct ComponentHistoryTests {
    /// A file with game objects 1 to 3, of which 1 and 3 have a place, that keeps a history.
    private static func with(_ body: (ColumnFile, RawFile) throws -> Void) throws {
        try ColumnFile.with { file throws in
            let store = try openStore(file.path, try ColumnFile.schema(), .tracking)
            try body(ColumnFile(path: file.path, store: store), try RawFile(file.path))
        }
    }

    private static func version(_ raw: RawFile) throws -> String? {
        try raw.meta("lode").map { hexText($0[4..<8]) }
    }

    private static func link(_ source: UInt64, _ target: UInt64) -> [UInt8] {
        [source, target].flatMap { key in
            withUnsafeBytes(of: (1 << 48 | key).littleEndian) { Array($0) }
        }
    }

    /// The changes of components, as `number: +Place/1 *Place/2 -Place/3 +Link/1>2`.
    private static func story(_ store: Store) throws -> [String] {
        var lines: [String] = []
        try store.forEachHistoryEntry(after: 0) { number, set in
            var words = ["\(number):"]
            try set.forEachComponentChange { change in
                let kind = ["+", "*", "-"][Int(change.kind.rawValue)]
                let object = change.object.map { "/\($0.row)" } ?? ""
                words.append(
                    kind + change.name + object + (change.target.map { ">\($0.row)" } ?? ""))
            }
            lines.append(words.joined(separator: " "))
            return true
        }
        return lines
    }

    @Test func entryIsTheOneOfTheDocument() throws {
        try Self.with { file, raw in
            let samples = try HexSamples.ofFileFormat().samples
            try file.store.makeColumns(withKinds: true)
            try file.store.write { save in
                save.origin = HistoryOrigin(timestamp: 1_000)
                _ = try save.allocateRows(1, in: try file.store.table("GameObject"))
                let (parent, turn) = (ColumnKindTests.parent, ColumnKindTests.turn)
                try save.setColumnTypes([ColumnFile.alive, ColumnFile.place, parent, turn])
                let place: [UInt8] = [1, 0, 0, 0, 2, 0, 0, 0]
                try save.replace(ColumnFile.alive, [1: [], 2: [], 3: []], [2: [], 3: [], 4: []])
                try save.replace(
                    ColumnFile.place, [1: place, 3: place],
                    [3: [9, 0, 0, 0, 9, 0, 0, 0], 4: place])
                try save.replace(parent, [:], [4: Self.link(4, 3)])
                try save.replace(turn, [:], [0: [1, 0, 0, 0]])
            }
            let entry = try #require(try raw.entries("history", .integerKey).last)
            #expect(entry.key == [1, 0, 0, 0, 0, 0, 0, 0])
            // The seal of the entry is behind it.
            #expect(
                hexText(entry.value.dropLast(4))
                    == hexText(try #require(samples["history-components"])))
            #expect(try Self.version(raw) == "10 00 10 00")
            try file.store.verifyContents()
        }
    }

    @Test func theVersionRisesWithTheFirstChange() throws {
        try Self.with { file, raw in
            #expect(try Self.version(raw) == "0d 00 0d 00")
            try file.store.write { _ = try $0.insert("GameObject", [:]) }
            #expect(try Self.version(raw) == "0d 00 0d 00")
            let epoch = try raw.meta("epoch")
            try file.store.write { save in
                try save.replace(ColumnFile.place, [1: [], 3: []], [3: []])
                #expect(try Self.version(raw) == "0d 00 0d 00")
            }
            #expect(try Self.version(raw) == "10 00 10 00")
            #expect(try raw.meta("epoch") != epoch)
            // Once: an open store goes on, and others follow.
            let raised = try raw.meta("epoch")
            try file.store.write { try $0.replace(ColumnFile.place, [3: []], [1: [], 3: []]) }
            #expect(try raw.meta("epoch") == raised)
            #expect(try Self.story(file.store) == ["1:", "2: -Place/1", "3: +Place/1"])
            #expect(try file.store.history() == ["1: +1/p4", "2:", "3:"])
        }
    }

    @Test func aTransactionThatFailsLeavesTheVersion() throws {
        struct Stop: Error {}
        try Self.with { file, raw in
            #expect(throws: Stop.self) {
                try file.store.write { save in
                    try save.replace(ColumnFile.place, [1: [], 3: []], [3: []])
                    throw Stop()
                }
            }
            #expect(try Self.version(raw) == "0d 00 0d 00")
            try file.store.write { try $0.replace(ColumnFile.place, [1: [], 3: []], [3: []]) }
            #expect(try Self.story(file.store) == ["1: -Place/1"])
        }
    }

    @Test func nothingIsNotedWithoutAHistory() throws {
        try ColumnFile.with { file throws in
            try file.store.write { save in
                #expect(!save.recordsComponents)
                try save.replace(ColumnFile.place, [1: [], 3: []], [3: []])
            }
            let raw = try RawFile(file.path)
            #expect(try Self.version(raw) == "0d 00 0d 00")
            #expect(try !raw.databaseNames.contains("history"))
        }
    }

    @Test func deletedGameObjectsTakeTheirComponentsAlong() throws {
        try Self.with { file, _ in
            for _ in 1...3 { try file.store.write { _ = try $0.insert("GameObject", [:]) } }
            try file.store.makeColumns(withKinds: true)
            try file.store.write { save in
                let (parent, likes) = (ColumnKindTests.parent, ColumnKindTests.likes)
                try save.setColumnTypes([ColumnFile.alive, ColumnFile.place, parent, likes])
                let rows = Dictionary(uniqueKeysWithValues: (1...6).map { ($0, [UInt8]()) })
                try save.replace(ColumnFile.alive, [1: [], 2: [], 3: []], rows)
                try save.replace(parent, [:], [5: Self.link(5, 1), 6: Self.link(6, 2)])
                // A link of its own row, which no game object has.
                let row = try save.allocateRows(1, in: try file.store.table("GameObject"))
                try save.replace(likes, [:], [Int(row): Self.link(4, 5)])
            }
            try file.store.write { save in
                let table = try file.store.table("GameObject")
                for row: UInt64 in [5, 4] {
                    try save.delete(ObjectKey(entity: table.number, row: row), in: table)
                }
            }
            #expect(
                try Self.story(file.store).suffix(2) == [
                    "4: +GameObject/4 +GameObject/5 +GameObject/6 +ChildOf/5>1 +ChildOf/6>2 "
                        + "+Likes/4>5",
                    "5: -GameObject/4 -GameObject/5 -ChildOf/5>1",
                ])
            #expect(try file.store.history().last == "5: -1/p5 -1/p4")
        }
    }

    @Test func whatAWorldWritesAndTheStoreTakesAwayIsNotedOnce() throws {
        try Self.with { file, _ in
            for _ in 1...2 { try file.store.write { _ = try $0.insert("GameObject", [:]) } }
            try file.store.write { save in
                try save.replace(ColumnFile.place, [1: [], 3: []], [1: [], 3: [], 4: []])
            }
            try file.store.write { save in
                let table = try file.store.table("GameObject")
                for row: UInt64 in [4, 5] {
                    try save.delete(ObjectKey(entity: table.number, row: row), in: table)
                }
                try save.replace(
                    ColumnFile.place, [1: [], 3: [], 4: []], [1: [7], 3: [], 4: [7], 5: []])
            }
            #expect(
                try Self.story(file.store).suffix(2) == ["3: +Place/4", "4: *Place/1 -Place/4"])
            let raw = try RawFile(file.path)
            #expect(try raw.entries("columns").map { hexText($0.value[48..<49]) } == ["0e", "0a"])
        }
    }

    @Test func otherRelationshipsLoseALinkAndGetOne() throws {
        try Self.with { file, _ in
            try file.store.makeColumns(withKinds: true)
            let (parent, likes) = (ColumnKindTests.parent, ColumnKindTests.likes)
            try file.store.write { save in
                _ = try save.allocateRows(1, in: try file.store.table("GameObject"))
                try save.setColumnTypes([ColumnFile.alive, ColumnFile.place, parent, likes])
                try save.replace(parent, [:], [1: Self.link(1, 2)])
                try save.replace(likes, [:], [4: Self.link(1, 2)])
            }
            try file.store.write { save in
                try save.replace(parent, [1: Self.link(1, 2)], [1: Self.link(1, 3)])
                try save.replace(likes, [4: Self.link(1, 2)], [4: Self.link(3, 1)])
            }
            #expect(
                try Self.story(file.store) == [
                    "1: +ChildOf/1>2 +Likes/1>2", "2: *ChildOf/1>3 +Likes/3>1 -Likes/1>2",
                ])
        }
    }

    @Test func runsGoOverChunks() throws {
        try Self.with { file, raw in
            try file.store.write { save in
                _ = try save.allocateRows(9_000, in: try file.store.table("GameObject"))
                for chunk: UInt32 in 0..<2 {
                    let first = chunk == 0 ? 1 : 0
                    let rows = Dictionary(
                        uniqueKeysWithValues: (first..<4_096).map { ($0, [UInt8]()) })
                    try save.replace(ColumnFile.place, [:], rows, number: chunk)
                }
            }
            let entry = try #require(try raw.entries("history", .integerKey).last)
            let set = try HistoryChangeSet(Array(entry.value.dropLast(4)))
            #expect(try set.componentChangeCount() == 8_191)
            // One run: from row 1 on, and 8,190 further rows.
            #expect(hexText(set.changes) == "05 01 05 50 6c 61 63 65 03 fe 3f 00 00")
        }
    }

    @Test func componentsOfOtherEntitiesAreRefused() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.sample(), .tracking.unsealed)
            try store.commit(3)
            let raw = try RawFile(path)
            let entry = try #require(try raw.entries("history", .integerKey).last)
            var set = try HistoryChangeSet(entry.value)
            (set.changeCount, set.changes) = (0, [5, 2, 1, 65, 2, 0, 0])
            try raw.put(set.encoded(), for: entry.key, in: "history", .integerKey)
            for error in [
                storeError { try store.forEachHistoryEntry(after: 0) { _, _ in true } },
                storeError { try store.verifyContents() },
            ] {
                #expect(error?.code == .damaged)
                let words =
                    "a change set names components of the entity 2, which has no game objects"
                #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
            }
        }
    }

    @Test func componentsOfRowsThatNobodyTookAreRefused() throws {
        try Self.with { file, raw in
            try file.store.write { try $0.replace(ColumnFile.place, [1: [], 3: []], [3: []]) }
            let entry = try #require(try raw.entries("history", .integerKey).last)
            var set = try HistoryChangeSet(Array(entry.value.dropLast(4)))
            // Row 4, which is the next one.
            set.changes = [5, 1, 1, 65, 8, 0, 0]
            let sealed = EntrySeal(version: 10).seal(set.encoded(), for: entry.key)
            try raw.put(sealed, for: entry.key, in: "history", .integerKey)
            for error in [
                storeError { try file.store.forEachHistoryEntry(after: 0) { _, _ in true } },
                storeError { try file.store.verifyContents() },
            ] {
                #expect(error?.code == .damaged)
                #expect(
                    error?.message.hasPrefix(
                        "a change set names row 4 of entity 1, which was never taken") == true)
            }
        }
    }

    @Test func anOlderLibraryRefusesTheFile() throws {
        try Self.with { file, raw in
            try file.store.write { try $0.replace(ColumnFile.place, [1: [], 3: []], [3: []]) }
            let header = try #require(try raw.meta("lode"))
            // What version 15 compares: the least version that a reader must know.
            #expect(header[6] == 16 && header[7] == 0)
            // And this library, if the next version writes such a file.
            var newer = Array(header.dropLast(4))
            (newer[4], newer[6]) = (23, 23)
            try raw.setMeta("lode", EntrySeal(version: 23).seal(newer, for: Array("lode".utf8)))
            let error = storeError { _ = try openStore(file.path, nil, .tracking) }
            #expect(error?.code == .newerFormat)
            #expect(
                error?.message
                    == "the store has format 23, this library reads up to format 22; use a newer "
                    + "version of Lode")
        }
    }
}

extension SaveTransaction {
    /// Writes a chunk in the place of another one, as a world does.
    fileprivate func replace(
        _ type: StoredColumnType, _ old: [Int: [UInt8]], _ new: [Int: [UInt8]],
        number: UInt32 = 0
    ) throws {
        let before = old.isEmpty ? nil : ColumnFile.chunk(type, old, number: number)
        let after = ColumnFile.chunk(type, new, number: number)
        let format = type.format
        after.withUnsafeBytes { after in
            (before ?? []).withUnsafeBytes { bytes in
                recordChunk(type, number, from: before == nil ? nil : bytes, to: after) { word in
                    (0..<64).reduce(0) { mask, bit in
                        let place = format.valuesOffset + (word << 6 | bit) * format.stride
                        let isSame = (0..<format.stride).allSatisfy {
                            bytes[place + $0] == after[place + $0]
                        }
                        return isSame ? mask : mask | 1 << UInt64(bit)
                    }
                }
            }
        }
        try putColumnChunk(type.number, number, byteCount: after.count) {
            $0.copyBytes(from: after)
        }
    }
}
