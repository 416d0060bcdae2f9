// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An object of Swift alone, of as many bytes as a managed object.
final class PlainBook: NSObject {
    let year: Int32
    private let words: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)

    private init(_ year: Int32) {
        self.year = year
    }

    /// An object for each year.
    @inline(never)
    static func all(_ years: [Int32]) -> [PlainBook] { years.map { PlainBook($0) } }

    /// Reads each.
    @inline(never)
    static func sumYears(_ books: [PlainBook]) -> Int64 {
        var total: Int64 = 0
        for book in books { total &+= Int64(book.year) }
        return total
    }
}
