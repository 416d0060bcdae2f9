// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing

/// Hints take any address: wrong ones would end the process here.
@Suite struct MemoryHintTests {
    private func buffer(at address: UInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: 8)
    }

    @Test func aPageIsAskedForOnce() {
        var last: UInt = 0
        MemoryHint.willCopyPage(of: buffer(at: 4_096 * 7 + 100), last: &last)
        #expect(last == 7)
        MemoryHint.willCopyPage(of: buffer(at: 4_096 * 7 + 4_095), last: &last)
        #expect(last == 7)
        MemoryHint.willCopyPage(of: buffer(at: 4_096 * 8), last: &last)
        #expect(last == 8)
    }

    @Test func nothingIsNoPage() {
        var last: UInt = 5
        MemoryHint.willCopyPage(of: UnsafeRawBufferPointer(start: nil, count: 0), last: &last)
        #expect(last == 0)
    }
}
