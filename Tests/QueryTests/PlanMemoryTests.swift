// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Store
import Testing

extension Operator {
    fileprivate var isOfText: Bool {
        [.beginsWith, .endsWith, .contains, .like, .matches].contains(self)
    }
}

/// Plans made from others of the same shape against plans that were weighed.
@Suite struct PlanMemoryTests {
    /// A condition with an open value.
    private struct Part {
        let key: String
        let type: AttributeType
        let operation: Operator
        let options: ComparisonOptions
        let isDisjunction: Bool

        func predicate(_ value: () -> Value, listCount: Int) -> Predicate {
            func comparison(_ operation: Operator, _ operand: Operand) -> Predicate {
                .comparison(
                    Comparison(
                        left: .keyPath([key]), operator: operation, right: .constant(operand),
                        options: options))
            }
            func values(_ count: Int) -> [Operand] { (0..<count).map { _ in .value(value()) } }
            switch operation {
            case .in where isDisjunction:
                return .or(values(listCount + 1).map { comparison(.equalTo, $0) })
            case .in: return comparison(.in, .list(values(listCount)))
            case .between: return comparison(.between, .list(values(2)))
            case .like:
                guard case .value(.string(let text)) = values(1)[0] else { break }
                return comparison(.like, .value(.string(listCount < 3 ? text + "*" : "*" + text)))
            default: break
            }
            return comparison(operation, values(1)[0])
        }
    }

    private struct Shape {
        let parts: [Part]
        var fetch: FetchDescription

        init(_ data: inout RandomData) {
            let keys: [(String, AttributeType)] = [
                ("serial", .integer64), ("name", .string), ("added", .date),
                ("length", .integer32), ("plays", .integer16), ("price", .double),
                ("weight", .float), ("isLive", .boolean), ("cost", .decimal), ("mark", .uuid),
                ("link", .uri), ("note", .string), ("album", .objectID),
            ]
            let operations: [Operator] = [
                .equalTo, .equalTo, .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo,
                .greaterThan, .greaterThanOrEqualTo,
            ]
            var parts: [Part] = []
            for _ in 0..<data.pick([1, 2, 2, 3]) {
                let (key, type) = data.pick(keys)
                let isOrdered = ![.objectID, .uuid, .boolean].contains(type)
                var possible = isOrdered ? operations + [.between] : [.equalTo]
                possible.append(.in)
                if type == .string {
                    possible += [.beginsWith, .endsWith, .contains, .like, .matches]
                }
                let operation = data.pick(possible)
                parts.append(
                    Part(
                        key: key, type: type, operation: operation,
                        options: operation.isOfText && data.chance(30) ? .caseInsensitive : [],
                        // Alternatives of one key are a list.
                        isDisjunction: operation == .in && data.chance(30)))
            }
            self.parts = parts
            fetch = FetchDescription(entity: data.pick(["Track", "Single"]))
            fetch.includesSubentities = data.chance(80)
            if data.chance(30) {
                fetch.sortOrders = data.sortOrders()
                fetch.limit = data.pick([0, 3])
            }
        }

        func fetch(_ data: inout RandomData, _ albums: [ObjectKey]) -> FetchDescription {
            let conditions = parts.map { part -> Predicate in
                func value() -> Value {
                    // Texts of numbers, and some that are none.
                    if data.chance(8) {
                        return .string(data.pick(["1", "2.5", "x", "2001-01-01"]))
                    }
                    return part.type == .objectID
                        ? .objectID(data.pick(albums)) : data.value(part.type)
                }
                return part.predicate(value, listCount: data.pick([1, 2, 3, 20]))
            }
            var fetch = fetch
            fetch.predicate = conditions.count == 1 ? conditions[0] : .and(conditions)
            return fetch
        }
    }

