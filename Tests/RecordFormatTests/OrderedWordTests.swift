// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Testing

/// Words of bytes order as the bytes do.
@Suite struct OrderedWordTests {
    private let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

    @Test func eight_bytes_are_one_number() {
        #expect(OrderedBytes.word(in: bytes, from: 0, to: 10) == 0x0102_0304_0506_0708)
        #expect(OrderedBytes.word(in: bytes, from: 2, to: 10) == 0x0304_0506_0708_090A)
    }

    @Test func bytes_behind_the_end_are_zeros() {
        #expect(OrderedBytes.word(in: bytes, from: 0, to: 3) == 0x0102_0300_0000_0000)
        #expect(OrderedBytes.word(in: bytes, from: 2, to: 9) == 0x0304_0506_0708_0900)
        #expect(OrderedBytes.word(in: bytes, from: 3, to: 10) == 0x0405_0607_0809_0A00)
        #expect(OrderedBytes.word(in: bytes, from: 9, to: 10) == 0x0A00_0000_0000_0000)
    }

    @Test func none_are_zero() {
        #expect(OrderedBytes.word(in: bytes, from: 10, to: 10) == 0)
        #expect(OrderedBytes.word(in: bytes, from: 5, to: 3) == 0)
        #expect(OrderedBytes.word(in: [], from: 0, to: 0) == 0)
    }
}
