// SPDX-License-Identifier: Apache-2.0

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
}
