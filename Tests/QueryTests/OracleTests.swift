// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Store
import Testing

/// Plans and filters against the evaluator on objects in memory.
@Suite struct OracleTests {
    private struct Case {
        let indexed: TestLibrary
        let plain: TestLibrary
        let indexedSnapshot: StoreSnapshot
        let plainSnapshot: StoreSnapshot
        var data: RandomData

        init(seed: UInt64) throws {
            indexed = try TestLibrary(isIndexed: true)
            plain = try TestLibrary(isIndexed: false)
            var data = RandomData(seed: seed)
            data.fill(indexed)
            var same = RandomData(seed: seed)
            same.fill(plain)
            self.data = data
            indexedSnapshot = try indexed.save()
            plainSnapshot = try plain.save()
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 7] as [UInt64])
    func predicates(seed: UInt64) throws {
        var test = try Case(seed: seed)
        var sources: Set<Substring> = []
        var comparedCount = 0
        let coercion = ConstantCoercion(test.indexed.store.schema, entity: "Track", isStrict: true)
        for round in 0..<300 {
            let predicate = test.data.predicate(test.indexed)
            var fetch = FetchDescription(entity: "Track", predicate: predicate)
            guard let coerced = try? coercion.coerced(predicate) else {
                #expect(throws: QueryError.self) { try Planner.plan(fetch, in: test.indexed.store) }
                comparedCount += 1
                continue
            }
            let wanted: [ObjectKey]
            fetch.predicate = coerced
            do { wanted = try test.indexed.expected(fetch) } catch { continue }
            fetch.predicate = predicate
            let place: Comment = "seed \(seed), round \(round): \(predicate)"
            let plan = try Planner.plan(fetch, in: test.indexed.store)
            #expect(try plan.keys(in: test.indexedSnapshot).sorted() == wanted, place)
            #expect(try plan.count(in: test.indexedSnapshot) == wanted.count, place)
            comparedCount += 1
            sources.insert(plan.description.split(separator: "\n")[1].dropFirst(2).prefix(5))
            let scan = try Planner.plan(fetch, in: test.plain.store)
            #expect(try scan.keys(in: test.plainSnapshot).sorted() == wanted, place)
            #expect(try filtered(predicate, test) == wanted, place)
        }
        #expect(comparedCount > 264, "seed \(seed)")
        #expect(sources.isSuperset(of: ["scan ", "index", "relat", "union"]), "seed \(seed)")
    }

    private func filtered(_ predicate: Predicate, _ test: Case) throws -> [ObjectKey] {
        var found: [ObjectKey] = []
        for name in ["Single", "Track"] {
            let table = try #require(test.plain.store.table(named: name))
            let filter = try RecordFilter(predicate, table, test.plain.store)
            var cursor = try test.plainSnapshot.records(of: table)
            while let (key, record) = try cursor.next() {
                if try filter.matches(key, record, test.plainSnapshot) { found.append(key) }
            }
        }
        return found.sorted()
    }

    @Test(arguments: [11, 12, 13, 14] as [UInt64])
    func orders(seed: UInt64) throws {
        var test = try Case(seed: seed)
        for round in 0..<150 {
            var fetch = FetchDescription(entity: test.data.pick(["Track", "Single"]))
            fetch.sortOrders = test.data.sortOrders()
            if test.data.chance(50) {
                let coercion = ConstantCoercion(
                    test.indexed.store.schema, entity: fetch.entity, isStrict: true)
                fetch.predicate = try? coercion.coerced(test.data.predicate(test.indexed))
            }
            if test.data.chance(50), !fetch.sortOrders.isEmpty {
                fetch.limit = test.data.pick([0, 1, 5, 20])
                fetch.offset = test.data.pick([0, 3, 30])
            }
            let wanted: [ObjectKey]
            do { wanted = try test.indexed.expected(fetch) } catch { continue }
            for (library, snapshot) in [
                (test.indexed, test.indexedSnapshot), (test.plain, test.plainSnapshot),
            ] {
                let plan = try Planner.plan(fetch, in: library.store)
                var found = try Array(plan.keys(in: snapshot))
                if fetch.sortOrders.isEmpty { found.sort() }
                #expect(found == wanted, "seed \(seed), round \(round):\n\(plan)")
                #expect(try plan.count(in: snapshot) == wanted.count, "seed \(seed) \(round)")
            }
        }
    }
}
