// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Store
import Testing
import _TestSupport

/// What the planner chooses among many objects, by estimates from the store.
@Suite struct CostTests {
    private let many: ManyObjects

    init() throws { many = try ManyObjects.indexed.get() }

    private func plan(
        _ format: String, sort: [SortOrder] = [], limit: Int = 0, scanLimit: Int = 0
    ) throws -> FetchPlan {
        var fetch = FetchDescription(
            entity: "Dot", predicate: try Predicate(format: format), sortOrders: sort,
            limit: limit)
        fetch.scanLimit = scanLimit
        return try Planner.plan(fetch, in: many.store)
    }

    /// The first word of the line that says where candidates come from.
    private func source(_ plan: FetchPlan) -> Substring {
        let line = plan.description.split(separator: "\n")[1]
        return line.drop { $0 == " " }.prefix { $0 != " " }
    }

    private func lists(_ count: Int) -> String {
        (0..<count).map { String($0 * 37) }.joined(separator: ", ")
    }

    @Test func a_narrow_range_is_read_from_its_index() throws {
        #expect(try source(plan("mixed < 200")) == "index")
    }

    @Test func half_of_all_objects_are_found_by_a_scan() throws {
        #expect(try source(plan("side == YES AND plain > 3")) == "scan")
        #expect(try source(plan("mixed >= 4000")) == "scan")
    }

    @Test func a_long_list_is_looked_up_in_the_index() throws {
        #expect(try source(plan("mixed IN {\(lists(540))}")) == "index")
        #expect(try source(plan("mixed IN {\(lists(5_000))}")) == "scan")
    }

