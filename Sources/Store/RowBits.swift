// SPDX-License-Identifier: Apache-2.0

/// A set of rows, as a bit for each in words of 64 rows that begin with a multiple of 64.
struct RowBits {
    /// The words that have a row.
    private(set) var words: [UInt64: UInt64] = [:]

    /// Whether it has no rows.
    var isEmpty: Bool { words.isEmpty }

    mutating func insert(_ row: UInt64) { insert(1 << (row & 63), word: row >> 6) }

    mutating func insert(_ bits: UInt64, word: UInt64) {
        if bits != 0 { words[word, default: 0] |= bits }
    }

    /// The rows of adjacent words.
    func bits(from first: UInt64, count: Int) -> [UInt64] {
        (0..<count).map { words[first + UInt64($0)] ?? 0 }
    }

    /// Takes out the rows of adjacent words.
    mutating func remove(from first: UInt64, count: Int) {
        for word in 0..<count { words[first + UInt64(word)] = nil }
    }
}
