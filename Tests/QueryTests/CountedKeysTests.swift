// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

/// Groups that are read from the keys of an index, each once, with the number of its objects.
@Suite struct CountedKeysTests {
    private static let attributes = [
        Attribute(name: "year", type: .integer32), Attribute(name: "rating", type: .double),
        Attribute(name: "copies", type: .integer64), Attribute(name: "name", type: .string),
        Attribute(name: "day", type: .date),
    ]

    /// 4,000 objects with few values each, and among them all that keys do not have whole.
    private static func library(_ indexes: [[String]]) throws -> (TestLibrary, StoreSnapshot) {
        let indexes = indexes.map { Index(name: "by_" + $0.joined(separator: "_"), properties: $0) }
        let library = try TestLibrary(
            schema: try Schema(entities: [
                Entity(name: "Book", attributes: attributes, indexes: indexes)
            ]))
        let long = String(repeating: "x", count: 600)
        let ratings: [Double?] = [
            nil, 0.1, -0.0, 0, .nan, 1e300, -1e300, 2.7, .infinity, 1e-9, 4.5,
        ]
        let copies: [Int64?] = [.max, .max, 3, nil, -7]
        var generator = SeededGenerator(seed: 7)
        for number in 0..<4_000 {
            let rating = ratings[Int.random(in: 0..<ratings.count, using: &generator)]
            let name = ["a", "b", "\(long)a", "\(long)b", nil][number % 5]
            library.add(
                "Book",
                [
                    "year": number % 11 == 0 ? .null : .integer32(Int32(1900 + number % 7)),
                    "rating": rating.map { .double($0) } ?? .null,
                    "copies": copies[number / 7 % 5].map { .integer64($0) } ?? .null,
                    "name": name.map { .string($0) } ?? .null,
                    "day": rating.map { .date($0 * 10) } ?? .null,
                ])
        }
        return (library, try library.save())
    }

    private static let indexes = [
        ["year"], ["year", "rating"], ["year", "copies"], ["name"], ["rating", "year"],
        ["year", "day"],
    ]
    private static func indexed() throws -> (TestLibrary, StoreSnapshot) { try library(indexes) }
    private static func plain() throws -> (TestLibrary, StoreSnapshot) { try library([]) }

