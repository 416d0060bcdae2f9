// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Foundation

/// A library as CSV files: shelves, and books that name their shelf.
public struct LibraryFiles: Sendable {
    /// The folder of the two files, and of nothing else.
    public let folder: String
    /// The number of rows.
    public let rowCount: Int

    var shelves: String { folder + "/Shelf.csv" }
    var books: String { folder + "/Book.csv" }

    /// Writes the files.
    ///
    /// - Parameters:
    ///   - books: The books.
    ///   - shelfCount: The number of shelves.
    ///   - folder: A folder that does not exist.
    public init(_ books: [BookRow], shelfCount: Int, in folder: String) throws {
        self.folder = folder
        rowCount = books.count + shelfCount
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        var text = "id,name\n"
        for number in 0..<shelfCount { text += "\(number),Shelf \(number)\n" }
        try text.write(toFile: self.shelves, atomically: false, encoding: .utf8)
        text = "isbn,title,author,year,rating,available,shelf_id\n"
        for book in books {
            text += "\(book.isbn),\"\(book.title)\",\"\(book.author)\",\(book.year),"
            text += "\(book.rating),\(book.available ? 1 : 0),\(book.shelf)\n"
        }
        try text.write(toFile: self.books, atomically: false, encoding: .utf8)
    }
}

/// A program that imports CSV files into a new data file.
public protocol FileImporter: SendableMetatype {
    /// The name in tables.
    static var name: String { get }

    /// Imports the files, with a unique ISBN, an index on the year and books known to shelves.
    static func load(_ files: LibraryFiles, into path: String) throws

    /// A sum over every byte of every book and the name of its shelf.
    static func check(_ path: String) throws -> Checksum
}
