// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

/// Rows of an arena are the records that an encoder makes of the same values.
@Suite struct RowArenaTests {
    private func rows(_ arena: borrowing RowArena) -> [[UInt8]] {
        var reader = RowReader(arena)
        var rows: [[UInt8]] = []
        while let record = reader.read() { rows.append(Array(record)) }
        return rows
    }

    @Test func an_arena_without_rows_has_none() {
        var arena = RowArena(
            layout: makeLayout([.string]), defaults: [.null], memory: PlainMemory.self)
        arena.seal()
        #expect(arena.count == 0)
        #expect(rows(arena).isEmpty)
    }

    /// Counts of rows that leave each number of checksums to compute at the end.
    @Test(arguments: [1, 2, 3, 4, 5, 7, 300], wideAndNarrow)
    func random_rows(count: Int, number: UInt16) {
        var random = SeededGenerator(seed: 31 + UInt64(count))
        for _ in 0..<8 {
            let types = (0..<Int(random.next() % 20)).map { _ in random.pick(AttributeType.allCases)
            }
            let layout = makeLayout(number: number, types)
            let defaults: [Value] = types.map { random.chance(0.5) ? .null : random.value(of: $0) }
            var arena = RowArena(
                layout: layout, defaults: ContiguousArray(defaults), memory: PlainMemory.self)
            let draft = makeDraft(defaults)
            var expected: [[UInt8]] = []
            for _ in 0..<count {
                for (field, type) in types.enumerated() where random.chance(0.7) {
                    draft[field] = random.chance(0.2) ? .null : random.value(of: type)
                }
                expected.append(encodeRecord(types.indices.map { draft[$0] }, layout))
                arena.append(draft)
                #expect(types.indices.map { draft[$0] } == defaults, "seed \(random.seed)")
            }
            arena.seal()
            #expect(arena.count == count)
            #expect(rows(arena) == expected, "seed \(random.seed)")
        }
    }

    @Test(arguments: wideAndNarrow) func rows_go_on_in_the_next_block(number: UInt16) {
        let layout = makeLayout(number: number, [.string, .integer32, .string])
        var arena = RowArena(
            layout: layout, defaults: [.null, .integer32(5), .null], memory: PlainMemory.self)
        let draft = makeDraft([.null, .integer32(5), .null])
        var expected: [[UInt8]] = []
        // The last ones are larger than any block is by itself.
        let sizes = (0..<400).map { $0 * 97 % 9_001 } + [65_536, 5_000_000, 0, 9_000_000, 1]
        for (row, size) in sizes.enumerated() {
            draft[0] = .string(String(repeating: "é", count: size))
            draft[1] = .integer32(Int32(row))
            draft[2] = .string("row \(row)")
            expected.append(encodeRecord((0..<3).map { draft[$0] }, layout))
            arena.append(draft)
        }
        arena.seal()
        #expect(rows(arena) == expected)
        #expect(draft[1] == .integer32(5))
    }

    @Test(arguments: wideAndNarrow) func large_values_are_kept_by_row(number: UInt16) {
        let layout = makeLayout(number: number, [.binaryData, .transformable])
        var arena = RowArena(layout: layout, defaults: [.null, .null], memory: PlainMemory.self)
        let draft = makeDraft([.null, .null])
        let large = [UInt8](repeating: 1, count: RecordEncoder.inlineLimit + 1)
        let fits = [UInt8](repeating: 2, count: RecordEncoder.inlineLimit)
        for values: [Value] in [
            [.binaryData(fits), .null], [.binaryData(large), .transformable(large)],
            [.null, .transformable(large)],
        ] {
            for field in 0..<2 { draft[field] = values[field] }
            arena.append(draft)
        }
        arena.seal()
        #expect(arena.externalValues.keys.sorted() == [1, 2])
        #expect(arena.externalValues[1]?.map(\.field) == [0, 1])
        #expect(arena.externalValues[1]?.map(\.bytes) == [large, large])
        #expect(arena.externalValues[2]?.map(\.field) == [1])
        let values = rows(arena).map { decodeRecord($0, layout) }
        #expect(values == [[.binaryData(fits), .null], [nil, nil], [.null, nil]])
    }

    @Test func values_beyond_the_layout_are_left_out() {
        // As transient attributes are: they come after those that are stored.
        let layout = makeLayout([.integer64])
        var arena = RowArena(
            layout: layout, defaults: [.null, .string("default")], memory: PlainMemory.self)
        let draft = makeDraft([.integer64(1), .string("transient")])
        arena.append(draft)
        arena.seal()
        #expect(rows(arena) == [encodeRecord([.integer64(1)], layout)])
        #expect(draft[0] == .null && draft[1] == .string("default"))
    }
}

/// Memory without help of the system.
private final class PlainMemory: RowMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) { bytes = .allocate(byteCount: byteCount, alignment: 8) }

    deinit { bytes.deallocate() }

    func prepare() {}
}
