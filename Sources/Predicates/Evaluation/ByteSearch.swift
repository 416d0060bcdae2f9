// SPDX-License-Identifier: Apache-2.0

/// Looks for bytes in others, in a time that grows as the length of both.
public enum ByteSearch {
    /// The first place where a part occurs.
    ///
    /// Places are tried one after the other, as the first byte or two tell in most texts. Where
    /// more than a few bytes at each place were equal in vain, the rest is searched by the method
    /// of Knuth, Morris and Pratt, which looks at no byte of the text more than twice.
    ///
    /// - Parameters:
    ///   - part: What to look for.
    ///   - text: Where to look; its indices are those of bytes, from 0.
    ///   - range: The bytes that may be looked at.
    ///   - steps: Grows by the count of bytes that were compared.
    ///   - fold: What becomes of a byte of the text before it is compared.
    /// - Complexity: O(*n* + *m*) in the counts of bytes of range and part.
    @inlinable
    @inline(__always)
    public static func position<Part: RandomAccessCollection, Text: RandomAccessCollection>(
        of part: Part, in text: Text, _ range: Range<Int>, steps: inout Int,
        _ fold: (UInt8) -> UInt8 = { $0 }
    ) -> Int?
    where Part.Element == UInt8, Part.Index == Int, Text.Element == UInt8, Text.Index == Int {
        guard let first = part.first else { return range.lowerBound }
        var start = range.lowerBound
        // Not the first one's, which is compared at each place anyway.
        var inVain = 0
        let last = range.upperBound - part.count
        while start <= last {
            if fold(text[start]) == first {
                var matched = 1
                while matched < part.count,
                    fold(text[start + matched]) == part[part.startIndex + matched]
                {
                    matched += 1
                }
                if matched == part.count {
                    steps += start - range.lowerBound + inVain + matched
                    return start
                }
                inVain += matched
                if inVain > allowance + fewBytes * (start - range.lowerBound) {
                    steps += start - range.lowerBound + inVain
                    return linearPosition(
                        of: part, in: text, start..<range.upperBound, steps: &steps, fold)
                }
            }
            start += 1
        }
        steps += max(0, start - range.lowerBound) + inVain
        return nil
    }

    /// So many bytes may be equal in vain at all places, and at each place on average.
    @usableFromInline static let allowance = 64
    @usableFromInline static let fewBytes = 4

    /// As ``position(of:in:_:steps:_:)``, without trying.
    @inlinable
    static func linearPosition<Part: RandomAccessCollection, Text: RandomAccessCollection>(
        of part: Part, in text: Text, _ range: Range<Int>, steps: inout Int,
        _ fold: (UInt8) -> UInt8
    ) -> Int?
    where Part.Element == UInt8, Part.Index == Int, Text.Element == UInt8, Text.Index == Int {
        let part = ContiguousArray(part)
        let borders = borders(of: part, steps: &steps)
        var matched = 0
        for index in range {
            let byte = fold(text[index])
            steps += 1
            while matched > 0, byte != part[matched] {
                matched = borders[matched - 1]
                steps += 1
            }
            if byte == part[matched] { matched += 1 }
            if matched == part.count { return index + 1 - matched }
        }
        return nil
    }

    /// For the first bytes of a part, of each count, how many of its bytes they end with again.
    @usableFromInline
    static func borders(of part: ContiguousArray<UInt8>, steps: inout Int) -> ContiguousArray<Int> {
        var borders = ContiguousArray(repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            steps += 1
            while length > 0, part[index] != part[length] {
                length = borders[length - 1]
                steps += 1
            }
            if part[index] == part[length] { length += 1 }
            borders[index] = length
        }
        return borders
    }
}
