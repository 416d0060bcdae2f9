// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Store
import Testing

/// Groups and sums that are read from index keys, compared with those read from records.
@Suite struct CoveringTests {
    private func rows(
        _ many: ManyObjects, _ format: String, _ groups: [String], _ columns: [String],
        _ entity: String
    ) throws -> [[Value]] {
        let (groups, columns) = (groups.map(Expression.column), columns.map(Expression.column))
        var fetch = FetchDescription(entity: entity, predicate: try Predicate(format: format))
        fetch.includesSubentities = false
        let question = try #require(GroupQuestion(groups: groups, columns: columns))
        let grouped = try #require(try GroupedFetch(fetch, question, in: many.store))
        return try grouped.values(in: many.store.makeSnapshot())
    }

    private static let questions: [(String, [String], [String])] = [
        ("mixed < 7000", [], ["count(SELF)", "sum(mixed)", "min(mixed)", "max(mixed)"]),
        ("mixed < 7000", ["mixed"], ["mixed", "count(mixed)"]),
        ("group IN {3, 5, 98}", ["group"], ["group", "count(group)", "average(group)"]),
        ("group == nil", ["group"], ["group", "count(SELF)", "sum(group)"]),
        ("part < 800", [], ["sum(part)", "average(part)", "min(part)", "max(part)"]),
        ("text BEGINSWITH 't10'", ["text"], ["text", "count(text)"]),
        ("text >= 't11'", ["text"], ["text", "count(SELF)"]),
        ("text BEGINSWITH 'xxx'", ["text"], ["text", "count(SELF)"]),
        ("side == YES", ["side"], ["side", "count(SELF)"]),
        ("serial < 4000", [], ["max(serial)", "sum(mixed)"]),
    ]

    @Test(arguments: questions)
    func keys_answer_as_records_do(
        format: String, groups: [String], columns: [String]
    ) throws {
        let (indexed, plain) = (try ManyObjects.indexed.get(), try ManyObjects.plain.get())
        for entity in ["Dot", "Mark"] {
            func sorted(_ rows: [[Value]]) -> [String] { rows.map { "\($0)" }.sorted() }
            let found = try rows(indexed, format, groups, columns, entity)
            let wanted = try rows(plain, format, groups, columns, entity)
            #expect(sorted(found) == sorted(wanted), "\(entity)")
        }
    }

    @Test(arguments: [
        "group == 5", "group IN {5, 6, 7}", "group == nil", "mixed < 9000", "text == 't100001'",
        "side == YES", "side == YES AND plain < 10", "group == 5 OR mixed < 100", "serial == 77",
        "mixed < 9000 AND group == 5",
    ])
    func counts_need_no_records(format: String) throws {
        let (indexed, plain) = (try ManyObjects.indexed.get(), try ManyObjects.plain.get())
        let snapshot = try indexed.store.makeSnapshot()
        for (entity, includesSubentities) in [("Dot", true), ("Dot", false), ("Mark", true)] {
            var fetch = FetchDescription(
                entity: entity, includesSubentities: includesSubentities,
                predicate: try Predicate(format: format))
            let scan = try Planner.plan(fetch, in: plain.store)
            let wanted = try scan.count(in: plain.store.makeSnapshot())
            for properties in [nil, []] as [Set<String>?] {
                fetch.readProperties = properties
                let plan = try Planner.plan(fetch, in: indexed.store)
                #expect(try plan.count(in: snapshot) == wanted, "\(entity)\n\(plan)")
            }
        }
    }

    @Test func a_wide_range_is_counted_in_its_index() throws {
        let store = try ManyObjects.indexed.get().store
        var fetch = FetchDescription(
            entity: "Dot", predicate: try Predicate(format: "mixed < 9000"),
            sortOrders: [SortOrder(keyPath: ["plain"])])
        #expect(try Planner.plan(fetch, in: store).description.contains("scan Dot, Mark"))
        fetch.readProperties = []
        #expect(try Planner.plan(fetch, in: store).description.contains("index range by_mixed"))
    }

    @Test func records_are_read_where_keys_do_not_tell() {
        func read(_ columns: [String]) -> Set<String>? {
            GroupedFetch.readProperties(groups: [], columns: columns.map(Expression.column))
        }
        #expect(read(["sum(mixed)", "side", "count(SELF)"]) == ["mixed", "side"])
        #expect(
            GroupedFetch.readProperties(groups: [], columns: [.keyPath(["album", "title"])]) == nil)
        #expect(GroupedFetch.readProperties(groups: [], columns: [.evaluatedObject]) == nil)
    }
}
