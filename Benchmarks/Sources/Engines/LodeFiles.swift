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

    /// Opens the file and asks it.
    public static func check(_ path: String) throws -> Checksum {
        let url = URL(fileURLWithPath: path)
        let container = try NSPersistentContainer(NSManagedObjectModel.stored(at: url), at: path)
        let context = container.newBackgroundContext()
        let checksum = try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            let books = try context.fetch(request)
            return Checksum.of(
                books.reduce(Int64(books.count)) { sum, book in
                    let rating = book.value(forKey: "rating") as? Double ?? 0
                    return sum + number("year", of: book) + number("shelf.id", of: book)
                        + (book.value(forKey: "available") as? Bool == true ? 1 : 0)
                        + Int64((rating * 1_000).rounded()) + number("isbn", of: book) % 1_000_000
                        + length("title", of: book) + length("author", of: book)
                })
        }
        try container.close()
        return checksum
    }

    private static func number(_ path: String, of book: NSManagedObject) -> Int64 {
        Int64(book.value(forKeyPath: path) as? Int ?? 0)
    }

    private static func length(_ key: String, of book: NSManagedObject) -> Int64 {
        Int64((book.value(forKey: key) as? String)?.unicodeScalars.count ?? 0)
    }
}
