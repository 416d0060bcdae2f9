// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// The values of a book but for its shelf, in a row or in a managed object.
protocol BookValues {
    var title: String { get set }
    var author: String { get set }
    var year: Int32 { get set }
    var rating: Double { get set }
    var isbn: String { get set }
    var available: Bool { get set }
}

extension BookRow: BookValues {}
extension Book: BookValues {}
extension ShelvedBook: BookValues {}

extension BookValues {
    /// A number that depends on every attribute but the shelf; sums of it depend on no order.
    @inline(__always)
    var weight: Int64 {
        Int64(title.utf8.count + author.utf8.count + isbn.utf8.count) + Int64(year)
            + Int64(rating * 10) + (available ? 1 : 0)
    }

    /// A hash of every byte and the name of the book's shelf.
    func digest(shelf: String) -> Int64 {
        var checksum = Checksum(hashesText: true)
        checksum.add(title)
        checksum.add(author)
        checksum.add(isbn)
        checksum.add(Int64(year))
        checksum.add(Int64(bitPattern: rating.bitPattern))
        checksum.add(available ? 1 : 0)
        checksum.add(shelf)
        return Int64(bitPattern: checksum.value)
    }
}