    private func fetch(
        _ library: TestLibrary, _ format: String?, _ groups: [String], _ columns: [String],
        sort: [SortOrder] = []
    ) throws -> GroupedFetch {
        let question = try #require(
            GroupQuestion(
                groups: groups.map(Expression.column), columns: columns.map(Expression.column)))
        let fetch = FetchDescription(
            entity: "Book", predicate: try format.map { try Predicate(format: $0) },
            sortOrders: sort)
        return try #require(try GroupedFetch(fetch, question, in: library.store))
    }

    @Test(
        arguments: [
            (nil, ["year"], ["year", "count(SELF)"], true),
            (nil, ["year"], ["year", "average(rating)", "sum(rating)", "count(rating)"], true),
            (nil, ["year"], ["year", "min(rating)", "max(rating)"], true),
            (nil, ["year"], ["year", "min(day)", "max(day)"], true),
            (nil, ["year"], ["year", "sum(copies)", "average(copies)", "max(copies)"], true),
            (nil, [], ["sum(copies)", "count(SELF)", "min(year)"], true),
            (nil, ["name"], ["name", "count(SELF)"], true),
            (nil, [], ["min(name)", "max(name)", "count(name)"], true),
            ("year > 1901", ["year"], ["year", "average(rating)"], true),
            ("year IN {1901, 1904, 1999}", ["year"], ["year", "average(rating)"], true),
            ("year == nil", [], ["count(SELF)", "sum(rating)"], true),
            ("year > 1999", ["year"], ["year", "count(SELF)"], true),
            ("rating > 1 AND year > 1902", ["year"], ["year", "sum(rating)"], false),
            (nil, ["rating"], ["rating", "count(SELF)"], false),
            (nil, ["year"], ["year", "median(rating)"], false),
            (nil, ["year"], ["year", "sum(rating)", "sum(copies)"], false),
        ] as [(String?, [String], [String], Bool)])
    func keys_answer_as_records_do(
        format: String?, groups: [String], columns: [String], counts: Bool
    ) throws {
        let ((indexed, snapshot), (plain, records)) = (
            try Self.indexed(), try Self.plain()
        )
        let found = try fetch(indexed, format, groups, columns)
        #expect(found.plan.description.contains("keys are counted") == counts, "\(found.plan)")
        let wanted = try fetch(plain, format, groups, columns)
        #expect(!wanted.plan.description.contains("index"))
        func text(_ rows: [[Value]]) -> [String] { rows.map { "\($0)" }.sorted() }
        #expect(text(try found.values(in: snapshot)) == text(try wanted.values(in: records)))
    }

    @Test func sums_are_those_of_the_numbers() throws {
        let (library, snapshot) = try Self.indexed()
        let found = try fetch(
            library, "year == 1903 AND rating == 0.1", [], ["sum(rating)", "count(SELF)"])
        #expect(found.plan.description.contains("keys are counted"))
        let count = library.objects.count {
            $0.values["year"] == .integer32(1903) && $0.values["rating"] == .double(0.1)
        }
        #expect(count > 30)
        // Rounded once: 0.1 is a little more than a tenth.
        let sum = 0.1 * Double(count)
        #expect(
            try found.values(in: snapshot) == [[.double(sum), .integer64(Int64(count))]])
    }

    @Test func groups_are_sorted_instead_of_their_members() throws {
        let sort = [
            SortOrder(keyPath: ["name"], isAscending: false), SortOrder(keyPath: ["year"]),
        ]
        for library in [try Self.indexed(), try Self.plain()] {
            let found = try fetch(
                library.0, "year < 1902", ["year", "name"], ["year", "name", "count(SELF)"],
                sort: sort)
            #expect(!found.plan.description.contains("sort"))
            #expect(
                try found.explanation().hasSuffix("sort groups by name descending, year ascending"))
            let rows = try found.values(in: library.1)
            #expect(
                rows.map { $0[0] }.prefix(3) == [
                    .integer32(1900), .integer32(1901), .integer32(1900),
                ])
            let lengths = rows.map { row in
                if case .string(let name) = row[1] { name.utf8.count } else { 0 }
            }
            #expect(lengths == [601, 601, 601, 601, 1, 1, 1, 1, 0, 0])
        }
    }

    @Test func members_are_sorted_where_groups_do_not_tell() throws {
        let (library, snapshot) = try Self.plain()
        let found = try fetch(
            library, "year < 1902 AND rating > -1", ["year"], ["year"],
            sort: [
                SortOrder(keyPath: ["rating"]), SortOrder(keyPath: ["year"], isAscending: false),
            ])
        #expect(found.plan.description.contains("sort by rating ascending, year descending"))
        #expect(
            try found.values(in: snapshot) == [[.integer32(1901)], [.integer32(1900)]])
    }

    @Test func distinct_rows_are_counted_and_sorted_as_well() throws {
        let (library, snapshot) = try Self.indexed()
        let question = GroupQuestion(distinct: [.keyPath(["year"])])
        func years(_ isAscending: Bool, upTo most: Int) throws -> [Value] {
            let fetch = FetchDescription(
                entity: "Book",
                sortOrders: [SortOrder(keyPath: ["year"], isAscending: isAscending)])
            let found = try #require(try GroupedFetch(fetch, question, in: library.store))
            #expect(found.plan.description.contains("index by_year (whole), keys are counted"))
            return try found.distinctRows(in: snapshot, upTo: most).map { $0[0].scalar ?? .null }
        }
        #expect(try years(true, upTo: 2) == [.null, .integer32(1900)])
        #expect(try years(false, upTo: 2) == [.integer32(1906), .integer32(1905)])
        #expect(try years(true, upTo: 0).count == 8)
    }

    @Test func an_index_with_a_key_for_each_object_is_not_counted() throws {
        let library = try TestLibrary(
            schema: try Schema(entities: [
                Entity(
                    name: "Book", attributes: Self.attributes,
                    indexes: [Index(name: "by_copies", properties: ["copies"])])
            ]))
        for number in 0..<5_000 {
            library.add("Book", ["copies": .integer64(Int64(number * 7 % 5_000))])
        }
        let snapshot = try library.save()
        let found = try fetch(library, nil, [], ["sum(copies)"])
        #expect(found.plan.description.contains("scan Book"))
        #expect(try found.values(in: snapshot) == [[.integer64(12_497_500)]])
    }

    @Test func each_key_is_read_once_with_zero_and_nan_among_them() throws {
        let (library, snapshot) = try Self.indexed()
        let found = try fetch(library, nil, ["year"], ["year", "average(rating)", "max(rating)"])
        // Eight years by ten ratings: both zeros have one key.
        #expect(
            try found.explanation(running: snapshot).contains("run: read 80, of which 4000 match"))
    }

    @Test func groups_that_are_equal_in_the_order_come_alike_from_any_plan() throws {
        func rows(_ indexes: [[String]]) throws -> [[Value]] {
            let (library, snapshot) = try Self.library(indexes)
            let found = try fetch(
                library, "year < 1902", ["year", "copies"], ["year", "copies"],
                sort: [SortOrder(keyPath: ["year"], isAscending: false)])
            #expect(found.plan.description.contains("keys are counted") == !indexes.isEmpty)
            #expect(try found.explanation().hasSuffix("sort groups by year descending"))
            return try found.values(in: snapshot)
        }
        let (counted, scanned) = (try rows([["year", "copies"]]), try rows([]))
        #expect(counted == scanned)
        // Of the groups of a year the last one to get its last member comes first.
        #expect(Set(counted.prefix(4).map { $0[0] }) == [.integer32(1901)])
        #expect(
            Set(counted.map { $0[1] }) == [.null, .integer64(-7), .integer64(3), .integer64(.max)])
    }

    @Test func a_look_up_by_one_key_is_estimated_by_it() throws {
        let (library, _) = try Self.indexed()
        let found = try fetch(library, "year == 1903", ["year"], ["year", "count(SELF)"])
        let text = try found.explanation()
        #expect(text.contains("keys are counted") && !text.contains("reads 0 of"), "\(text)")
    }

    @Test func one_group_has_no_order() throws {
        let (library, snapshot) = try Self.indexed()
        let found = try fetch(
            library, nil, [], ["count(year)"], sort: [SortOrder(keyPath: ["rating"])])
        #expect(found.plan.description.contains("index by_year (whole), keys are counted"))
        #expect(try found.values(in: snapshot) == [[.integer64(3_636)]])
    }

    @Test func objects_of_subentities_are_not_among_the_keys() throws {
        let index = Index(name: "by_city", properties: ["city"])
        let city = Attribute(name: "city", type: .string)
        let library = try TestLibrary(
            schema: try Schema(entities: [
                Entity(name: "Person", attributes: [city], indexes: [index]),
                Entity(
                    name: "Employee", superentity: "Person", attributes: [city], indexes: [index]),
            ]))
        for number in 0..<3_000 {
            library.add(
                number % 3 == 0 ? "Employee" : "Person", ["city": .string("c\(number % 5)")])
        }
        let snapshot = try library.save()
        let question = try #require(
            GroupQuestion(groups: [], columns: [.column("count(SELF)")]))
        for (entity, includesSubentities, count) in [
            ("Person", true, 3_000), ("Person", false, 2_000), ("Employee", true, 1_000),
        ] {
            let fetch = FetchDescription(
                entity: entity, includesSubentities: includesSubentities)
            let found = try #require(try GroupedFetch(fetch, question, in: library.store))
            #expect(found.plan.description.contains("scan"), "\(found.plan)")
            #expect(try found.values(in: snapshot) == [[.integer64(Int64(count))]])
        }
    }
}
