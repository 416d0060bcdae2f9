// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Store
import Testing

/// Indexes that have entries of some objects only.
@Suite struct PartialIndexTests {
    private static func condition(
        _ predicate: Predicate, _ entity: String = "Track"
    ) throws -> IndexCondition {
        let schema = try MusicModel.schema(isIndexed: false)
        let owner = try #require(schema.entity(entity))
        return try IndexConditionReader(schema, entity: owner).condition(of: predicate)
    }

    private static func condition(_ format: String) throws -> IndexCondition {
        try condition(try Predicate(format: format))
    }

    /// A library whose only index is on the length, of the tracks that satisfy.
    private static func library(_ format: String) throws -> TestLibrary {
        let index = Index(
            name: "byLength", properties: ["length"], condition: try condition(format))
        return try TestLibrary(schema: try MusicModel.schema(media: [], track: [index]))
    }

    private func fill(_ library: TestLibrary) {
        for number in 1...12 {
            library.add(
                number.isMultiple(of: 4) ? "Single" : "Track",
                [
                    "length": number == 5 ? .null : .integer32(Int32(number)),
                    "isLive": number == 7 ? .null : .boolean(number.isMultiple(of: 3)),
                    "name": .string("n\(number % 5)"),
                ])
        }
    }

    private func rows(_ plan: FetchPlan, _ snapshot: StoreSnapshot) throws -> [String] {
        try plan.keys(in: snapshot).sorted().map { "\($0)" }
    }

