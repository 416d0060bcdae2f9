// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Store
import Synchronization
import Testing

/// A watch sees every thousandth candidate, and may end the fetch there.
@Suite struct WatchingTests {
    private struct Stop: Error {}

    /// What a watch was told.
    private final class Log: Sendable {
        // Written by the fetch's thread.
        private let seen = Mutex<[Int]>([])
        var matches: [Int] { seen.withLock { $0 } }

        /// A watch that ends the fetch with a look.
        func watch(endingAt last: Int = .max) -> FetchWatch {
            FetchWatch { [self] matches in
                let count = seen.withLock {
                    $0.append(matches)
                    return $0.count
                }
                if count == last { throw Stop() }
            }
        }
    }

    private func library(isIndexed: Bool = false) throws -> (TestLibrary, StoreSnapshot) {
        let library = try TestLibrary(isIndexed: isIndexed)
        for number in 1...3_500 {
            library.add(
                "Track",
                [
                    "name": .string("n\(number)"), "serial": .integer64(Int64(number)),
                    "plays": .integer16(Int16(number % 2)),
                ])
        }
        return (library, try library.save())
    }

    private func plan(
        _ library: TestLibrary, _ format: String?, by keys: [String] = [], _ watch: FetchWatch
    ) throws -> FetchPlan {
        var fetch = try library.plan(
            "Track", format, sort: keys.map { SortOrder(keyPath: [$0]) }
        ).fetch
        fetch.watch = watch
        return try Planner.plan(fetch, in: library.store)
    }

    @Test(arguments: [
        (nil, [999, 1_999, 2_999]), ("serial < 0", [0, 0, 0]), ("plays == 1", [500, 1_000, 1_500]),
    ])
    func a_scan_counts_matches(format: String?, expected: [Int]) throws {
        let (library, snapshot) = try library()
        let log = Log()
        var found = 0
        try plan(library, format, log.watch()).forEach(in: snapshot) { _, _ in
            found += 1
            return true
        }
        #expect(log.matches == expected)
        let unwatched = try library.plan("Track", format)
        #expect(try unwatched.count(in: snapshot) == found)
    }

    @Test func a_scan_without_matches_ends_where_it_is_told() throws {
        let (library, snapshot) = try library()
        let log = Log()
        let plan = try plan(library, "serial < 0", log.watch(endingAt: 2))
        #expect(throws: Stop.self) { try plan.forEach(in: snapshot) { _, _ in true } }
        #expect(log.matches == [0, 0])
        let counting = Log()
        let count = try self.plan(library, "serial < 0", counting.watch(endingAt: 3))
        #expect(throws: Stop.self) { _ = try count.count(in: snapshot) }
        #expect(counting.matches.count == 3)
    }

    @Test(arguments: [false, true]) func sorted_fetches_are_watched(isIndexed: Bool) throws {
        let (library, snapshot) = try library(isIndexed: isIndexed)
        for format in ["name >= 'n'", "name >= 'n' AND plays == 0"] {
            let log = Log()
            var watched: [ObjectKey] = []
            try plan(library, format, by: ["name"], log.watch()).forEach(in: snapshot) { key, _ in
                watched.append(key)
                return true
            }
            #expect(log.matches.count >= 3)
            let unwatched = try library.plan(
                "Track", format, sort: [SortOrder(keyPath: ["name"])])
            #expect(try Array(unwatched.keys(in: snapshot)) == watched)
            let ended = Log()
            let plan = try plan(library, format, by: ["name"], ended.watch(endingAt: 1))
            #expect(throws: Stop.self) { try plan.forEach(in: snapshot) { _, _ in true } }
        }
    }

    @Test func limits_and_offsets_hold() throws {
        let (library, snapshot) = try library()
        var fetch = try library.plan("Track", "plays == 1").fetch
        (fetch.offset, fetch.limit) = (990, 20)
        let plain = try Planner.plan(fetch, in: library.store).keys(in: snapshot)
        let log = Log()
        fetch.watch = log.watch()
        #expect(try Planner.plan(fetch, in: library.store).keys(in: snapshot) == plain)
        #expect(plain.count == 20)
        #expect(log.matches == [500, 1_000])
    }

    @Test func distinct_rows_are_found_without_reading_the_rest() throws {
        let (library, snapshot) = try library()
        let question = GroupQuestion(distinct: [.keyPath(["plays"])])
        let all: [Value] = [.integer16(1), .integer16(0)]
        for (most, looks) in [(1, 0), (2, 0), (0, 3), (3, 3)] {
            let log = Log()
            let fetch = try plan(library, nil, log.watch()).fetch
            let distinct = try #require(try GroupedFetch(fetch, question, in: library.store))
            let rows = try distinct.distinctRows(in: snapshot, upTo: most)
            #expect(rows.map { $0[0].scalar ?? .null } == (most == 1 ? [all[0]] : all))
            #expect(log.matches.count == looks)
        }
    }
}
