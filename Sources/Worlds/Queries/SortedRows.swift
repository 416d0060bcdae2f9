// SPDX-License-Identifier: Apache-2.0

/// Sorting rows.
extension [Int] {
    /// Rows in ascending order, each once.
    func sortedOnce() -> [Int] {
        guard let first, count > 1 else { return self }
        var (least, greatest, isSorted) = (first, first, true)
        var last = first - 1
        for row in self {
            if row <= last { isSorted = false }
            last = row
            least = Swift.min(least, row)
            greatest = Swift.max(greatest, row)
        }
        if isSorted { return self }
        // Rows that lie near each other are bits of words: that takes no comparisons.
        let words = greatest >> 6 - least >> 6 + 1
        return words <= 2 * count ? asBits(from: least >> 6, words) : compared()
    }

    /// The rows by bits that are set.
    ///
    /// - Parameters:
    ///   - first: The number of the first word of bits.
    ///   - words: The number of words.
    private func asBits(from first: Int, _ words: Int) -> [Int] {
        var bits = [UInt64](repeating: 0, count: words)
        for row in self { bits[row >> 6 - first] |= 1 << UInt64(row & 63) }
        var result: [Int] = []
        result.reserveCapacity(count)
        for word in 0..<words {
            for bit in Bits(bits[word]) { result.append((word + first) << 6 | bit) }
        }
        return result
    }

    private func compared() -> [Int] {
        var result: [Int] = []
        result.reserveCapacity(count)
        for row in sorted() where row != result.last { result.append(row) }
        return result
    }
}
