// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

/// Changes of components in change sets that are wrong on purpose.
@Suite struct HostileComponentChangeTests {
    private static let game: UInt64 = 3

    private func set(_ changes: [UInt8]) -> HistoryChangeSet {
        HistoryChangeSet(
            timestamp: 0, firstChange: 1, changeCount: 0, author: nil, contextName: nil,
            processID: "1", bundleID: "p", changes: changes)
    }

    /// One group, and the end of the change set.
    private func group(
        _ column: HistoryComponentGroup.Column, _ numbers: [UInt64], name: [UInt8] = [65],
        entity: UInt64 = game
    ) -> HistoryChangeSet {
        var writer = ByteWriter()
        writer.write(HistoryComponentGroup(column, .added).rawValue)
        writer.writeVarint(entity)
        writer.writeVarint(UInt64(name.count))
        writer.append(name)
        for number in numbers { writer.writeVarint(number) }
        writer.write(HistoryGroup.end.rawValue)
        return set(writer.bytes)
    }

    private func story(_ set: HistoryChangeSet) throws -> [String] {
        var words: [String] = []
        try set.forEachComponentChange { change in
            let ends = [change.object, change.target].compactMap { $0?.description }
            words.append("\(change.kind) \(change.name) \(ends.joined(separator: ">"))")
        }
        return words
    }

    @Test func numbersOfGroups() {
        let kinds: [HistoryComponentChange.Kind] = [.added, .changed, .removed]
        let columns: [HistoryComponentGroup.Column] = [.components, .links, .resource]
        let groups = columns.flatMap { column in
            kinds.map { HistoryComponentGroup(column, $0) }
        }
        #expect(groups.map(\.rawValue) == [5, 6, 7, 8, 9, 10, 11, 12, 13])
        #expect(groups.map { HistoryComponentGroup(rawValue: $0.rawValue) } == groups)
        for number: UInt8 in [0, 1, 4, 14, 255] {
            #expect(HistoryComponentGroup(rawValue: number) == nil)
        }
    }

    @Test func theSampleReadsBack() throws {
        let bytes = try #require(try HexSamples.ofFileFormat().samples["history-components"])
        let set = try HistoryChangeSet(bytes)
        #expect((set.firstChange, set.changeCount) == (1, 0))
        #expect(set.encoded() == bytes)
        #expect(
            try story(set) == [
                "added GameObject 1/p4", "removed GameObject 1/p1", "added Place 1/p4",
                "changed Place 1/p3", "removed Place 1/p1", "added ChildOf 1/p4>1/p3",
                "added resource/Turn ",
            ])
        #expect(try set.componentChangeCount() == 7)
        var objects = 0
        try set.forEachChange { _ in objects += 1 }
        #expect(objects == 0)
    }

    @Test func everyCutOfTheSampleIsAnError() throws {
        let bytes = try #require(try HexSamples.ofFileFormat().samples["history-components"])
        for count in bytes.indices {
            #expect(throws: RecordFormatError.self, "\(count) bytes") {
                try HistoryChangeSet(Array(bytes.prefix(count))).forEachComponentChange { _ in }
            }
        }
    }

    @Test func linksGoBackAndForth() throws {
        // From 5 to 9; then one less and eight less; then the same again.
        let set = group(.links, [11, 18, 2, 15, 1, 0, 0])
        #expect(
            try story(set) == ["added A 3/p5>3/p9", "added A 3/p4>3/p1", "added A 3/p4>3/p1"])
    }

    @Test(
        arguments: [
            // The row 0, one in front of all, and ones too far.
            (.components, [1, 0, 0]), (.links, [1, 2, 0]), (.links, [3, 0, 0]),
            (.links, [3, 2, 4, 0, 0]), (.links, [2, 2, 0]), (.components, [.max, .max, 0]),
            (.components, [3, .max, 0]), (.components, [1 << 49, 0]), (.links, [.max, 2, 0]),
            (.links, [3, .max, 0]), (.links, [3, .max - 1, 0]), (.links, [1 << 49, 2, 0]),
        ] as [(HistoryComponentGroup.Column, [UInt64])])
    func rowsThatCannotBe(column: HistoryComponentGroup.Column, numbers: [UInt64]) {
        var seen = 0
        #expect(throws: RecordFormatError.self) {
            try group(column, numbers).forEachComponentChange { _ in seen += 1 }
        }
        #expect(seen == 0)
    }

    @Test func namesAndEntitiesThatCannotBe() {
        for wrong in [
            group(.components, [2, 0], name: [0xFF]), group(.components, [2, 0], entity: 1 << 16),
            set([5, 3, 200, 65, 2, 0, 0]), set([14, 3, 1, 65, 2, 0, 0]), set([5, 3, 1, 65, 2, 0]),
            set([11, 3, 1, 65, 0, 0]),
        ] {
            #expect(throws: RecordFormatError.self) { try story(wrong) }
            #expect(throws: RecordFormatError.self) { try wrong.componentChangeCount() }
        }
    }

    @Test func rowsAreComparedWithTheCounter() throws {
        func check(_ set: HistoryChangeSet, end: UInt64) -> String? {
            do {
                try set.check { entity, isOfComponents in
                    #expect(entity.rawValue == 3 && isOfComponents)
                    return end
                }
                return nil
            } catch { return "\(error)" }
        }
        // Rows 5 to 8, and a link from 5 to 9.
        for (set, last) in [(group(.components, [11, 3, 0]), 8), (group(.links, [11, 18, 0]), 9)] {
            #expect(check(set, end: UInt64(last) + 1) == nil)
            #expect(
                check(set, end: UInt64(last))?.contains(
                    "a change set names row \(last) of entity 3, which was never taken") == true)
        }
        #expect(check(group(.resource, []), end: 1) == nil)
    }

    /// A few bytes for any number: they are counted without being read one by one.
    @Test func manyChangesAreCountedAtOnce() throws {
        let set = group(.components, [3, (1 << 47) - 2, 0])
        #expect(try set.componentChangeCount() == (1 << 47) - 1)
    }

    @Test func randomBytesThrowOrEnd() throws {
        let bytes = try #require(try HexSamples.ofFileFormat().samples["history-components"])
        var random = SeededGenerator(seed: 311)
        var refused = 0
        for _ in 0..<3_000 {
            var mutant = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                mutant[Int.random(in: 8..<mutant.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            do {
                let set = try HistoryChangeSet(mutant)
                try set.check { _, _ in 100 }
                let count = try set.componentChangeCount()
                var seen: UInt64 = 0
                try set.forEachComponentChange { change in
                    #expect((change.object?.row ?? 0) < 100 && (change.target?.row ?? 0) < 100)
                    seen += 1
                }
                #expect(seen == count, "\(mutant)")
            } catch {
                #expect(error is RecordFormatError, "\(error)")
                refused += 1
            }
        }
        #expect(refused > 1_000 && refused < 3_000, "\(refused)")
    }
}
