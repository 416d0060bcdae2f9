// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import RecordFormat
import Schema
import Store
import Testing

@Suite struct RunningTests {
    private let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private func fill() {
        for number in 1...6 {
            let entity = number.isMultiple(of: 3) ? "Single" : "Track"
            library.add(
                entity,
                [
                    "name": number == 4 ? .null : .string("n\(7 - number)"),
                    "serial": .integer64(Int64(number)), "plays": .integer16(Int16(number % 2)),
                ])
        }
    }

    private func serials(_ plan: FetchPlan, _ snapshot: StoreSnapshot) throws -> [Int64] {
        var result: [Int64] = []
        try plan.forEach(in: snapshot) { key, record in
            let ordinal = try #require(library.store.ordinal(of: key.entity))
            let table = library.store.tables[ordinal]
            let field = try #require(table.field(named: "serial"))
            result.append(record.load(at: table.layout.fields[field].offset, as: Int64.self))
            return true
        }
        #expect(try plan.count(in: snapshot) == result.count)
        #expect(try plan.keys(in: snapshot).count == result.count)
        return result
    }

    @Test func entitiesAndSubentities() throws {
        fill()
        let snapshot = try library.save()
        let order = [SortOrder(keyPath: ["serial"])]
        #expect(try serials(library.plan("Media", sort: order), snapshot) == [1, 2, 3, 4, 5, 6])
        #expect(try serials(library.plan("Single", sort: order), snapshot) == [3, 6])
        let exact = try library.plan("Track", sort: order, subentities: false)
        #expect(try serials(exact, snapshot) == [1, 2, 4, 5])
        let none = try library.plan("Media", subentities: false)
        #expect(try none.count(in: snapshot) == 0)
        #expect(try serials(library.plan("Single", "serial < 5"), snapshot) == [3])
    }

