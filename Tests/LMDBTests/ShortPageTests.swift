// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LMDB

/// Bytes that are too few for a page are none, rather than a trap.
@Suite struct ShortPageTests {
    @Test(arguments: 0..<16) func aPageWithoutAWholeHeaderIsNone(byteCount: Int) {
        let bytes = [UInt8](repeating: 0xFF, count: byteCount)
        #expect(PageEntries(bytes) == nil)
        #expect(TreePage(bytes) == nil)
    }

    @Test func aHeaderAloneIsAPageWithoutEntries() {
        var bytes = [UInt8](repeating: 0, count: 16)
        (bytes[10], bytes[12], bytes[14]) = (2, 16, 16)
        #expect(PageEntries(bytes)?.count == 0)
        #expect(TreePage(bytes) != nil)
    }
}
