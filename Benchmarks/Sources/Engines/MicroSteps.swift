// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// A single operation on managed objects.
public enum MicroStep: String, CaseIterable, Sendable {
    case miss = "uniquing miss: a fault for an ID"
    case hit = "uniquing hit: the object of an ID"
    case fire = "firing a fault, with a property get"
    case getNumber = "property get, Int32"
    case walkNumber = "the same, and walking an array to the object"
    case getText = "property get, String of 20 to 30 bytes"
    case setFirst = "property set, first change of an object"
    case setAgain = "property set, Int32, of a changed object"
    case setInverse = "inverse set: a book to another shelf"
    case fetchAll = "fetch of all, property get and release of each object"
    case plainObjects = "the same of plain Swift objects: made, read and released"
}

/// What one operation costs.
public struct MicroCost: Sendable {
    /// Wall time of each.
    public var seconds: Double
    /// Allocations of each.
    public var allocations: Double
    /// What was read, so that nothing is left out.
    public var checksum: Int64

    /// Runs a block that does an operation some times.
    static func measure(_ count: Int, _ block: () throws -> Int64) rethrows -> MicroCost {
        let before = Allocations.count
        let (checksum, seconds) = try Stopwatch.time(block)
        let allocations = Allocations.count - before
        let divisor = Double(max(count, 1))
        return MicroCost(
            seconds: seconds / divisor, allocations: Double(allocations) / divisor,
            checksum: checksum)
    }
}

extension LodeShelves {
    /// Books that are read and set again and again: few, so that they stay in the cache.
    private static let nearBooks = 1_000
    private static let rounds = 200

    /// Measures each step once, in a new context, on the books inserted first.
    public func measureSteps(_ limit: Int) throws -> [MicroStep: MicroCost] {
        let identifiers = try identifiers(limit)
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let shelves = try context.fetch(NSFetchRequest<Shelf>(entityName: "Shelf"))
            guard let target = shelves.last else { throw BenchmarkError("there is no shelf") }
            // Moves the context to its snapshot, which otherwise the first step would do.
            _ = target.name
            var books: [ShelvedBook] = []
            books.reserveCapacity(identifiers.count)
            var costs: [MicroStep: MicroCost] = [:]
            costs[.miss] = .measure(identifiers.count) {
                for identifier in identifiers {
                    guard let book = context.object(with: identifier) as? ShelvedBook else { break }
                    books.append(book)
                }
                return Int64(books.count)
            }
            costs[.hit] = .measure(identifiers.count) {
                var found: Int64 = 0
                for identifier in identifiers where context.object(with: identifier) !== target {
                    found += 1
                }
                return found
            }
            costs[.fire] = .measure(books.count) { Self.sumYears(books) }
            Self.measureProperties(books, &costs)
            costs[.setInverse] = .measure(books.count) {
                for book in books { book.shelf = target }
                return 0
            }
            context.rollback()
            return costs
        }
    }

    /// Measures objects from their making to their end, and as many of Swift alone, which are the
    /// floor of any library that hands out an object for each record.
    public func measureObjects(_ limit: Int) throws -> [MicroStep: MicroCost] {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<ShelvedBook>(entityName: "ShelvedBook")
            request.fetchLimit = limit
            let years = try context.fetch(request).map(\.year)
            return [
                .fetchAll: try .measure(years.count) { Self.sumYears(try context.fetch(request)) },
                .plainObjects: .measure(years.count) { PlainBook.sumYears(PlainBook.all(years)) },
            ]
        }
    }

    private static func measureProperties(
        _ books: [ShelvedBook], _ costs: inout [MicroStep: MicroCost]
    ) {
        let near = Array(books.prefix(nearBooks))
        let count = near.count * rounds
        // All rounds of a book at once: walking to a book counts references.
        costs[.getNumber] = .measure(count) {
            var total: Int64 = 0
            for book in near { for _ in 0..<rounds { total &+= Int64(book.year) } }
            return total
        }
        costs[.walkNumber] = .measure(count) {
            (0..<rounds).reduce(0) { total, _ in total &+ sumYears(near) }
        }
        costs[.getText] = .measure(count) {
            var total: Int64 = 0
            for book in near { for _ in 0..<rounds { total &+= Int64(book.title.utf8.count) } }
            return total
        }
        costs[.setFirst] = .measure(books.count) {
            for book in books { book.year = 1 }
            return 0
        }
        costs[.setAgain] = .measure(count) {
            for book in near { for round in 0..<Int32(rounds) { book.year = round } }
            return sumYears(near)
        }
    }

    private static func sumYears(_ books: [ShelvedBook]) -> Int64 {
        var total: Int64 = 0
        for book in books { total &+= Int64(book.year) }
        return total
    }

    private func identifiers(_ limit: Int) throws -> [NSManagedObjectID] {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<ShelvedBook>(entityName: "ShelvedBook")
            request.fetchLimit = limit
            return try context.fetch(request).map(\.objectID)
        }
    }
}