    @Test("Random constants in random shapes", arguments: [21, 22, 23, 24, 25, 26] as [UInt64])
    func random_shapes(seed: UInt64) throws {
        let library = try TestLibrary(isIndexed: true)
        var data = RandomData(seed: seed)
        data.fill(library)
        let snapshot = try library.save()
        let albums = library.objects.filter { $0.entity.name == "Album" }.map(\.key)
        let memory = PlanMemory()
        var refusedCount = 0
        for round in 0..<80 {
            let shapes = (0..<4).map { _ in Shape(&data) }
            for _ in 0..<20 {
                let fetch = data.pick(shapes).fetch(&data, albums)
                let place: Comment = "seed \(seed), round \(round): \(fetch)"
                guard let weighed = try? Planner.plan(fetch, in: library.store) else {
                    refusedCount += 1
                    #expect(throws: QueryError.self, place) {
                        try Planner.plan(fetch, in: library.store, remembering: memory)
                    }
                    continue
                }
                let plan = try Planner.plan(fetch, in: library.store, remembering: memory)
                var (found, wanted) = (
                    try Array(plan.keys(in: snapshot)), try Array(weighed.keys(in: snapshot))
                )
                if fetch.sortOrders.isEmpty, fetch.limit == 0 {
                    found.sort()
                    wanted.sort()
                }
                #expect(found == wanted, place)
                #expect(try plan.count(in: snapshot) == wanted.count, place)
            }
        }
        #expect(refusedCount > 50)
        #expect(memory.reuseCount > 200, "seed \(seed)")
    }

    private func plan(
        _ format: String, _ store: Store, _ memory: PlanMemory
    ) throws -> (plan: FetchPlan, isReused: Bool) {
        let count = memory.reuseCount
        let fetch = FetchDescription(entity: "Dot", predicate: try Predicate(format: format))
        let plan = try Planner.plan(fetch, in: store, remembering: memory)
        let weighed = try Planner.plan(fetch, in: store)
        #expect(plan.description == weighed.description)
        return (plan, memory.reuseCount > count)
    }

    @Test("A range that yields more than the one before is weighed again")
    func wide_ranges() throws {
        let store = try ManyObjects.indexed.get().store
        let memory = PlanMemory()
        #expect(try !plan("serial < 10 AND plain >= 0", store, memory).isReused)
        #expect(try plan("serial < 12 AND plain >= 1", store, memory).isReused)
        let wide = try plan("serial < 19000 AND plain >= 0", store, memory)
        #expect(!wide.isReused)
        #expect(wide.plan.description.contains("scan"))
        // The scan is not kept, but the narrow range is.
        #expect(try plan("serial < 11 AND plain >= 0", store, memory).isReused)
    }

    @Test("Other types, operators, keys, orders and limits are other shapes")
    func shapes() throws {
        let store = try ManyObjects.indexed.get().store
        let memory = PlanMemory()
        #expect(try !plan("serial == 1 AND plain > 0", store, memory).isReused)
        #expect(try plan("serial == 2 AND plain > 1", store, memory).isReused)
        #expect(try !plan("serial == 2.0 AND plain > 1", store, memory).isReused)
        #expect(try !plan("serial == 2 AND plain < 1", store, memory).isReused)
        #expect(try !plan("serial == 2 AND mixed > 1", store, memory).isReused)
        #expect(try !plan("plain > 1 AND serial == 2", store, memory).isReused)
        #expect(try !plan("serial == 2 AND plain > 1 AND plain > 1", store, memory).isReused)
        var fetch = FetchDescription(
            entity: "Dot", predicate: try Predicate(format: "serial == 2 AND plain > 1"))
        let count = memory.reuseCount
        fetch.sortOrders = [SortOrder(keyPath: ["plain"])]
        _ = try Planner.plan(fetch, in: store, remembering: memory)
        fetch.sortOrders = []
        fetch.includesSubentities = false
        _ = try Planner.plan(fetch, in: store, remembering: memory)
        #expect(memory.reuseCount == count)
        fetch.predicate = try Predicate(format: "serial == 7 AND plain > 0")
        _ = try Planner.plan(fetch, in: store, remembering: memory)
        #expect(memory.reuseCount == count + 1)
    }

    @Test("Lists and bounds have shapes, scans have none")
    func lists_and_texts() throws {
        let store = try ManyObjects.indexed.get().store
        let memory = PlanMemory()
        #expect(try !plan("serial IN {1, 2, 3}", store, memory).isReused)
        #expect(try plan("serial IN {4, 5, 6, 7, 8}", store, memory).isReused)
        // Alternatives of one key are a list, and say so.
        let alternatives = try Planner.plan(
            FetchDescription(
                entity: "Dot", predicate: try Predicate(format: "serial == 4 OR serial == 9")),
            in: store, remembering: memory)
        #expect(memory.reuseCount == 2)
        #expect(
            alternatives.description
                == (try Planner.plan(
                    FetchDescription(
                        entity: "Dot", predicate: try Predicate(format: "serial IN {4, 9}")),
                    in: store)).description)
        #expect(throws: QueryError.self) { try plan("serial IN {4, 'x'}", store, memory) }
        #expect(throws: QueryError.self) { try plan("serial IN {'x', 'y'}", store, memory) }
        #expect(try !plan("serial BETWEEN {1, 5} AND plain > 0", store, memory).isReused)
        #expect(try plan("serial BETWEEN {7, 9} AND plain > 1", store, memory).isReused)
        let many = (0..<600).map { String($0) }.joined(separator: ", ")
        #expect(try !plan("serial IN {\(many)}", store, memory).isReused)
        #expect(try !plan("serial IN {\(many)}", store, memory).isReused)
        #expect(try !plan("plain > 9", store, memory).isReused)
        #expect(try !plan("plain > 19", store, memory).isReused)
    }

    @Test("All pages without an order come from one source, whatever was asked before")
    func pages_without_an_order() throws {
        let store = try ManyObjects.indexed.get().store
        let snapshot = try store.makeSnapshot()
        let memory = PlanMemory()
        func rows(_ format: String, offset: Int) throws -> [ObjectKey] {
            var fetch = FetchDescription(entity: "Dot", predicate: try Predicate(format: format))
            (fetch.limit, fetch.offset) = (2, offset)
            return try Array(
                Planner.plan(fetch, in: store, remembering: memory).keys(in: snapshot))
        }
        // The first asks for few by the serial number, the pages for fewer by the other one.
        for offset in [0, 4] { _ = try rows("serial > 19996 AND mixed >= 0", offset: offset) }
        var found: [ObjectKey] = []
        for page in 0..<8 {
            found += try rows("serial > 19984 AND mixed > 19000", offset: page * 2)
        }
        let all = try Planner.plan(
            FetchDescription(
                entity: "Dot",
                predicate: try Predicate(format: "serial > 19984 AND mixed > 19000")), in: store
        ).keys(in: snapshot)
        #expect(found.sorted() == all.sorted())
        #expect(memory.reuseCount == 0)
        // Where there is one object at most, no other source would have another.
        #expect(try rows("serial == 3 AND plain >= 0", offset: 0).count == 1)
        #expect(try rows("serial == 4 AND plain >= 0", offset: 0).count == 1)
        #expect(try rows("serial == 4 AND plain >= 0", offset: 2).isEmpty)
        #expect(memory.reuseCount == 1)
        // With an order, objects that are equal in it come by their keys from all sources.
        var fetch = FetchDescription(
            entity: "Dot", predicate: try Predicate(format: "serial == 3 AND plain >= 0"),
            sortOrders: [SortOrder(keyPath: ["plain"])], limit: 2)
        _ = try Planner.plan(fetch, in: store, remembering: memory)
        fetch.predicate = try Predicate(format: "serial == 4 AND plain >= 0")
        _ = try Planner.plan(fetch, in: store, remembering: memory)
        #expect(memory.reuseCount == 2)
    }

    @Test("A value of no such type is an error the second time, too")
    func unfitting_values() throws {
        let store = try ManyObjects.indexed.get().store
        let memory = PlanMemory()
        func attempt(_ text: String) throws {
            let predicate = try Predicate(format: "serial == '\(text)' AND plain > 1")
            _ = try Planner.plan(
                FetchDescription(entity: "Dot", predicate: predicate), in: store,
                remembering: memory)
        }
        try attempt("12")
        try attempt("13")
        #expect(memory.reuseCount == 1)
        #expect(throws: QueryError.self) { try attempt("a dozen") }
        try attempt("14")
        #expect(memory.reuseCount == 2)
    }

    @Test("A memory does not outlast the indexes or the store that its plans are of")
    func other_stores() throws {
        let memory = PlanMemory()
        let (indexed, plain) = (
            try ManyObjects.indexed.get().store, try ManyObjects.plain.get().store
        )
        #expect(try !plan("serial == 1 AND plain > 0", indexed, memory).isReused)
        #expect(try !plan("serial == 1 AND plain > 0", plain, memory).isReused)
        #expect(try plan("serial == 2 AND plain > 0", indexed, memory).isReused)
    }
}
