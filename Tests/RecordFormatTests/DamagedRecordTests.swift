// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

@Suite struct DamagedRecordTests {
    @Test(arguments: wideAndNarrow) func eachFlippedBitChangesTheChecksum(number: UInt16) {
        let types = AttributeType.allCases
        let layout = makeLayout(number: number, types)
        var random = SeededGenerator(seed: 23)
        for _ in 0..<4 {
            var bytes = encodeRecord(types.map { random.value(of: $0) }, layout)
            for index in bytes.indices {
                for bit in 0..<8 {
                    bytes[index] ^= 1 << UInt8(bit)
                    let isValid = bytes.withUnsafeBytes { RecordView($0)?.hasValidChecksum() }
                    #expect(isValid == false, "byte \(index) bit \(bit), seed \(random.seed)")
                    bytes[index] ^= 1 << UInt8(bit)
                }
            }
        }
    }

    @Test func eachCutChangesTheChecksum() {
        let bytes = encodeRecord(
            [.string("a text of some length"), .null], makeLayout([.string, .uuid]))
        for count in 12..<bytes.count {
            let isValid = Array(bytes.prefix(count)).withUnsafeBytes {
                RecordView($0)?.hasValidChecksum()
            }
            #expect(isValid == false, "\(count) bytes")
        }
    }

    @Test(arguments: wideAndNarrow) func shortRecordsAreRefused(number: UInt16) {
        let layout = makeLayout(number: number, [.string])
        let bytes = encodeRecord([.string("text")], layout)
        for count in 0..<12 {
            Array(bytes.prefix(count)).withUnsafeBytes { #expect(RecordView($0) == nil) }
        }
        for count in 12..<layout.fixedByteCount {
            #expect(decodeRecord(Array(bytes.prefix(count)), layout) == nil)
        }
        #expect(decodeRecord(bytes, makeLayout(number: 2, [.string])) == nil)
    }

    @Test func slotsThatPointOutsideReadAsEmpty() {
        let layout = makeLayout(number: 1, [.string, .binaryData])
        let bytes = encodeRecord([.string("text"), .binaryData([1, 2])], layout)
        for (start, count) in [
            (UInt32(bytes.count), UInt32(1)), (0, .max), (.max - 1, .max), (29, 7),
        ] {
            var damaged = bytes
            for slot in layout.fields.map(\.offset) {
                for index in 0..<4 {
                    damaged[slot + index] = UInt8(truncatingIfNeeded: start >> UInt32(8 * index))
                    damaged[slot + 4 + index] = UInt8(
                        truncatingIfNeeded: count >> UInt32(8 * index))
                }
            }
            #expect(decodeRecord(damaged, layout) == [.string(""), .binaryData([])])
        }
    }

    @Test func narrowSlotsThatPointOutsideReadAsEmpty() {
        let layout = makeLayout([.string, .binaryData])
        let bytes = encodeRecord([.string("text"), .binaryData([1, 2])], layout)
        #expect(bytes.count == 27)
        for slot: UInt32 in [
            27 | 1 << 16, 22 | 0x7FFF << 16, 0x7FFF_FFFF, .max, 1 << 31 | 3, 1 << 31 | 0xFFFF,
        ] {
            var damaged = bytes
            for field in layout.fields {
                for index in 0..<4 {
                    damaged[field.offset + index] = UInt8(
                        truncatingIfNeeded: slot >> UInt32(8 * index))
                }
            }
            #expect(decodeRecord(damaged, layout) == [.string(""), .binaryData([])])
        }
    }

    @Test(arguments: wideAndNarrow) func randomDamageNeverCrashes(number: UInt16) {
        let types = AttributeType.allCases
        let layout = makeLayout(number: number, types)
        var random = SeededGenerator(seed: 24)
        let bytes = encodeRecord(types.map { random.value(of: $0) }, layout)
        for _ in 0..<3_000 {
            var damaged = bytes
            for _ in 0...random.next() % 4 {
                damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() % 256)
            }
            damaged.removeLast(Int(random.next() % 8))
            _ = decodeRecord(damaged, layout)
        }
    }
}