    @Test func a_fetch_of_the_same_objects_reads_the_index() throws {
        let library = try Self.library("isLive == YES")
        fill(library)
        let snapshot = try library.save()
        let live = try library.plan("Track", "isLive == YES AND length > 3")
        #expect(
            live.description == """
                fetch Track where isLive == 1 AND length > 3
                  index range byLength where isLive == 1: length > 3
                """)
        #expect(try rows(live, snapshot) == ["4/p3", "6/p5", "6/p7"])
        let all = try library.plan("Track", "isLive == YES")
        #expect(
            all.description == """
                fetch Track where isLive == 1
                  index byLength where isLive == 1 (whole)
                """)
        #expect(try rows(all, snapshot) == ["4/p3", "6/p3", "6/p5", "6/p7"])
        #expect(try all.count(in: snapshot) == 4)
        let named = try library.plan(
            "Track", "name == 'n1' AND isLive == 1", sort: [SortOrder(keyPath: ["length"])])
        #expect(named.description.contains("filter name == \"n1\"\n  order from index"))
        #expect(try rows(named, snapshot) == ["6/p5"])
        let singles = try library.plan("Single", "isLive == YES AND length < 100")
        #expect(singles.description.contains("index range byLength"))
        #expect(try rows(singles, snapshot) == ["4/p3"])
    }

    /// A condition, a predicate, and whether all that satisfy it are sure to be in the index.
    private static let questions: [(String, String, Bool)] = [
        ("plays > 10", "plays > 10", true), ("plays > 10", "plays >= 11", true),
        ("plays > 10", "plays > 9.5", false), ("plays > 10", "plays > 10.5", true),
        ("plays > 10", "plays == 50", true), ("plays > 10", "plays IN {11, 90}", true),
        ("plays > 10", "plays IN {10, 90}", false), ("plays > 10", "plays BETWEEN {11, 12}", true),
        ("plays > 10", "plays != 5", false), ("plays > 10", "NOT plays <= 10", false),
        ("NOT plays <= 10", "NOT plays <= 10", true), ("NOT plays <= 10", "plays > 10", true),
        ("plays != 5", "plays == nil", true), ("plays != 5", "plays > 5", true),
        ("plays != 5", "plays > 4", false), ("plays == nil", "plays == nil", true),
        ("plays != nil", "plays < 7", true), ("plays != nil", "plays != 7", false),
        ("plays == nil", "plays < 7", false), ("plays BETWEEN {1, 9}", "plays > 1", false),
        ("plays BETWEEN {1, 9}", "plays > 1 AND plays < 9", true),
        ("plays IN {1, 2, 3}", "plays IN {3, 1}", true), ("plays IN {1, 2}", "plays < 3", false),
        ("isLive == YES AND plays > 1", "plays > 1", false),
        ("isLive == YES AND plays > 1", "plays > 5 AND isLive == YES", true),
        ("isLive == YES OR plays > 1", "isLive == YES", true),
        ("isLive == YES OR plays > 1", "isLive == YES OR plays > 2", true),
        ("isLive == YES OR plays > 1", "isLive == YES OR plays > 0", false),
        ("isLive == YES OR plays > 1", "plays > 2 AND name == 'a'", true),
        ("isLive == YES", "isLive == YES OR name == 'a'", false),
        ("isLive == YES", "(name == 'a' OR name == 'b') AND isLive == YES", true),
        ("isLive == YES", "isLive != NO", false), ("isLive == YES", "NOT isLive == NO", false),
        ("isLive != NO", "isLive == YES", true), ("isLive != NO", "isLive == nil", true),
        ("name BEGINSWITH 'ab'", "name == 'abc'", true),
        ("name BEGINSWITH 'ab'", "name BEGINSWITH 'abc'", true),
        ("name BEGINSWITH 'ab'", "name BEGINSWITH 'a'", false),
        ("name BEGINSWITH 'ab'", "name BEGINSWITH[c] 'ab'", false),
        ("name BEGINSWITH 'ab'", "name LIKE 'ab?d'", true),
        ("name BEGINSWITH 'ab'", "name LIKE '?ab'", false),
        ("name >= 'b'", "name > 'b'", true), ("name > 'b'", "name >= 'b'", false),
        ("name == 'b'", "name ==[c] 'b'", false), ("price > 1.5", "price > 1.5", true),
        ("price > 1.5", "price >= 1.5", false), ("price > 1", "price > 1.5 AND price < 2", true),
        ("price <= 1", "price < 1", true), ("NOT price > 1", "price < 1", true),
        ("NOT price > 1", "price == nil", true), ("weight < 2", "weight < 2", true),
        ("weight < 0.1", "weight < 0.1", true), ("plays > 10", "length > 2", false),
        ("plays > 10", "album.year > 10", false), ("plays > 10", "FALSEPREDICATE", true),
        ("art != nil", "art != nil", true), ("cost == nil", "cost == nil", true),
        ("plays > 10", "plays == 50 AND plays == 51", true),
    ]

    @Test(arguments: questions)
    func only_what_surely_follows_uses_the_index(
        condition: String, format: String, follows: Bool
    ) throws {
        let library = try Self.library(condition)
        let text = try library.plan("Track", "length == 7 AND (\(format))").description
        #expect(text.contains("scan") != follows, "\(text)")
    }

    @Test(arguments: [
        ("album.year > 5", "album.year > 5 is no comparison of a stored attribute of Track"),
        ("album == nil", "album == nil is no comparison of a stored attribute of Track"),
        ("plays > length", "plays > length is no comparison of a stored attribute of Track"),
        ("name ==[c] 'a'", "name ==[c] \"a\" is no comparison of a stored attribute of Track"),
        ("name CONTAINS 'a'", "name CONTAINS \"a\" is no comparison of a stored attribute"),
        ("cost > 5", "cost > 5 is no comparison of a stored attribute of Track"),
        ("plays > $x", "the variable $x has no value"),
        ("ANY tags.label == 'a'", "ANY tags.label == \"a\" is no comparison of a stored attribute"),
        ("nothing == 1", "Track has no property nothing"),
        ("shown == 'a'", "Track.shown in key path shown is transient"),
    ])
    func what_no_index_can_have_is_refused(format: String, message: String) throws {
        let error = #expect(throws: QueryError.self) { try Self.condition(format) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("plays > 10", "plays >= 11"), ("price > 1.5", "price > 1.5"),
        ("plays BETWEEN {1, 3}", "plays >= 1 AND plays <= 3"),
        ("plays IN {3, 1}", "plays == 1 OR plays == 3"), ("isLive == NO", "isLive == 0"),
        ("isLive >= NO", "isLive != nil"), ("plays != 5", "plays != 5"),
        ("NOT (plays == nil OR plays == 7)", "NOT (plays == nil OR plays == 7)"),
        ("plays == 5.5", "FALSEPREDICATE"), ("plays != 5.5", "TRUEPREDICATE"),
        ("plays >= '12'", "plays >= 12"), ("plays < 100000000000", "plays <= 99999999999"),
        (
            "name BEGINSWITH 'a' AND (plays > 1 AND plays < 5)",
            "name BEGINSWITH \"a\" AND plays >= 2 AND plays <= 4"
        ),
    ])
    func a_condition_is_a_predicate_again(format: String, text: String) throws {
        let condition = try Self.condition(format)
        #expect(Predicate(condition).description == text)
        #expect(try Self.condition(Predicate(condition)) == condition)
    }

    @Test(arguments: [51, 52, 53, 54, 55, 56, 57, 58] as [UInt64])
    func random_fetches_answer_as_memory_does(seed: UInt64) throws {
        var data = RandomData(seed: seed)
        let empty = try TestLibrary(isIndexed: false)
        data.fill(empty)
        let predicates = data.conditions(10, empty) { try? Self.condition($0) }
        let properties = ["length", "plays", "name", "price", "serial", "added"]
        let indexes = predicates.enumerated().map { place, found in
            Index(
                name: "p\(place)", properties: [data.pick(properties)],
                descending: [data.chance(30)], condition: found.1)
        }
        let library = try TestLibrary(schema: try MusicModel.schema(media: [], track: indexes))
        var same = RandomData(seed: seed)
        same.fill(library)
        let snapshot = try library.save()
        for (index, (predicate, condition)) in zip(indexes, predicates) {
            let round = try Self.condition(Predicate(condition))
            #expect(round == condition, "seed \(seed): \(predicate)")
            let wanted = try library.expected(
                FetchDescription(entity: "Track", predicate: predicate))
            let table = try #require(library.store.table(named: "Track"))
            let found = try #require(table.indexes.first { $0.index == index })
            var keys: [ObjectKey] = []
            try snapshot.scan(found, IndexRange(lower: [], upper: nil)) { key in
                keys.append(key)
                return true
            }
            #expect(keys.sorted() == wanted, "seed \(seed): \(predicate)")
        }
        try library.store.verifyContents()
        var usedCount = 0
        for round in 0..<300 {
            var parts = [data.pick(predicates).0]
            if data.chance(20) { parts = [] }
            if data.chance(60) { parts.append(data.predicate(library)) }
            var fetch = FetchDescription(entity: data.pick(["Track", "Track", "Single"]))
            let stated = data.chance(85) ? Predicate.and(parts) : .or(parts)
            let coercion = ConstantCoercion(
                library.store.schema, entity: fetch.entity, isStrict: true)
            guard let predicate = try? coercion.coerced(stated) else { continue }
            fetch.predicate = predicate
            if data.chance(50) {
                fetch.sortOrders = [
                    SortOrder(keyPath: [data.pick(properties)], isAscending: data.chance(50))
                ]
                fetch.limit = data.pick([0, 0, 1, 5])
            }
            let wanted: [ObjectKey]
            do { wanted = try library.expected(fetch) } catch { continue }
            let plan = try Planner.plan(fetch, in: library.store)
            var found = try Array(plan.keys(in: snapshot))
            if fetch.sortOrders.isEmpty { found.sort() }
            #expect(found == wanted, "seed \(seed), round \(round):\n\(plan)")
            #expect(try plan.count(in: snapshot) == wanted.count, "seed \(seed), round \(round)")
            if plan.description.contains("index") { usedCount += 1 }
        }
        #expect(usedCount > 80, "seed \(seed): \(usedCount)")
    }
}

extension RandomData {
    /// Predicates that an index can have, with their conditions.
    fileprivate mutating func conditions(
        _ count: Int, _ library: TestLibrary, _ read: (Predicate) -> IndexCondition?
    ) -> [(Predicate, IndexCondition)] {
        let coercion = ConstantCoercion(library.store.schema, entity: "Track", isStrict: true)
        var result: [(Predicate, IndexCondition)] = []
        while result.count < count {
            guard let stated = try? coercion.coerced(predicate(library)),
                let condition = read(stated), condition != .all([])
            else { continue }
            result.append((stated, condition))
        }
        return result
    }
}
