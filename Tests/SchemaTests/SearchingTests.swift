// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

@Suite struct SearchingTests {
    /// Ascending lists with gaps and repetitions, as long as a few levels of halving.
    private static let lists: [[Int]] = (0...9).flatMap { count in
        [Array(0..<count).map { 2 * $0 }, Array(0..<count).map { $0 / 3 * 2 }]
    }

    @Test(arguments: lists) func it_finds_where_the_rear_begins(list: [Int]) {
        for wanted in -1...20 {
            let expected = list.firstIndex { $0 >= wanted } ?? list.count
            #expect(list.partitioningIndex { $0 >= wanted } == expected)
            #expect(list.hasSorted(wanted) == list.contains(wanted))
        }
    }

    @Test func indexes_of_parts_are_those_of_the_whole() {
        let part = [9, 1, 3, 5, 0][1..<4]
        #expect(part.partitioningIndex { $0 >= 4 } == 3)
        #expect(part.partitioningIndex { $0 >= 9 } == 4)
        #expect(part.hasSorted(5))
        #expect(!part.hasSorted(9))
    }

    @Test func an_error_ends_the_search() {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try [1, 2].partitioningIndex { _ in throw Failure() }
        }
    }
}