    @Test func whole_entities_come_in_batches() throws {
        for number in 1...40 { library.add("Track", ["serial": .integer64(Int64(number))]) }
        for number in 41...110 { library.add("Single", ["serial": .integer64(Int64(number))]) }
        let snapshot = try library.save()
        let plan = try library.plan("Track")
        #expect(plan.readsWholeEntities(in: snapshot))
        var batches: [[String]] = []
        try plan.forEachBatch(in: snapshot) { rows in
            batches.append(rows.indices.compactMap { rows[$0].map { "\($0.key)" } })
        }
        // Those of the subentity, which is the first one by name.
        #expect(batches.map(\.count) == [32, 32, 6, 32, 8])
        #expect(try batches.flatMap { $0 } == plan.keys(in: snapshot).map { "\($0)" })
        var serials: [Int64] = []
        let single = try library.plan("Single")
        let table = library.store.tables[try #require(library.store.schema.ordinal(of: "Single"))]
        let field = table.layout.fields[try #require(table.field(named: "serial"))]
        try single.forEachBatch(in: snapshot) { rows in
            for index in rows.indices {
                let row = try #require(rows[index])
                serials.append(row.record.load(at: field.offset, as: Int64.self))
            }
        }
        #expect(serials == Array(41...110))
        struct Stop: Error {}
        var seen = 0
        #expect(throws: Stop.self) {
            try plan.forEachBatch(in: snapshot) { _ in
                seen += 1
                throw Stop()
            }
        }
        #expect(seen == 1)
    }

    @Test func a_part_of_an_entity_or_another_order_is_not_a_whole_one() throws {
        fill()
        let snapshot = try library.save()
        let order = [SortOrder(keyPath: ["serial"])]
        for plan in [
            try library.plan("Track", "serial > 1"), try library.plan("Track", sort: order),
            try library.plan("Track", limit: 3), try library.plan("Track", offset: 1),
        ] {
            #expect(!plan.readsWholeEntities(in: snapshot), "\(plan)")
        }
        let whole = try library.plan("Track")
        let other = try TestLibrary()
        let foreign = try other.save()
        #expect(whole.readsWholeEntities(in: snapshot) && !whole.readsWholeEntities(in: foreign))
    }

    @Test func limitsAndOffsets() throws {
        fill()
        let snapshot = try library.save()
        let order = [SortOrder(keyPath: ["serial"])]
        for sort in [order, [SortOrder(keyPath: ["plays"], isAscending: false)] + order] {
            let all = try serials(library.plan("Track", sort: sort), snapshot)
            for limit in 0...7 {
                for offset in 0...7 {
                    let plan = try library.plan("Track", sort: sort, limit: limit, offset: offset)
                    let rest = all.dropFirst(offset)
                    let wanted = limit == 0 ? Array(rest) : Array(rest.prefix(limit))
                    #expect(try serials(plan, snapshot) == wanted, "limit \(limit) \(offset)")
                }
            }
        }
    }

    @Test func nilSortsSmallest() throws {
        fill()
        let snapshot = try library.save()
        for collation in [SortOrder.Collation.binary, .caseInsensitive, .localized] {
            let up = [SortOrder(keyPath: ["name"], collation: collation)]
            let down = [SortOrder(keyPath: ["name"], isAscending: false, collation: collation)]
            #expect(
                try serials(library.plan("Track", sort: up), snapshot) == [4, 6, 5, 3, 2, 1])
            #expect(
                try serials(library.plan("Track", sort: down), snapshot) == [1, 2, 3, 5, 6, 4])
        }
    }

    @Test func stopping() throws {
        fill()
        let snapshot = try library.save()
        for plan in [
            try library.plan("Track"), try library.plan("Track", "serial > 1"),
            try library.plan("Track", sort: [SortOrder(keyPath: ["plays"])]),
        ] {
            var seen = 0
            try plan.forEach(in: snapshot) { _, _ in
                seen += 1
                return seen < 2
            }
            #expect(seen == 2)
        }
    }

    @Test func bodyErrorsPassThrough() throws {
        struct Stop: Error {}
        fill()
        let snapshot = try library.save()
        let plan = try library.plan("Track")
        #expect(throws: Stop.self) { try plan.forEach(in: snapshot) { _, _ in throw Stop() } }
    }

    @Test func objectIDsThatAreNotThere() throws {
        fill()
        let snapshot = try library.save()
        let first = library.objects[0].key
        let keys = [first, ObjectKey(entity: first.entity, row: 99), ObjectKey(rawValue: 0)]
        let list = Argument.operand(.list(keys.map { .value(.objectID($0)) }))
        let plan = try library.plan("Track", "SELF IN %@", [list])
        #expect(try plan.keys(in: snapshot) == [first])
        #expect(try plan.count(in: snapshot) == 1)
        let albums = try library.plan("Album", "SELF IN %@", [list])
        #expect(try albums.keys(in: snapshot) == [])
    }

    @Test func danglingReferences() throws {
        let album = library.add("Album", ["title": .string("a")])
        let track = library.add("Track", ["name": .string("t")])
        library.relate(track, "album", album)
        _ = try library.save()
        let table = try #require(library.store.table(named: "Album"))
        try library.store.write { try $0.delete(album.key, in: table) }
        let snapshot = try library.store.makeSnapshot()
        #expect(try library.plan("Track", "album.title == 'a'").count(in: snapshot) == 0)
        #expect(try library.plan("Track", "album.title == nil").count(in: snapshot) == 1)
        #expect(try library.plan("Track", "album.title MATCHES 'a'").count(in: snapshot) == 0)
        #expect(try library.plan("Track", "album != nil").count(in: snapshot) == 1)
        let sorted = try library.plan("Track", sort: [SortOrder(keyPath: ["album", "title"])])
        #expect(try sorted.keys(in: snapshot) == [track.key])
    }

    @Test func filterOfOneRecord() throws {
        fill()
        let snapshot = try library.save()
        let table = try #require(library.store.table(named: "Track"))
        let filter = try RecordFilter(Predicate(format: "serial > 1"), table, library.store)
        var matches: [Bool] = []
        var cursor = try snapshot.records(of: table)
        while let (key, record) = try cursor.next() {
            matches.append(try filter.matches(key, record, snapshot))
        }
        #expect(matches == [false, true, true, true])
        #expect(throws: QueryError.self) {
            _ = try RecordFilter(Predicate(format: "side == 'a'"), table, library.store)
        }
    }

    /// Many rows lead to few objects, whose answers are kept for one state of the store.
    @Test func answersOfOtherEndsAreThoseOfTheState() async throws {
        let albums = (0..<5).map { library.add("Album", ["title": .string("a\($0)")]) }
        for number in 0..<400 {
            let track = library.add("Track", ["serial": .integer64(Int64(number))])
            if number % 6 < 5 { library.relate(track, "album", albums[number % 6]) }
        }
        let before = try library.save()
        let (store, table) = (library.store, try #require(library.store.table(named: "Track")))
        let filter = try RecordFilter(Predicate(format: "album.title != 'a3'"), table, store)
        @Sendable func matches(_ snapshot: StoreSnapshot) throws -> [Bool] {
            var matches: [Bool] = []
            var cursor = try snapshot.records(of: table)
            while let (key, record) = try cursor.next() {
                matches.append(try filter.matches(key, record, snapshot))
            }
            return matches
        }
        let expected = (0..<400).map { $0 % 6 != 3 }
        #expect(try matches(before) == expected)
        #expect(try matches(before) == expected)
        let album = try #require(store.table(named: "Album"))
        try store.write { save in
            let draft = RecordDraft.make(fieldCount: album.fields.count)
            for position in 0..<album.fields.count { draft[position] = .null }
            draft[try #require(album.field(named: "title"))] = .string("a4")
            var encoder = RecordEncoder()
            let bytes = encoder.encode(
                layout: album.layout, version: 2, base: nil, draft: draft, resolve: { $0 })
            let old = try #require(try save.record(for: albums[3].key, in: album))
            try save.update(bytes, replacing: old, for: albums[3].key, in: album)
        }
        let after = try store.makeSnapshot()
        #expect(try matches(after) == Array(repeating: true, count: 400))
        #expect(try matches(before) == expected)
        // Two threads with a state each.
        // SAFETY: each is used by one task until the group ends.
        nonisolated(unsafe) let states = [(before, 67), (after, 0)]
        await withTaskGroup(of: Void.self) { group in
            for index in states.indices {
                group.addTask {
                    for _ in 0..<20 {
                        let found = try? matches(states[index].0)
                        #expect(found?.count { !$0 } == states[index].1)
                    }
                }
            }
        }
    }

    @Test func wrongSnapshotTraps() async {
        await #expect(processExitsWith: .failure) {
            let first = try TestLibrary()
            let second = try TestLibrary()
            try first.plan("Track").forEach(in: second.save()) { _, _ in true }
        }
    }
}