    @Test func two_indexes_are_intersected_where_it_pays() throws {
        let text = try plan("group == 7 AND mixed < 4000").description
        #expect(
            text == """
                fetch Dot where group == 7 AND mixed < 4000
                  index range by_group: group == 7
                  filter mixed < 4000
                """)
        #expect(
            try plan("mixed < 1500 AND serial < 1500").description == """
                fetch Dot where mixed < 1500 AND serial < 1500
                  intersection
                    index range by_mixed: mixed < 1500
                    index range by_serial: serial < 1500
                """)
        #expect(try source(plan("mixed == 5 AND group == 5")) == "index")
    }

    @Test func alternatives_of_one_attribute_are_a_list() throws {
        #expect(
            try plan("mixed == 3 OR mixed == 9 OR mixed IN {4, 5}").description == """
                fetch Dot where mixed == 3 OR mixed == 9 OR mixed IN {4, 5}
                  index range by_mixed: mixed IN {3, 9, 4, 5} (4 ranges)
                """)
        #expect(
            try plan("mixed == 3 OR text == 't' OR mixed == 9").description == """
                fetch Dot where mixed == 3 OR text == "t" OR mixed == 9
                  union
                    index range by_mixed: mixed IN {3, 9} (2 ranges)
                    index range by_text: text == "t"
                """)
    }

    @Test func a_wide_union_is_a_scan() throws {
        #expect(try source(plan("mixed < 100 OR serial < 100")) == "union")
        #expect(try source(plan("mixed < 9000 OR serial < 100")) == "scan")
    }

    @Test func an_order_with_a_limit_is_read_from_its_index() throws {
        let order = [SortOrder(keyPath: ["mixed"])]
        let few = try plan("side == YES", sort: order, limit: 10).description
        #expect(few.contains("index by_mixed (whole)"))
        let narrow = try plan("serial < 20", sort: order, limit: 10).description
        #expect(narrow.contains("index range by_serial"))
    }

    /// An index of the other criteria has the order then.
    @Test func a_criterion_that_the_condition_fixes_is_no_part_of_the_order() throws {
        let orders = [SortOrder(keyPath: ["side"]), SortOrder(keyPath: ["mixed"])]
        #expect(
            try plan("side == YES", sort: orders, limit: 10).description == """
                fetch Dot where side == 1
                  index by_mixed (whole)
                  filter side == 1
                  order from index
                  limit 10 offset 0
                """)
        let alone = try plan("side == YES", sort: [orders[0]], limit: 10).description
        #expect(alone.contains("side ascending") || alone.contains("index range by_side"))
    }

    /// Rows that are equal in all criteria come by the direction of the last one that is stated.
    @Test(arguments: [true, false], [0, 7])
    func equal_rows_keep_their_order_without_a_criterion(ascends: Bool, limit: Int) throws {
        let snapshot = try many.store.makeSnapshot()
        let orders = [
            SortOrder(keyPath: ["group"]), SortOrder(keyPath: ["side"], isAscending: ascends),
        ]
        let all = FetchDescription(entity: "Dot", sortOrders: orders)
        let matches = Set(try plan("side == YES AND plain < 40").keys(in: snapshot))
        let wanted = try Planner.plan(all, in: many.store).keys(in: snapshot).filter {
            matches.contains($0)
        }
        let found = try plan("side == YES AND plain < 40", sort: orders, limit: limit)
            .keys(in: snapshot)
        #expect(Array(found) == Array(wanted.prefix(limit == 0 ? .max : limit)))
        #expect(wanted.count > 300)
    }

    @Test func a_count_of_whole_keys_takes_a_look_up_for_each() throws {
        var fetch = FetchDescription(
            entity: "Dot", predicate: try Predicate(format: "side == YES"))
        fetch.readProperties = []
        let counting = try Planner.plan(fetch, in: many.store)
        #expect(source(counting) == "index")
        #expect(try counting.count(in: many.store.makeSnapshot()) == 10_000)
        #expect(try source(plan("side == YES")) == "scan")
    }

    @Test(arguments: ["mixed < 900", "mixed < 300", "side == YES AND plain < 50", "part > 4900"])
    func pages_without_an_order_have_each_object_once(format: String) throws {
        let snapshot = try many.store.makeSnapshot()
        var found: [ObjectKey] = []
        var fetch = FetchDescription(
            entity: "Dot", predicate: try Predicate(format: format), limit: 97)
        while true {
            let page = try Planner.plan(fetch, in: many.store).keys(in: snapshot)
            found += page
            if page.count < fetch.limit { break }
            fetch.offset += fetch.limit
        }
        fetch.limit = 0
        fetch.offset = 0
        let all = try Planner.plan(fetch, in: many.store).keys(in: snapshot)
        #expect(found.count == all.count)
        #expect(Set(found) == Set(all))
    }

    @Test func few_of_a_range_are_read_from_its_index() throws {
        #expect(try source(plan("mixed < 900")) == "index")
        #expect(try source(plan("mixed < 3000")) == "scan")
        #expect(try source(plan("mixed < 900", limit: 1)) == "index")
        #expect(try source(plan("mixed >= 9000 AND plain == 3", limit: 1)) == "scan")
    }

    @Test func many_objects_are_sorted_rather_than_looked_up_in_the_order_of_an_index() throws {
        let order = [SortOrder(keyPath: ["mixed"])]
        #expect(
            try plan("TRUEPREDICATE", sort: order).description == """
                fetch Dot where TRUEPREDICATE
                  scan Dot, Mark (entity scan)
                  sort by mixed ascending (in memory)
                """)
        #expect(
            try plan("mixed < 3000", sort: order).description == """
                fetch Dot where mixed < 3000
                  scan Dot, Mark (entity scan)
                  filter mixed < 3000
                  sort by mixed ascending (in memory)
                """)
        #expect(
            try plan("mixed < 300", sort: order).description == """
                fetch Dot where mixed < 300
                  index range by_mixed: mixed < 300
                  order from index
                """)
    }

    @Test func explanations_have_what_is_expected_and_what_is_read() throws {
        let snapshot = try many.store.makeSnapshot()
        #expect(
            try plan("group == 7 AND plain < 500").explanation(running: snapshot) == """
                fetch Dot where group == 7 AND plain < 500
                  index range by_group: group == 7
                  filter plain < 500
                  estimate: reads 172 of 20000
                  run: read 172, of which 85 match
                """)
        #expect(try plan("serial == 3").explanation().hasSuffix("reads 1 of 20000"))
        #expect(try plan("group == 7").explanation().hasSuffix("reads 172 of 20000"))
        #expect(try plan("FALSEPREDICATE").explanation().hasSuffix("reads 0 of 20000"))
        let limited = try plan("plain < 500", limit: 5).explanation(running: snapshot)
        #expect(limited.contains("run: read 10, of which 5 match"), "\(limited)")
    }

    @Test func what_is_before_the_offset_is_passed_over_by_its_keys() throws {
        let snapshot = try many.store.makeSnapshot()
        var fetch = FetchDescription(
            entity: "Dot", sortOrders: [SortOrder(keyPath: ["mixed"])], limit: 10, offset: 15_000)
        let plan = try Planner.plan(fetch, in: many.store)
        #expect(
            try plan.explanation(running: snapshot) == """
                fetch Dot
                  index by_mixed (whole)
                  order from index
                  limit 10 offset 15000
                  estimate: reads 10 of 20000
                  run: read 10, of which 10 match
                """)
        var found: [ObjectKey] = []
        try plan.forEach(in: snapshot) { key, _ in
            found.append(key)
            return true
        }
        (fetch.limit, fetch.offset) = (0, 0)
        let all = try Planner.plan(fetch, in: many.store).keys(in: snapshot)
        #expect(found == Array(all[15_000..<15_010]))
    }
}

/// Fetches that would scan more than their bound.
@Suite struct ScanLimitTests {
    private let many: ManyObjects

    init() throws { many = try ManyObjects.indexed.get() }

    private func message(_ format: String?, sort: [String] = [], limit: Int = 0) throws -> String? {
        var fetch = FetchDescription(
            entity: "Dot", predicate: try format.map { try Predicate(format: $0) },
            sortOrders: sort.map { SortOrder(keyPath: [$0]) }, limit: limit)
        fetch.scanLimit = 1_000
        do {
            _ = try Planner.plan(fetch, in: many.store)
            return nil
        } catch {
            #expect(error.code == .scanRefused)
            return error.message
        }
    }

