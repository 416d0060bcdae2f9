// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// The values of one book, as every engine gets them.
public struct BookRow: Sendable, Hashable {
    /// The title: 20 to 60 bytes.
    public var title: String
    /// The author's name: 8 to 20 bytes.
    public var author: String
    /// The year of publication.
    public var year: Int32
    /// Stars, 0 to 5.
    public var rating: Double
    /// Thirteen digits.
    public var isbn: String
    /// Whether it can be lent.
    public var available: Bool
    /// The number of its shelf.
    public var shelf: Int64
}

extension BookRow {
    /// The year of books of which little is known; one that tasks ask for, so that a file without
    /// these books does not pass.
    static let newYear: Int32 = 1945

    /// A book of which little is known but the ISBN, on no shelf.
    init(new isbn: String) {
        self.init(
            title: "new", author: "new", year: Self.newYear, rating: 0, isbn: isbn,
            available: false, shelf: -1)
    }

    /// What a library of books finds in itself, from its shelves.
    public static func contents(_ books: [BookRow], hasShelves: Bool) -> Checksum {
        .of(
            books.reduce(0) { sum, book in
                let shelf = hasShelves ? BookGenerator.shelfName(Int(book.shelf)) : ""
                return sum &+ book.digest(shelf: shelf)
            })
    }
}

extension ArraySlice<BookRow> {
    /// The books on other shelves.
    public func shelved(_ shelves: [Int]) -> [BookRow] {
        zip(self, shelves).map { book, shelf in
            var moved = book
            moved.shelf = Int64(shelf)
            return moved
        }
    }
}

extension Checksum {
    /// Adds all values of a book.
    @inlinable
    public mutating func add(_ book: BookRow) {
        add(book.title)
        add(book.author)
        add(Int64(book.year))
        add(Int64(bitPattern: book.rating.bitPattern))
        add(book.isbn)
        add(book.available ? 1 : 0)
        add(book.shelf)
    }
}
