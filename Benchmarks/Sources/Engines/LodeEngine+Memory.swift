// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

extension LodeEngine {
    /// The bytes of the heap for each book while a context holds all books, clean and with their
    /// values; their place in the array of the result is not counted.
    public func bytesPerObject() throws -> Double {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.fetchLimit = 1
            // What is made once, whatever the number of objects.
            _ = try context.fetch(request).first?.year
            request.fetchLimit = 0
            let before = Allocations.bytesInUse
            let books = try context.fetch(request)
            var total: Int64 = 0
            for book in books { total &+= Int64(book.year) }
            let bytes = Allocations.bytesInUse - before
            guard total != 0 else { throw BenchmarkError("the books have no years") }
            let list = books.capacity * MemoryLayout<Book>.stride
            return Double(bytes - list) / Double(max(books.count, 1))
        }
    }
}
