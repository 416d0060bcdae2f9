// SPDX-License-Identifier: Apache-2.0

/// How many books each shelf has, in one number that shows a book on another shelf, too.
struct LinkCount {
    private(set) var weight: Int64 = 0
    private var shelf: Int64 = 0

    /// The books of the next shelf.
    mutating func add(_ count: Int) {
        shelf += 1
        weight &+= shelf &* Int64(count)
    }
}