    @Test func the_message_names_the_index_to_add() throws {
        #expect(
            try message("plain == 3")
                == "a fetch of Dot where plain == 3 would scan 20000 objects, more than the "
                + "scanLimit of 1000; add an index on plain of Dot")
        let folded = try #require(try message("text CONTAINS[c] 'a'"))
        #expect(
            folded.hasSuffix(
                "no index can serve this condition: add a condition on an indexed attribute, or "
                    + "raise the scanLimit"))
        // Serial numbers have an index already.
        let alternatives = try #require(try message("serial == 3 OR plain == 4"))
        #expect(alternatives.hasSuffix("add an index on plain of Dot"))
        let ordered = try #require(try message(nil, sort: ["plain"], limit: 3))
        #expect(ordered.hasSuffix("add an index on plain of Dot"))
    }

    @Test func a_wide_index_range_is_read_instead() throws {
        #expect(try message("side == YES") == nil)
        #expect(try message("side == YES AND plain == 4") == nil)
    }

    @Test func what_returns_all_that_it_reads_is_allowed() throws {
        #expect(try message(nil) == nil)
        #expect(try message(nil, sort: ["plain"]) == nil)
        #expect(try message(nil, limit: 3) == nil)
        #expect(try message(nil, sort: ["mixed"], limit: 3) == nil)
    }
}

/// Random conditions among many objects, with and without indexes.
@Suite struct ManyObjectsOracleTests {
    private struct Conditions {
        var random: SeededGenerator

        mutating func number(_ range: Range<Int>) -> Int {
            Int.random(in: range, using: &random)
        }

        mutating func format(_ depth: Int = 0) -> String {
            if depth < 2, number(0..<100) < 60 {
                let members = (0..<number(2..<4)).map { _ in format(depth + 1) }
                let joined = members.joined(separator: number(0..<2) == 0 ? " AND " : " OR ")
                return number(0..<10) == 0 ? "NOT (\(joined))" : "(\(joined))"
            }
            return condition()
        }

        private mutating func condition() -> String {
            let wide = [50, 500, 3_000, ManyObjects.count][number(0..<4)]
            let from = number(0..<ManyObjects.count)
            switch number(0..<11) {
            case 0: return "serial >= \(from) AND serial < \(from + wide)"
            case 1: return "mixed BETWEEN {\(from), \(from + wide)}"
            case 2: return "mixed IN {\(list(number(0..<700)))}"
            case 3: return "group == \(number(0..<101))"
            case 4: return "group == nil OR group == \(number(0..<101))"
            case 5: return "side == \(number(0..<2) == 0 ? "YES" : "NO")"
            case 6: return "part < \(Double(wide) / 4)"
            case 7: return "text BEGINSWITH '\(["t1", "t10", "t1000", "xxxx"][number(0..<4)])'"
            case 8: return "text == '\(ManyObjects.text(from))'"
            case 9: return "text >= '\(ManyObjects.text(from))'"
            default: return "plain < \(number(0..<1_000))"
            }
        }

        private mutating func list(_ count: Int) -> String {
            (0..<count).map { _ in String(number(0..<ManyObjects.count)) }.joined(separator: ", ")
        }

        mutating func orders() -> [SortOrder] {
            let names = ["serial", "mixed", "group", "part", "text", "plain"]
            return (0..<number(0..<3)).map { _ in
                SortOrder(keyPath: [names[number(0..<6)]], isAscending: number(0..<2) == 0)
            }
        }
    }

    @Test(arguments: [21, 22, 23, 24] as [UInt64])
    func a_plan_finds_what_a_scan_finds(seed: UInt64) throws {
        let indexed = try ManyObjects.indexed.get()
        let plain = try ManyObjects.plain.get()
        let (snapshot, plainSnapshot) = (
            try indexed.store.makeSnapshot(), try plain.store.makeSnapshot()
        )
        var conditions = Conditions(random: SeededGenerator(seed: seed))
        var sources: Set<Substring> = []
        for round in 0..<30 {
            var fetch = FetchDescription(
                entity: conditions.number(0..<4) == 0 ? "Mark" : "Dot",
                includesSubentities: conditions.number(0..<4) > 0,
                predicate: try Predicate(format: conditions.format()),
                sortOrders: conditions.orders())
            if !fetch.sortOrders.isEmpty, conditions.number(0..<2) == 0 {
                (fetch.limit, fetch.offset) = (conditions.number(1..<40), conditions.number(0..<9))
            }
            let plan = try Planner.plan(fetch, in: indexed.store)
            let scan = try Planner.plan(fetch, in: plain.store)
            var found = try Array(plan.keys(in: snapshot))
            var wanted = try Array(scan.keys(in: plainSnapshot))
            if fetch.sortOrders.isEmpty {
                found.sort()
                wanted.sort()
            }
            #expect(found == wanted, "seed \(seed), round \(round):\n\(plan)")
            #expect(try plan.count(in: snapshot) == wanted.count, "seed \(seed), round \(round)")
            let line = plan.description.split(separator: "\n")[1]
            sources.insert(line.drop { $0 == " " }.prefix(5))
        }
        #expect(sources.isSuperset(of: ["scan ", "index"]), "\(sources)")
    }
}
