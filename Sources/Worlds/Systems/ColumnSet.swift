// SPDX-License-Identifier: Apache-2.0

/// A set of columns by their places in the world, a bit each.
struct ColumnSet: Equatable {
    private var words: [UInt64] = []

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    mutating func insert(_ index: Int) {
        while words.count <= index >> 6 { words.append(0) }
        words[index >> 6] |= 1 << UInt64(index & 63)
    }

    /// Whether a column belongs to the set; a column without a place belongs to none.
    func contains(_ index: Int) -> Bool {
        index >= 0 && index >> 6 < words.count && words[index >> 6] >> UInt64(index & 63) & 1 == 1
    }

    func intersection(_ other: ColumnSet) -> ColumnSet {
        var result = ColumnSet()
        result.words = zip(words, other.words).map { $0 & $1 }
        return result
    }

    func union(_ other: ColumnSet) -> ColumnSet {
        var result = words.count < other.words.count ? other : self
        let shorter = words.count < other.words.count ? self : other
        for (place, word) in shorter.words.enumerated() { result.words[place] |= word }
        return result
    }

    /// The places of the columns, ascending.
    var indices: [Int] {
        words.enumerated().flatMap { place, word in Bits(word).map { place << 6 | $0 } }
    }
}
