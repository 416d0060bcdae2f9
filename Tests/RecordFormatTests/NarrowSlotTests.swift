// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing

/// Values that a slot of four bytes has no room for.
@Suite struct NarrowSlotTests {
    private static let layout = makeLayout([.string, .integer16, .string, .binaryData])

    private func text(_ count: Int) -> Value { .string(String(repeating: "x", count: count)) }

    /// The size of a record with texts of some sizes; it is read back, and copied by a change.
    private func size(_ first: Int, _ second: Int) -> Int {
        let values: [Value?] = [text(first), .integer16(9), text(second), .binaryData([1, 2])]
        let bytes = encodeRecord(values, Self.layout)
        #expect(decodeRecord(bytes, Self.layout) == values)
        let copied = encodeRecord([nil, .integer16(-9), nil, nil], Self.layout, over: bytes)
        #expect(decodeRecord(copied, Self.layout) == [values[0], .integer16(-9)] + values[2...])
        #expect(copied.count == bytes.count)
        bytes.withUnsafeBytes { raw in
            let counts = [0, 2].map {
                RecordView(raw)?.heapByteCount(at: Self.layout.fields[$0].offset)
            }
            #expect(counts == [first, second])
        }
        return bytes.count
    }

    @Test func small_values_take_a_slot_alone() {
        // Header and bitmap, three slots of four bytes and one of two; then the heap.
        #expect(Self.layout.fixedByteCount == 27)
        #expect(size(0, 0) == 27 + 2)
        #expect(size(3, 4) == 27 + 7 + 2)
        #expect(size(32_767, 0) == 27 + 32_767 + 2)
    }

    @Test func a_long_value_has_its_start_and_size_in_front() {
        // Five zeros up to 32, then eight bytes.
        #expect(size(32_768, 0) == 40 + 32_768 + 2)
        #expect(size(0, 32_768) == 40 + 32_768 + 2)
        #expect(size(5, 32_768) == 40 + 32_768 + 2)
        #expect(size(6, 32_768) == 48 + 32_768 + 2)
    }

    @Test func values_behind_64_kilobytes_are_found() {
        // The last value begins at 65,535, and then one byte further.
        #expect(size(32_767, 32_741) == 65_535 + 2)
        #expect(size(32_767, 32_742) == 65_536 + 8 + 2)
        #expect(size(70_000, 70_000) == 140_058)
        #expect(size(1_000_000, 0) == 1_000_058)
    }

    @Test func values_of_both_widths_are_compared() {
        let values: [Value?] = [text(40_000), .integer16(9), text(3), .null]
        for count in 0..<2 {
            var other = values
            if count > 0 { other[0] = text(40_001) }
            let wide = makeLayout(number: 1, Self.layout.fields.map(\.type))
            let (first, second) = (encodeRecord(values, Self.layout), encodeRecord(other, wide))
            let same = first.withUnsafeBytes { first in
                second.withUnsafeBytes { second -> [Bool] in
                    guard let narrow = RecordView(first), let wide = RecordView(second) else {
                        return []
                    }
                    return (0..<4).map { narrow.hasSameField($0, as: wide, in: Self.layout) }
                }
            }
            #expect(same == [count == 0, true, true, true])
            // A layout of the other width reads the record as well.
            let read = second.withUnsafeBytes { bytes in
                (0..<4).map { RecordView(bytes)?.value($0, in: Self.layout) }
            }
            #expect(read == other)
            let held = second.withUnsafeBytes { bytes in
                (0..<4).allSatisfy {
                    RecordView(bytes)?.holds(other[$0] ?? .null, at: $0, in: Self.layout) == true
                }
            }
            #expect(held)
        }
    }

    @Test func a_record_of_very_many_fields_is_read() throws {
        // The heap begins behind what 16 bits reach.
        let layout = makeLayout(Array(repeating: .integer64, count: 8_500) + [.string])
        #expect(layout.fixedByteCount > 65_535)
        let values: [Value?] = (0..<8_500).map { .integer64($0) } + [.string("far")]
        #expect(decodeRecord(encodeRecord(values, layout), layout) == values)
        // An index key has the text, and leaves it to the stored record to be read.
        for (position, isRead) in [(8_500, false), (8_499, true)] {
            let maker = try #require(KeyRecord(layout, positions: [position]))
            let key = IndexKey([values[position] ?? .null]).storedBytes
            #expect(key.withUnsafeBytes { maker.record(of: $0) != nil } == isRead)
        }
    }
}
