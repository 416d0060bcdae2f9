// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Testing

@testable import Store

@Suite struct RecordAheadTests {
    /// The lines between two records that lie some bytes apart in one buffer.
    private func lines(_ from: Int, _ to: Int) throws -> Int32 {
        let bytes = [UInt8](repeating: 0, count: 1_024)
        return try bytes.withUnsafeBytes { all in
            func record(at offset: Int) throws -> RecordView {
                try #require(
                    RecordView(UnsafeRawBufferPointer(rebasing: all[offset..<offset + 64])))
            }
            let ahead = RecordAhead(from: try record(at: from), to: try record(at: to))
            ahead.load(from: try record(at: from))
            return ahead.lines
        }
    }

    @Test func it_leads_to_the_line_of_a_later_or_an_earlier_record() throws {
        #expect(RecordAhead().lines == 0)
        #expect(try lines(0, 0) == 0)
        #expect(try lines(0, 63) == 0)
        #expect(try lines(0, 64) == 1)
        #expect(try lines(100, 500) == 6)
        #expect(try lines(500, 100) == -7)
    }
}
