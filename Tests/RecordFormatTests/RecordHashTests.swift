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

    @Test("Numbers that follow each other have hashes that differ in their low bits, too")
    func numbers() {
        let hashes = (-512..<512).map { RecordChecksum.hash(Int64($0), from: 7) }
        #expect(Set(hashes).count == 1024)
        #expect(Set(hashes.map { $0 & 1023 }).count > 512)
    }
}
