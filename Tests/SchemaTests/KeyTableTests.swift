// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

@Suite struct KeyTableTests {
    private func key(_ entity: UInt16, _ row: UInt64) -> ObjectKey {
        ObjectKey(entity: EntityNumber(rawValue: entity), row: row)
    }

    @Test func an_empty_table_has_nothing() {
        var table = KeyTable<String>()
        #expect(table.isEmpty)
        #expect(table.count == 0)
        #expect(table[key(1, 1)] == nil)
        #expect(table.removeValue(forKey: key(1, 1)) == nil)
        #expect(table.entries.isEmpty)
    }

    @Test func a_key_has_its_last_value() {
        var table = KeyTable<String>()
        #expect(table.updateValue("a", forKey: key(1, 1)) == nil)
        #expect(table.updateValue("b", forKey: key(1, 1)) == "a")
        table[key(2, 1)] = "c"
        #expect(table[key(1, 1)] == "b")
        #expect(table[key(2, 1)] == "c")
        #expect(table[key(2, 2)] == nil)
        #expect(table.count == 2)
        table[key(1, 1)] = nil
        #expect(table[key(1, 1)] == nil)
        #expect(table.entries.map(\.value) == ["c"])
    }

    @Test func an_object_is_found_without_a_count_of_its_references() {
        final class Item {}
        let (first, second) = (Item(), Item())
        var table = KeyTable<Item>()
        #expect(table.unretained(key(1, 1)) == nil)
        table[key(1, 1)] = first
        table[key(1, 9)] = second
        #expect(table.unretained(key(1, 1))?.takeUnretainedValue() === first)
        #expect(table.unretained(key(1, 9))?.takeUnretainedValue() === second)
        #expect(table.unretained(key(2, 1)) == nil)
        table[key(1, 1)] = nil
        #expect(table.unretained(key(1, 1)) == nil)
        #expect(table.unretained(key(1, 9))?.takeUnretainedValue() === second)
    }

    @Test func runs_of_rows_of_several_entities_stay_apart() {
        var table = KeyTable<UInt64>()
        for row in 1...1_000 as ClosedRange<UInt64> {
            for entity in 1...3 as ClosedRange<UInt16> {
                table[key(entity, row)] = UInt64(entity) * 10_000 + row
            }
        }
        #expect(table.count == 3_000)
        #expect(table[key(1, 1)] == 10_001)
        #expect(table[key(2, 500)] == 20_500)
        #expect(table[key(3, 1_000)] == 31_000)
        #expect(table[key(3, 1_001)] == nil)
    }

    /// A table does what a dictionary does, whatever is removed in between.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func random_changes(_ seed: UInt64) {
        var state = seed
        func next(_ limit: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % limit
        }
        var table = KeyTable<UInt64>()
        var expected: [ObjectKey: UInt64] = [:]
        for step in 0..<2_000 as Range<UInt64> {
            let key = key(UInt16(next(3)) + 1, next(200) + 1)
            if next(3) == 0 {
                #expect(table.removeValue(forKey: key) == expected.removeValue(forKey: key))
            } else {
                let former = expected.updateValue(step, forKey: key)
                #expect(table.updateValue(step, forKey: key) == former)
            }
        }
        #expect(table.count == expected.count)
        for (key, value) in expected { #expect(table[key] == value) }
        #expect(Dictionary(uniqueKeysWithValues: table.entries.map { ($0, $1) }) == expected)
    }
}
