// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LMDB

/// Whom a group of writes waits for; times are nanoseconds.
@Suite struct ExpectedWritersTests {
    var writers = ExpectedWriters()

    /// Ends a group of threads 1, 2 and 3 at 1,000,000, after a commit of 100,000.
    init() { writers.end(1, [2, 3], commit: 900_000...1_000_000) }

    @Test mutating func those_of_the_last_group_are_expected_for_as_long_as_their_commit_took() {
        writers.come(1)
        #expect(writers.wait(from: 1_020_000) == 1_100_000)
        writers.come(2)
        #expect(writers.wait(from: 1_050_000) == 1_100_000)
        #expect(writers.wait(from: 1_100_000) == nil)
    }

    @Test mutating func nobody_is_waited_for_when_all_have_come() {
        for thread in [1, 2, 3] as [UInt] { writers.come(thread) }
        #expect(writers.wait(from: 1_000_000) == nil)
    }

    @Test mutating func a_single_writer_never_waits() {
        writers.come(1)
        writers.end(1, [], commit: 1_100_000...1_200_000)
        writers.come(1)
        #expect(writers.wait(from: 1_210_000) == nil)
    }

    @Test mutating func who_comes_late_is_not_waited_for() {
        writers.come(4)
        #expect(writers.wait(from: 1_500_000) == nil)
    }

    @Test mutating func a_slow_disk_does_not_lengthen_the_wait() {
        writers.end(1, [2], commit: 1_000_000...21_000_000)
        writers.come(1)
        #expect(writers.wait(from: 22_000_000) == 22_200_000)
        #expect(writers.wait(from: 22_100_000) == 22_200_000)
    }

    @Test mutating func those_whose_writes_were_undone_are_not_expected() {
        writers.end()
        writers.come(1)
        #expect(writers.wait(from: 0) == nil)
    }

    @Test mutating func after_a_wait_in_vain_the_next_groups_do_not_wait() {
        writers.come(1)
        #expect(writers.wait(from: 1_020_000) == 1_100_000)
        var waits: [Bool] = []
        for group in 1...33 as ClosedRange<UInt64> {
            let end = 1_000_000 + group * 1_000_000
            writers.end(1, [2], commit: (end - 100_000)...end)
            writers.come(1)
            waits.append(writers.wait(from: end + 10_000) != nil)
        }
        #expect(waits == Array(repeating: false, count: 32) + [true])
    }
}
