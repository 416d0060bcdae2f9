// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing
import _TestSupport

/// How many entries are expected in a range, compared with how many there are.
@Suite struct EstimateTests {
    private let scratch: Scratch
    private let environment: Environment
    private let entries: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment { $0.durability = .none }
        entries = try environment.database("entries", [.dupSort, .dupFixed, .integerDup])
    }

    private static func key(_ number: Int) -> [UInt8] {
        [7] + withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }
    }

    private func put(_ numbers: some Sequence<Int>, values: Int = 1) throws {
        try environment.write { (txn) throws in
            for number in numbers {
                for value in 0..<values {
                    try txn.put(UInt64(value), for: Self.key(number), in: entries)
                }
            }
        }
    }

    private func estimate(_ lower: Int?, _ upper: Int?) throws -> Int? {
        try environment.read {
            $0.estimatedCount(
                inDatabaseNamed: "entries", from: lower.map(Self.key) ?? [],
                to: upper.map(Self.key))
        }
    }

    @Test func nothing_is_expected_in_an_empty_database() throws {
        #expect(try estimate(nil, nil) == 0)
        #expect(try estimate(1, 5) == 0)
        let missing = try environment.read {
            $0.estimatedCount(inDatabaseNamed: "missing", from: [], to: nil)
        }
        #expect(missing == nil)
    }

    @Test func the_values_of_a_key_are_counted() throws {
        try put(0..<3_000)
        try put([1_500], values: 40)
        try put([2_000], values: 5_000)
        #expect(try estimate(1_500, 1_501) == 40)
        #expect(try estimate(2_000, 2_001) == 5_000)
        #expect(try estimate(7, 8) == 1)
        #expect(try estimate(3_000, 4_000) == 0)
        #expect(try estimate(8, 7) == 0)
    }

    @Test func all_entries_are_counted() throws {
        try put(0..<10_000)
        #expect(try estimate(nil, nil) == 10_000)
        #expect(try estimate(5, 9) == 4)
    }

    /// As null in an index of an attribute that few objects have, at whichever end that is.
    @Test(arguments: [0, 9_999])
    func a_key_of_most_entries_does_not_fill_the_others(crowded: Int) throws {
        try put((0..<10_000).map { $0 * 7_919 % 10_000 })
        try put([crowded], values: 90_000)
        for (lower, upper) in [(1, 9_999), (1_000, 9_000), (5_000, 7_000)] {
            let found = try #require(try estimate(lower, upper))
            #expect((upper - lower) / 2...(upper - lower) * 2 ~= found, "\(lower)..<\(upper)")
        }
    }

    @Test(arguments: [1, 3, 30])
    func wide_ranges_come_near(values: Int) throws {
        let count = 40_000 / values
        try put((0..<count).map { $0 * 7_919 % count }, values: values)
        for (lower, upper) in [
            (0, count / 2), (count / 4, count / 2), (10, count - 10), (count / 3, count / 3 + 900),
        ] {
            let found = try #require(try estimate(lower, upper))
            let wanted = (upper - lower) * values
            #expect(abs(found - wanted) < wanted / 4, "\(lower)..<\(upper): \(found) of \(wanted)")
        }
        let behind = try #require(try estimate(count / 2, nil))
        #expect(abs(behind - count * values / 2) < count * values / 8)
    }

    @Test func integer_keys_are_not_estimated() throws {
        _ = try environment.database("numbers", .integerKey)
        let found = try environment.read {
            $0.estimatedCount(inDatabaseNamed: "numbers", from: [1], to: nil)
        }
        #expect(found == nil)
    }
}
