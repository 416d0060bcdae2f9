// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

// What is asked by fetch requests.
extension LodeLibrary {
    func sumYears(_ context: NSManagedObjectContext) throws -> Checksum {
        .of(try context.fetch(request()).reduce(0) { $0 + Int64($1.year) })
    }

    func unique(_ wanted: [String], _ context: NSManagedObjectContext) throws -> Checksum {
        var total: Int64 = 0
        for isbn in wanted {
            let request = request()
            request.predicate = NSPredicate(format: "isbn == %@", isbn)
            request.fetchLimit = 1
            for book in try context.fetch(request) { total += Int64(book.year) }
        }
        return .of(total)
    }

    func keptUnique(_ wanted: [String], _ context: NSManagedObjectContext) throws -> Checksum {
        var total: Int64 = 0
        let request = request()
        let template = NSPredicate(format: "isbn == $isbn")
        request.fetchLimit = 1
        for isbn in wanted {
            request.predicate = template.withSubstitutionVariables(["isbn": isbn])
            for book in try context.fetch(request) { total += Int64(book.year) }
        }
        return .of(total)
    }

    func range(
        _ years: ClosedRange<Int32>, _ context: NSManagedObjectContext
    ) throws -> Checksum {
        let request = request()
        request.predicate = NSPredicate(
            format: "year BETWEEN {%d, %d}", years.lowerBound, years.upperBound)
        return .of(try context.fetch(request).reduce(0) { $0 + $1.weight })
    }

    func filter(_ input: LibraryInput, _ context: NSManagedObjectContext) throws -> Checksum {
        let request = request()
        request.predicate = NSPredicate(
            format: "rating > %lf AND title BEGINSWITH %@", input.rating, input.titlePrefix)
        return .of(try context.fetch(request).reduce(0) { $0 + $1.weight })
    }

    func count(_ input: LibraryInput, _ context: NSManagedObjectContext) throws -> Checksum {
        let request = request()
        request.predicate = NSPredicate(format: "rating > %lf", input.rating)
        return .of(Int64(try context.count(for: request)))
    }

    func grouped(_ context: NSManagedObjectContext) throws -> Checksum {
        let average = NSExpressionDescription()
        average.name = "average"
        average.expression = NSExpression(
            forFunction: "average:", arguments: [NSExpression(forKeyPath: "rating")])
        average.expressionResultType = .doubleAttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "ShelvedBook")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["year"]
        request.propertiesToFetch = ["year", average]
        var total: Int64 = 0
        for row in try context.fetch(request) {
            guard let year = row["year"] as? NSNumber, let mean = row["average"] as? NSNumber else {
                throw BenchmarkError("a group has no year or no average: \(row)")
            }
            total += year.int64Value + Int64((mean.doubleValue * 1e6).rounded())
        }
        return .of(total)
    }

    func years(_ context: NSManagedObjectContext) throws -> Checksum {
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = NSExpression(
            forFunction: "count:", arguments: [NSExpression.expressionForEvaluatedObject()])
        count.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "ShelvedBook")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["year"]
        request.propertiesToFetch = ["year", count]
        request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
        var checksum = Checksum()
        for row in try context.fetch(request) {
            guard let year = row["year"] as? NSNumber, let count = row["count"] as? NSNumber else {
                throw BenchmarkError("a group has no year or no count: \(row)")
            }
            checksum.add(year.int64Value)
            checksum.add(count.int64Value)
        }
        return checksum
    }

    func top(_ context: NSManagedObjectContext) throws -> Checksum {
        let request = request()
        request.sortDescriptors = [
            NSSortDescriptor(key: "rating", ascending: false),
            NSSortDescriptor(key: "title", ascending: true),
        ]
        request.fetchLimit = 100
        return .of(try context.fetch(request).reduce(0) { $0 + $1.weight })
    }

    func sorted(_ context: NSManagedObjectContext) throws -> Checksum {
        let request = request()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        var checksum = Checksum()
        for book in try context.fetch(request) { checksum.add(Int64(book.year)) }
        return checksum
    }

    func shelfName(_ names: [String], _ context: NSManagedObjectContext) throws -> Checksum {
        var total: Int64 = 0
        for name in names {
            let request = request()
            request.predicate = NSPredicate(format: "shelf.name == %@", name)
            for book in try context.fetch(request) { total += Int64(book.year) }
        }
        return .of(total)
    }

    func findOrCreate(
        _ wanted: [String], _ context: NSManagedObjectContext
    ) throws -> Checksum {
        var found: Int64 = 0
        for isbn in wanted {
            let request = request()
            request.predicate = NSPredicate(format: "isbn == %@", isbn)
            request.fetchLimit = 1
            if let known = try context.fetch(request).first {
                known.available.toggle()
                found += 1
            } else {
                let book = ShelvedBook(context: context)
                (book.isbn, book.title, book.author) = (isbn, "new", "new")
                book.year = BookRow.newYear
            }
        }
        try context.save()
        return .of(found)
    }
}
