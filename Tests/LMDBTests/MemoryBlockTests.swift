// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing

@Suite struct MemoryBlockTests {
    /// Sizes with small and with huge pages, prepared or not.
    @Test(arguments: [8, 1 << 16, 1 << 22, 9_000_000], [false, true])
    func all_of_it_can_be_used(byteCount: Int, isPrepared: Bool) {
        let block = MemoryBlock(byteCount: byteCount)
        if isPrepared { block.prepare() }
        #expect(block.bytes.count == byteCount)
        for offset in stride(from: 0, to: byteCount, by: 1_024) {
            block.bytes[offset] = UInt8(truncatingIfNeeded: offset >> 10)
        }
        block.bytes[byteCount - 1] = 7
        let wrong = stride(from: 0, to: byteCount, by: 1_024).first {
            $0 != byteCount - 1 && block.bytes[$0] != UInt8(truncatingIfNeeded: $0 >> 10)
        }
        #expect(wrong == nil)
        #expect(block.bytes[byteCount - 1] == 7)
    }

    @Test func blocks_end_while_they_are_prepared() {
        for _ in 0..<50 { MemoryBlock(byteCount: 1 << 22).prepare() }
    }
}
