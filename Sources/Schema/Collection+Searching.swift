// SPDX-License-Identifier: Apache-2.0

// Here, as all layers above that search import this one. Inlinable, as a generic function called
// from another module works through witness tables.

extension RandomAccessCollection {
    /// The first index whose element is in the rear part; the end index if none is.
    ///
    /// - Parameter isInRear: Whether an element is in the rear part: no element up to some place
    ///   is, and every one from there on.
    /// - Complexity: O(log n)
    @inlinable
    @inline(__always)
    package func partitioningIndex(
        where isInRear: (Element) throws -> Bool
    ) rethrows -> Index {
        var low = startIndex
        var left = count
        while left > 0 {
            let half = left / 2
            let middle = index(low, offsetBy: half)
            if try isInRear(self[middle]) {
                left = half
            } else {
                low = index(after: middle)
                left -= half + 1
            }
        }
        return low
    }
}

extension RandomAccessCollection where Element: Comparable {
    /// Whether the elements, which ascend, contain one.
    ///
    /// - Complexity: O(log n)
    @inlinable
    @inline(__always)
    package func hasSorted(_ element: Element) -> Bool {
        let index = partitioningIndex { $0 >= element }
        return index < endIndex && self[index] == element
    }
}
