// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Testing

@Suite("Hashes for tables in memory")
struct RecordHashTests {
    @Test("A text's hash depends on its bytes, their number and the start, and not on its storage")
    func texts() {
        let texts = ["", "a", "a\u{0}", "b", "isbn 0123", "isbn 0124", "é", "e\u{301}"]
        let hashes = texts.map { RecordChecksum.hash($0, from: 7) }
        #expect(Set(hashes).count == 8)
        let others = texts.map { RecordChecksum.hash(String(($0 + "tail").dropLast(4)), from: 7) }
        #expect(hashes == others)
        #expect(RecordChecksum.hash("a", from: 7) != RecordChecksum.hash("a", from: 8))
    }

    @Test("A checksum reads the rest behind whole words as a word of zeros and those bytes")
    func tails() {
        for count in 0...40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 0xF1 &+ 37 &* $0) }
            // As FileFormat.md has it, byte by byte.
            var hash = 0x9E37_79B9_7F4A_7C15 ^ UInt64(count)
            for start in stride(from: 0, to: count, by: 8) {
                var word: UInt64 = 0
                for index in start..<min(start + 8, count) where !(8..<12).contains(index) {
                    word |= UInt64(bytes[index]) << UInt64(8 * (index - start))
                }
                hash = (hash ^ word) &* 0xFF51_AFD7_ED55_8CCD
                hash ^= hash >> 32
            }
            let expected = UInt32(truncatingIfNeeded: hash ^ hash >> 29)
            // In the middle of other bytes, none of which may be read for these.
            let found = ([7, 7] + bytes + [9, 9, 9]).withUnsafeBytes { all in
                RecordChecksum.compute(
                    UnsafeRawBufferPointer(rebasing: all[2..<2 + count]), skippingAt: 8)
            }
            #expect(found == expected, "of \(count) bytes")
        }
    }

    @Test("Numbers that follow each other have hashes that differ in their low bits, too")
    func numbers() {
        let hashes = (-512..<512).map { RecordChecksum.hash(Int64($0), from: 7) }
        #expect(Set(hashes).count == 1024)
        #expect(Set(hashes.map { $0 & 1023 }).count > 512)
    }
}
