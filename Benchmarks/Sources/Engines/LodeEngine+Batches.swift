// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

extension LodeEngine {
    /// Adds books with one batch request.
    public func batchInsert(_ books: [BookRow]) throws {
        var next = 0
        let request = NSBatchInsertRequest(entityName: "Book") { (object: NSManagedObject) in
            guard next < books.count else { return true }
            let row = books[next]
            next += 1
            let book = unsafeDowncast(object, to: Book.self)
            book.fill(from: row)
            book.shelf = row.shelf
            return false
        }
        let context = container.newBackgroundContext()
        _ = try context.performAndWait { try context.execute(request) }
    }

    /// Sets the year of all books with one batch request.
    public func batchUpdate(year: Int, count: Int) throws {
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.propertiesToUpdate = ["year": year]
        request.resultType = .updatedObjectsCountResultType
        let context = container.newBackgroundContext()
        let result = try context.performAndWait {
            (try context.execute(request) as? NSBatchUpdateResult)?.result as? Int
        }
        guard result == count else {
            throw BenchmarkError("\(result ?? -1) books were updated, not \(count)")
        }
    }

    /// Deletes all books with one batch request.
    public func batchDelete(count: Int) throws {
        let request = NSBatchDeleteRequest(
            fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Book"))
        request.resultType = .resultTypeCount
        let context = container.newBackgroundContext()
        let result = try context.performAndWait {
            (try context.execute(request) as? NSBatchDeleteResult)?.result as? Int
        }
        guard result == count else {
            throw BenchmarkError("\(result ?? -1) books were deleted, not \(count)")
        }
    }
}
