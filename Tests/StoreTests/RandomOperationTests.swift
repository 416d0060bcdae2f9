// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

/// What a store should hold: every object's values, from which links and indexes follow.
private struct Oracle {
    var films: [ObjectKey: [String: Value]] = [:]
    var persons: [ObjectKey: [String: Value]] = [:]

    func films(of person: ObjectKey) -> [ObjectKey] {
        films.filter { $0.value["director"] == .objectID(person) }.map(\.key).sorted()
    }

    func indexed(by properties: [String]) -> [ObjectKey] {
        let keys = films.map { film in
            (IndexKey(properties.map { film.value[$0] ?? .null }).bytes, film.key)
        }
        return keys.sorted { left, right in
            left.0 == right.0 ? left.1 < right.1 : left.0.lexicographicallyPrecedes(right.0)
        }.map(\.1)
    }

    /// The chunks outside the records.
    var chunkCount: Int {
        films.values.map { film in
            guard case .binaryData(let bytes) = film["poster"], bytes.count > 1_024 else {
                return 0
            }
            return (bytes.count + 65_515) / 65_516
        }.reduce(0, +)
    }
}

/// Random transactions on a store and on an oracle.
private struct RandomSaves {
    var random: SeededGenerator
    var oracle = Oracle()

    /// One transaction; no object is touched twice in it.
    mutating func save(to store: Store) throws {
        var next = oracle
        var generator = random
        try store.write { save in
            // The body may run again, from the same state.
            next = oracle
            generator = random
            var touched: Set<ObjectKey> = []
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                try Self.step(save, &next, &generator, &touched)
            }
        }
        oracle = next
        random = generator
    }

    private static func step(
        _ save: SaveTransaction, _ oracle: inout Oracle, _ random: inout SeededGenerator,
        _ touched: inout Set<ObjectKey>
    ) throws {
        let films = oracle.films.keys.sorted().filter { !touched.contains($0) }
        switch random.next() % 8 {
        case 0:
            let values = ["name": Value.string("Person \(random.next() % 50)")]
            let key = try save.insert("Person", values)
            oracle.persons[key] = values
        case 1...3:
            let values = randomFilm(oracle, &random, chance: 1)
            let key = try save.insert("Film", values)
            touched.insert(key)
            try link(save, key, from: nil, to: values["director"])
            oracle.films[key] = values
        case 4...5 where !films.isEmpty:
            let key = random.pick(films)
            touched.insert(key)
            let changes = randomFilm(oracle, &random, chance: 0.4)
            let old = oracle.films[key]?["director"]
            try save.update(key, changes)
            oracle.films[key]?.merge(changes) { $1 }
            try link(save, key, from: old, to: oracle.films[key]?["director"])
        case 6 where !films.isEmpty:
            let key = random.pick(films)
            touched.insert(key)
            try link(save, key, from: oracle.films[key]?["director"], to: nil)
            try save.delete(key)
            oracle.films[key] = nil
        default: break
        }
    }

    private static func link(
        _ save: SaveTransaction, _ film: ObjectKey, from old: Value?, to new: Value?
    ) throws {
        guard old != new else { return }
        let films = try #require(save.store.table("Person").relationship(named: "films"))
        if case .objectID(let person) = old { save.unlink(person, from: film, films) }
        if case .objectID(let person) = new { save.link(person, to: film, films) }
    }

    private static func randomFilm(
        _ oracle: Oracle, _ random: inout SeededGenerator, chance: Double
    ) -> [String: Value] {
        var values: [String: Value] = [:]
        for name in ["title", "year", "rating", "poster", "director"] where random.chance(chance) {
            values[name] = random.chance(0.2) ? .null : randomValue(name, oracle, &random)
        }
        return chance < 1
            ? values
            : values.merging(
                ["title", "year", "rating", "poster", "director"].map { ($0, .null) }
            ) { old, _ in old }
    }

    private static func randomValue(
        _ name: String, _ oracle: Oracle, _ random: inout SeededGenerator
    ) -> Value {
        switch name {
        case "title":
            let letter = random.pick(["a", "b\0", "é"])
            return .string(String(repeating: letter, count: random.pick([0, 1, 2, 300, 600])))
        case "year": return .integer16(Int16.random(in: -3...3, using: &random))
        case "rating": return .double(Double.random(in: -5...5, using: &random))
        case "poster":
            return .binaryData(random.bytes(count: random.pick([0, 10, 1_024, 1_025, 70_000])))
        default:
            guard let person = oracle.persons.keys.sorted().randomElement(using: &random) else {
                return .null
            }
            return .objectID(person)
        }
    }
}

@Suite struct RandomOperationTests {
    @Test(arguments: [61, 62, 63] as [UInt64])
    func storeAgreesWithADictionary(seed: UInt64) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            var saves = RandomSaves(random: SeededGenerator(seed: seed))
            for round in 0..<4 {
                let store = try openStore(path, round == 0 ? FilmModel.rich() : nil)
                for _ in 0..<25 {
                    try saves.save(to: store)
                    let found = try store.invariantViolations()
                    #expect(found == [])
                }
                try check(store, saves.oracle, path, "seed \(saves.random.seed), round \(round)")
            }
        }
    }

    private func check(_ store: Store, _ oracle: Oracle, _ path: String, _ place: String) throws {
        let snapshot = try store.makeSnapshot()
        let comment = Comment(rawValue: place)
        #expect(try snapshot.objects("Film") == oracle.films, comment)
        #expect(try snapshot.objects("Person") == oracle.persons, comment)
        #expect(try snapshot.count(of: store.table("Film")) == oracle.films.count, comment)
        let byYear = oracle.indexed(by: ["year", "title"])
        let byDirector = oracle.indexed(by: ["director"])
        try checkIndexes(snapshot, byDirector, oracle, comment)
        // Cut keys are equal: within them the object decides, not the rest of the title.
        #expect(try Set(snapshot.scan("Film", 0)) == Set(byYear), comment)
        let films = try #require(store.table("Person").relationship(named: "films"))
        for person in oracle.persons.keys {
            let expected = oracle.films(of: person)
            #expect(try Array(snapshot.destinations(of: person, films)) == expected, comment)
            #expect(try snapshot.destinationCount(of: person, films) == expected.count, comment)
        }
        #expect(try RawFile(path).entries("blobs").count == oracle.chunkCount, comment)
        #expect(
            try store.verifyContents() == oracle.films.count + oracle.persons.count, comment)
        for key in [ObjectKey(rawValue: 0), ObjectKey(rawValue: 1 << 48 | 9_999_999)] {
            #expect(try snapshot.record(for: key) == nil, comment)
        }
    }

    private func checkIndexes(
        _ snapshot: StoreSnapshot, _ byDirector: [ObjectKey], _ oracle: Oracle, _ comment: Comment
    ) throws {
        #expect(try snapshot.scan("Film", 1) == byDirector, comment)
        #expect(
            try snapshot.scan("Film", 1, isReversed: true) == byDirector.reversed(), comment)
        for year in Int16(-4)...4 {
            let range = IndexRange(prefix: IndexKey([.integer16(year)]))
            let expected = oracle.films.filter { $0.value["year"] == .integer16(year) }.keys
            #expect(try Set(snapshot.scan("Film", 0, range)) == Set(expected), comment)
            #expect(
                try snapshot.scan("Film", 0, range, isReversed: true)
                    == snapshot.scan("Film", 0, range).reversed(), comment)
        }
    }
}
