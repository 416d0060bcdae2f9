// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData
import Foundation

/// What `lode import` does, in this process.
public enum LodeFiles: FileImporter {
    /// The name.
    public static let name = LibraryEngines.subject

    private static let mapping = """
        {"entities": {"Book": {"key": "isbn", "attributes": {
          "year": {"type": "integer32", "indexed": true}, "available": {"type": "boolean"}}}}}
        """

    /// Infers the model and loads the rows.
    public static func load(_ files: LibraryFiles, into path: String) throws {
        var options = ImportOptions()
        options.mapping = try ImportMapping.parse(mapping)
        let importer = try LibraryImporter(
            path: files.folder, into: URL(fileURLWithPath: path), options: options)
        let report = try importer.load()
        guard report.rejectionCount == 0 else { throw BenchmarkError("\(report)") }
    }

    /// Opens the file and reads all books with the names of their shelves.
    public static func check(_ path: String) throws -> Checksum {
        let url = URL(fileURLWithPath: path)
        let container = try NSPersistentContainer(NSManagedObjectModel.stored(at: url), at: path)
        let context = container.newBackgroundContext()
        let checksum = try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            let books = try context.fetch(request)
            return Checksum.of(
                try books.reduce(0) { sum, book in
                    guard let shelf = book.value(forKeyPath: "shelf.name") as? String else {
                        throw BenchmarkError("\(book) stands on no shelf")
                    }
                    return try sum &+ row(book).digest(shelf: shelf)
                })
        }
        try container.close()
        return checksum
    }

    private static func row(_ book: NSManagedObject) throws -> BookRow {
        // The inferred type of an ISBN is a number.
        guard let title = book.value(forKey: "title") as? String,
            let author = book.value(forKey: "author") as? String,
            let year = book.value(forKey: "year") as? Int32,
            let rating = book.value(forKey: "rating") as? Double,
            let isbn = book.value(forKey: "isbn") as? Int64,
            let available = book.value(forKey: "available") as? Bool
        else { throw BenchmarkError("\(book) lacks values") }
        return BookRow(
            title: title, author: author, year: year, rating: rating, isbn: "\(isbn)",
            available: available, shelf: -1)
    }
}
