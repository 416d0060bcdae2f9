// SPDX-License-Identifier: Apache-2.0

import Traps

/// Where a chunk of a column keeps what, in memory as in the file.
///
/// A chunk has a header, a bit for each of its rows, and a place for each row's value:
///
/// | offset | holds |
/// |---|---|
/// | 0 | header, 48 bytes |
/// | 48 | presence: a bit a row, as words of 64 bits |
/// | `valuesOffset` | values, each `stride` bytes from the next |
///
/// The number of rows is the greatest power of two whose chunk fits 16 pages. LMDB puts a value of
/// that size 16 bytes behind the start of a page; with the header of 48 bytes, values lie at
/// multiples of 64 bytes in the map.
@frozen
public struct ChunkLayout: Sendable, Hashable {
    /// The bytes of the header.
    public static let headerSize = 48
    /// The most bytes of a chunk: 16 pages of 4,096 bytes without LMDB's page header.
    public static let greatestSize = 16 * 4096 - 16
    /// The most bytes of a value, with which 64 rows still fill a chunk.
    public static let greatestStride = (greatestSize - 48 - 64) / 64
    /// The rows of a chunk of tags; more would make a small change rewrite more pages.
    static let tagShift = 14

    /// The distance of two values in bytes; 0 for tags.
    public let stride: Int
    /// The binary logarithm of the number of rows.
    public let shift: Int
    /// The offset of the first value.
    public let valuesOffset: Int

    /// Makes the layout of values of a stride in bytes, from 0 to ``greatestStride``.
    ///
    /// - Parameters:
    ///   - stride: The distance of two values.
    ///   - isSingle: Whether a column has one value, so that the smallest chunk will do.
    public init(stride: Int, isSingle: Bool = false) {
        require(
            stride >= 0 && stride <= ChunkLayout.greatestStride,
            "values of \(stride) bytes in a column")
        self.stride = stride
        var shift = stride == 0 && !isSingle ? ChunkLayout.tagShift : 6
        if stride > 0, !isSingle {
            while shift < ChunkLayout.tagShift,
                ChunkLayout.size(stride, shift + 1) <= ChunkLayout.greatestSize
            { shift += 1 }
        }
        self.shift = shift
        valuesOffset = ChunkLayout.offset(shift)
    }

    private static func offset(_ shift: Int) -> Int {
        headerSize + ((1 << (shift - 3)) + 63) / 64 * 64
    }

    private static func size(_ stride: Int, _ shift: Int) -> Int {
        offset(shift) + (stride << shift)
    }

    /// The rows of a chunk: a power of two, at least 64.
    @inlinable public var rows: Int { 1 &<< shift }
    /// The words of the presence bits.
    @inlinable public var words: Int { 1 &<< (shift &- 6) }
    /// The bytes of a chunk.
    @inlinable public var size: Int { valuesOffset + (stride << shift) }
}
