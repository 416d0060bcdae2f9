// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

/// Changes of chunks as they are encoded, compared with those of dictionaries.
@Suite struct ComponentRecorderTests {
    private typealias Values = [Int: [UInt8]]
    private static let entity = EntityNumber(rawValue: 1)

    private func read(_ recorder: inout ComponentRecorder) throws -> [HistoryComponentChange] {
        let set = HistoryChangeSet(
            timestamp: 0, firstChange: 1, changeCount: 0, author: nil, contextName: nil,
            processID: "1", bundleID: "p",
            changes: recorder.finish() + [HistoryGroup.end.rawValue])
        var changes: [HistoryComponentChange] = []
        try set.forEachComponentChange { changes.append($0) }
        #expect(try set.componentChangeCount() == UInt64(changes.count))
        #expect(recorder.count == changes.count)
        return changes
    }

    private func note(
        _ recorder: inout ComponentRecorder, _ type: StoredColumnType, _ chunk: UInt32,
        _ before: Values, _ after: Values, gone: Set<Int> = []
    ) {
        let format = type.format
        let old = ColumnFile.chunk(type, before, number: chunk)
        let new = ColumnFile.chunk(type, after, number: chunk)
        old.withUnsafeBytes { old in
            new.withUnsafeBytes { new in
                var change = ChunkChange(type, Self.entity, chunk)
                change.old = before.isEmpty ? nil : old
                change.new = after.isEmpty ? nil : new
                if !gone.isEmpty {
                    change.gone = (0..<format.words).map { word in
                        gone.filter { $0 >> 6 == word }.reduce(0) { $0 | 1 << UInt64($1 & 63) }
                    }
                }
                recorder.note(change) { word in
                    (0..<64).reduce(0) { bits, bit in
                        let row = word << 6 | bit
                        return before[row] == after[row] ? bits : bits | 1 << UInt64(bit)
                    }
                }
            }
        }
    }

    private func random(
        _ rows: Int, _ random: inout SeededGenerator, _ value: (Int, Int) -> [UInt8]
    ) -> Values {
        var values: Values = [:]
        // Long runs, short ones and single rows.
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let start = Int.random(in: 1..<rows, using: &random)
            let length = [1, 2, 63, 64, 65, 700].randomElement(using: &random) ?? 1
            let number = Int.random(in: 0..<3, using: &random)
            for row in start..<min(rows, start + length) { values[row] = value(row, number) }
        }
        return values
    }

    @Test func randomComponents() throws {
        var random = SeededGenerator(seed: 915)
        var recorder = ComponentRecorder()
        for round in 0..<60 {
            recorder.reset()
            var expected: Set<HistoryComponentChange> = []
            let type = round % 3 == 0 ? ColumnFile.alive : ColumnFile.place
            let rows = type.format.rows
            for chunk: UInt32 in 0..<3 {
                func value(_ row: Int, _ number: Int) -> [UInt8] {
                    type.stride == 0 ? [] : [UInt8(number), 0, 0, 0, 0, 0, 0, 1]
                }
                let before = self.random(rows, &random, value)
                let after = self.random(rows, &random, value)
                let gone = Set(after.keys.filter { _ in round % 4 == 1 && random.chance(0.1) })
                note(&recorder, type, chunk, before, after, gone: gone)
                for row in Set(before.keys).union(after.keys) {
                    let now = gone.contains(row) ? nil : after[row]
                    guard before[row] != now else { continue }
                    expected.insert(
                        HistoryComponentChange(
                            name: type.name,
                            kind: before[row] == nil ? .added : now == nil ? .removed : .changed,
                            object: ObjectKey(
                                entity: Self.entity, row: UInt64(Int(chunk) * rows + row))))
                }
            }
            let found = try read(&recorder)
            #expect(found.count == expected.count && Set(found) == expected, "round \(round)")
        }
    }

    @Test(arguments: [ColumnKindTests.parent, ColumnKindTests.likes])
    func randomLinks(type: StoredColumnType) throws {
        var random = SeededGenerator(seed: 916)
        let isExclusive = type.name == "ChildOf"
        func link(_ row: Int, _ number: Int) -> [UInt8] {
            let source = isExclusive ? row : 1 + (row * 7 + number) % 300
            return [source, 1 + number * 100].flatMap { key in
                withUnsafeBytes(of: (1 << 48 | UInt64(key)).littleEndian) { Array($0) }
            }
        }
        func change(
            _ kind: HistoryComponentChange.Kind, _ link: [UInt8]
        ) -> HistoryComponentChange {
            let ends = [link.prefix(8), link.suffix(8)].map { bytes in
                ObjectKey(rawValue: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
            }
            return HistoryComponentChange(
                name: type.name, kind: kind, object: ends[0], target: ends[1])
        }
        for round in 0..<40 {
            var recorder = ComponentRecorder()
            let before = self.random(2_000, &random, link)
            let after = self.random(2_000, &random, link)
            note(&recorder, type, 0, before, after)
            var expected: [HistoryComponentChange: Int] = [:]
            for row in Set(before.keys).union(after.keys) where before[row] != after[row] {
                if isExclusive, before[row] != nil, let now = after[row] {
                    expected[change(.changed, now), default: 0] += 1
                    continue
                }
                if let old = before[row] { expected[change(.removed, old), default: 0] += 1 }
                if let now = after[row] { expected[change(.added, now), default: 0] += 1 }
            }
            // A link that goes with one row and comes with another one stays.
            let ends = expected.keys.filter { !isExclusive && $0.kind == .removed }
            for gone in ends {
                let new = HistoryComponentChange(
                    name: gone.name, kind: .added, object: gone.object, target: gone.target)
                let count = min(expected[gone] ?? 0, expected[new] ?? 0)
                for change in [gone, new] {
                    guard let known = expected[change] else { continue }
                    expected[change] = known == count ? nil : known - count
                }
            }
            var found: [HistoryComponentChange: Int] = [:]
            for change in try read(&recorder) { found[change, default: 0] += 1 }
            #expect(found == expected, "round \(round)")
        }
    }

    @Test func aColumnThatComesAgainBeginsAGroup() throws {
        var recorder = ComponentRecorder()
        let value = [UInt8](repeating: 1, count: 8)
        note(&recorder, ColumnFile.place, 1, [:], [5: value])
        note(&recorder, ColumnFile.place, 0, [7: value], [:])
        note(&recorder, ColumnFile.alive, 0, [:], [1: []])
        note(&recorder, ColumnFile.place, 2, [:], [9: value])
        #expect(!recorder.isEmpty)
        #expect(
            try read(&recorder).map { "\($0.kind) \($0.name) \($0.object?.row ?? 0)" } == [
                "added Place 4101", "removed Place 7", "added GameObject 1", "added Place 8201",
            ])
        recorder.reset()
        #expect(recorder.isEmpty)
        #expect(recorder.finish() == [])
    }

    /// Row 0 is that of resources: a run could not begin with it.
    @Test func damagedRowsAreLeftOut() throws {
        var recorder = ComponentRecorder()
        note(&recorder, ColumnFile.alive, 0, [:], [0: [], 1: []])
        note(&recorder, ColumnKindTests.turn, 0, [:], [0: [1, 0, 0, 0]])
        #expect(try read(&recorder).map { $0.object?.row } == [1, nil])
    }
}
