// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Predicates
import Query
import RecordFormat
import Schema
import Store

/// Questions to one state of a library's file.
struct StoreQuery {
    private let library: StoredLibrary
    let snapshot: StoreSnapshot

    init(_ library: StoredLibrary, _ snapshot: StoreSnapshot) {
        self.library = library
        self.snapshot = snapshot
    }

    func read(_ positions: [Int]) throws -> Int64 {
        var total: Int64 = 0
        for position in positions {
            let row = UInt64(position) + 1
            guard let record = try snapshot.record(row: row, in: library.books) else {
                throw BenchmarkError("row \(row) is missing")
            }
            total += library.fields.decode(record).weight
        }
        return total
    }

    func sumYears() throws -> Int64 {
        var total: Int64 = 0
        var cursor = try snapshot.records(of: library.books)
        while let (_, record) = try cursor.next() { total += library.fields.year(record) }
        return total
    }

    @inline(__always)
    func traverse(_ weight: (BookRow, String) -> Int64) throws -> Int64 {
        var total: Int64 = 0
        var cursor = try snapshot.records(of: library.shelves)
        while let (shelf, record) = try cursor.next() {
            let name = library.name(ofShelf: record)
            let keys = try snapshot.destinations(of: shelf, library.shelved)
            try snapshot.forEachRecord(of: keys[...]) { _, record in
                total &+= weight(library.fields.decode(record), name)
            }
        }
        return total
    }

    func traverseIDs() throws -> Int64 {
        var result = LinkCount()
        var cursor = try snapshot.records(of: library.shelves)
        while let (shelf, _) = try cursor.next() {
            result.add(try snapshot.destinations(of: shelf, library.shelved).count)
        }
        return result.weight
    }

    func range(_ years: ClosedRange<Int32>) throws -> Int64 {
        try weigh(
            FetchDescription(
                entity: StoredLibrary.bookName,
                predicate: Predicate(
                    format: "year BETWEEN {\(years.lowerBound), \(years.upperBound)}")))
    }

    func unique(_ wanted: [String]) throws -> Int64 {
        try years("isbn == %@", wanted, limit: 1)
    }

    /// The years of the books that a condition finds for each of some texts.
    private func years(_ format: String, _ texts: [String], limit: Int) throws -> Int64 {
        var total: Int64 = 0
        let memory = PlanMemory()
        for text in texts {
            let plan = try plan(format, text, limit: limit, memory)
            try plan.forEach(in: snapshot) { _, record in
                total += library.fields.year(record)
                return true
            }
        }
        return total
    }

    func keptUnique(_ wanted: [String]) throws -> Int64 {
        var total: Int64 = 0
        let lookUp = try isbnLookUp()
        for isbn in wanted {
            // A book may have been deleted.
            guard case .object(_, let record) = try lookUp.answer(.string(isbn), in: snapshot)
            else { continue }
            total += library.fields.year(record)
        }
        return total
    }

    /// The rows of ISBNs, 0 for unknown ones.
    func rows(ofISBNs wanted: [String]) throws -> [UInt64] {
        let lookUp = try isbnLookUp()
        return try wanted.map { isbn in
            guard case .object(let key, _) = try lookUp.answer(.string(isbn), in: snapshot)
            else { return 0 }
            return key.row
        }
    }

    private func isbnLookUp() throws -> UniqueLookUp {
        let made = UniqueLookUp(
            "isbn", of: library.books, includesSubentities: false, in: snapshot)
        guard let made else { throw BenchmarkError("no unique index has the ISBN") }
        return made
    }

    func filter(_ rating: Double, _ prefix: String) throws -> Int64 {
        try weigh(
            FetchDescription(
                entity: StoredLibrary.bookName,
                predicate: Predicate(
                    format: "rating > \(rating) AND title BEGINSWITH %@",
                    arguments: [.operand(.value(.string(prefix)))])))
    }

    func count(_ rating: Double) throws -> Int64 {
        let fetch = FetchDescription(
            entity: StoredLibrary.bookName, predicate: try Predicate(format: "rating > \(rating)"))
        return Int64(try Planner.plan(fetch, in: library.store).count(in: snapshot))
    }

    func grouped() throws -> Int64 {
        let year = Expression.keyPath(["year"])
        let columns = [year, .function("average:", [.keyPath(["rating"])])]
        return try rows(of: [year], columns).reduce(0) { total, row in
            guard case .value(.integer32(let year)) = row[0],
                case .value(.double(let mean)) = row[1]
            else {
                throw BenchmarkError("a group has no year or no average: \(row)")
            }
            return total + Int64(year) + Int64((mean * 1e6).rounded())
        }
    }

    func years() throws -> Checksum {
        let year = Expression.keyPath(["year"])
        var checksum = Checksum()
        for row in try rows(of: [year], [year, .function("count:", [.evaluatedObject])]) {
            guard case .value(.integer32(let year)) = row[0],
                case .value(.integer64(let count)) = row[1]
            else {
                throw BenchmarkError("a group has no year or no count: \(row)")
            }
            checksum.add(Int64(year))
            checksum.add(count)
        }
        return checksum
    }

    /// The rows of groups by the year, in its order.
    private func rows(
        of groups: [Expression], _ columns: [Expression]
    ) throws -> [[SubjectOperand]] {
        let fetch = FetchDescription(
            entity: StoredLibrary.bookName, sortOrders: [SortOrder(keyPath: ["year"])])
        guard let question = GroupQuestion(groups: groups, columns: columns),
            let grouped = try GroupedFetch(fetch, question, in: library.store)
        else {
            throw BenchmarkError("there are no groups by year")
        }
        return try grouped.rows(in: snapshot)
    }

    func top() throws -> Int64 {
        try weigh(
            FetchDescription(
                entity: StoredLibrary.bookName,
                sortOrders: [
                    SortOrder(keyPath: ["rating"], isAscending: false),
                    SortOrder(keyPath: ["title"]),
                ], limit: 100))
    }

    func sorted() throws -> Checksum {
        let fetch = FetchDescription(
            entity: StoredLibrary.bookName, sortOrders: [SortOrder(keyPath: ["title"])])
        var checksum = Checksum()
        try Planner.plan(fetch, in: library.store).forEach(in: snapshot) { _, record in
            checksum.add(library.fields.year(record))
            return true
        }
        return checksum
    }

    func shelfName(_ names: [String]) throws -> Int64 {
        try years("shelf.name == %@", names, limit: 0)
    }

    private func plan(
        _ format: String, _ text: String, limit: Int, _ memory: PlanMemory
    ) throws -> FetchPlan {
        let predicate = try Predicate(
            format: format, arguments: [.operand(.value(.string(text)))])
        let fetch = FetchDescription(
            entity: StoredLibrary.bookName, predicate: predicate, limit: limit)
        return try Planner.plan(fetch, in: library.store, remembering: memory)
    }

    private func weigh(_ fetch: FetchDescription) throws -> Int64 {
        var total: Int64 = 0
        try Planner.plan(fetch, in: library.store).forEach(in: snapshot) { _, record in
            total += library.fields.decode(record).weight
            return true
        }
        return total
    }
}
