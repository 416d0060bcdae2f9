// SPDX-License-Identifier: Apache-2.0

import Testing
import _TestSupport

@testable import Store

/// The order in which a save writes the keys of an index.
@Suite struct IndexEntryOrderTests {
    private typealias Pair = (key: [UInt8], object: UInt64)

    private func sorted(_ pairs: [Pair]) -> [Pair] {
        var keys: [UInt8] = []
        var entries: ContiguousArray<IndexBatch.Entry> = []
        for pair in pairs {
            entries.append(
                IndexBatch.Entry(
                    start: keys.count, count: pair.key.count, isComplete: true,
                    object: pair.object))
            keys += pair.key
        }
        return keys.withUnsafeBytes { bytes in
            IndexEntryOrder.sort(&entries, bytes)
            return entries.map { (Array($0.bytes(in: bytes)), $0.object) }
        }
    }

    @Test func a_key_comes_before_those_that_begin_with_it() {
        let found = sorted([
            ([1, 65, 0], 1), ([1, 65], 2), ([1, 65, 0, 0], 3), ([1], 4), ([1, 65], 0),
        ])
        #expect(found.map(\.object) == [4, 0, 2, 1, 3])
    }

    @Test func the_bytes_behind_what_all_share_decide() {
        let shared: [UInt8] = Array("978-000000".utf8)
        let found = sorted([
            (shared + [0xFF, 1, 1, 1, 1, 1, 1, 1, 2], 1), (shared + [0x7F], 2),
            (shared + [0xFF, 1, 1, 1, 1, 1, 1, 1, 1], 3), (shared, 4),
        ])
        #expect(found.map(\.object) == [4, 2, 3, 1])
    }

    @Test func an_entry_tells_where_its_key_is() {
        let greatest = IndexBatch.Entry(
            start: 1 << 50, count: 511, isComplete: true, object: .max)
        #expect(greatest.start == 1 << 50)
        #expect(greatest.count == 511)
        #expect(greatest.isComplete)
        let least = IndexBatch.Entry(start: 0, count: 0, isComplete: false, object: 0)
        #expect(least.start == 0)
        #expect(least.count == 0)
        #expect(!least.isComplete)
    }

    @Test func no_key_and_one_key_are_in_order() {
        #expect(sorted([]).isEmpty)
        #expect(sorted([([], 7)]).map(\.object) == [7])
    }

    @Test(arguments: 1...20)
    func random_keys_are_in_the_order_of_their_bytes(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let shared = (0..<Int.random(in: 0...20, using: &random)).map { UInt8($0) }
        let pairs: [Pair] = (0..<400).map { object in
            let rest = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                UInt8([0, 1, 127, 128, 255].randomElement(using: &random) ?? 0)
            }
            return (shared + rest, UInt64(object % 50))
        }
        let expected = pairs.sorted { left, right in
            left.key == right.key
                ? left.object < right.object : left.key.lexicographicallyPrecedes(right.key)
        }
        let found = sorted(pairs)
        #expect(found.map(\.key) == expected.map(\.key))
        #expect(found.map(\.object) == expected.map(\.object))
    }
}
