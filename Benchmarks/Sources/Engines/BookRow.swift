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
