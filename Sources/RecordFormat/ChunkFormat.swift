// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

/// Where a chunk of value components keeps what in a file; `FileFormat.md` describes it.
///
/// A chunk has a header, a bit for each of its rows, and a place for each row's value. Worlds lay
/// their chunks out in memory in the same way.
public struct ChunkFormat: Sendable, Hashable {
    /// The bytes of the header.
    public static let headerSize = 48
    /// The most bytes of a chunk: 16 pages of 4,096 bytes without LMDB's page header.
    public static let greatestSize = 16 * 4096 - 16
    /// The most bytes of a value, with which 64 rows still fill a chunk.
    public static let greatestStride = (greatestSize - headerSize - 64) / 64
    /// The name of the type whose values say which game objects there are.
    public static let aliveName = "GameObject"
    private static let tagShift = 14

    /// The distance of two values in bytes; 0 for tags.
    public let stride: Int
    /// The binary logarithm of the number of rows.
    public let shift: Int
    /// The offset of the first value.
    public let valuesOffset: Int

    /// The format of values of a stride in bytes, from 0 to ``greatestStride``.
    ///
    /// - Parameters:
    ///   - stride: The distance of two values.
    ///   - isSingle: Whether the column has one value; its chunk has the least number of rows.
    public init(stride: Int, isSingle: Bool = false) {
        require(
            stride >= 0 && stride <= ChunkFormat.greatestStride,
            "no chunk has values of \(stride) bytes")
        self.stride = stride
        var shift = stride == 0 && !isSingle ? ChunkFormat.tagShift : 6
        while !isSingle, shift < ChunkFormat.tagShift,
            ChunkFormat.offset(shift + 1) + stride << (shift + 1) <= ChunkFormat.greatestSize
        { shift += 1 }
        self.shift = shift
        valuesOffset = ChunkFormat.offset(shift)
    }

    private static func offset(_ shift: Int) -> Int {
        headerSize + ((1 << (shift - 3)) + 63) / 64 * 64
    }

    /// The rows of a chunk: a power of two, at least 64.
    public var rows: Int { 1 << shift }
    /// The words of the presence bits.
    public var words: Int { 1 << (shift - 6) }
    /// The bytes of a chunk.
    public var size: Int { valuesOffset + stride << shift }

    /// The first row of a chunk.
    public func firstRow(of chunk: UInt32) -> UInt64 { UInt64(chunk) << UInt64(shift) }

    /// The rows of a word of 64 that have a value, in bytes of the size of a chunk.
    public func presence(_ word: Int, in bytes: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(
            littleEndian: bytes.loadUnaligned(
                fromByteOffset: ChunkFormat.headerSize + word << 3, as: UInt64.self))
    }

    /// The rows with a value, in bytes of the size of a chunk.
    public func count(in bytes: UnsafeRawBufferPointer) -> Int {
        (0..<words).reduce(0) { $0 + presence($1, in: bytes).nonzeroBitCount }
    }

    /// Takes a row's value away, in bytes of the size of a chunk.
    public func erase(_ row: Int, in bytes: UnsafeMutableRawBufferPointer) {
        let word = presence(row >> 6, in: UnsafeRawBufferPointer(bytes))
        bytes.storeBytes(
            of: (word & ~(1 << UInt64(row & 63))).littleEndian,
            toByteOffset: ChunkFormat.headerSize + (row >> 6) << 3, as: UInt64.self)
        let start = valuesOffset + row * stride
        bytes[start..<start + stride].initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// The keys that the link of a row leads from and to, in bytes of a chunk of links.
    public func link(
        _ row: Int, in bytes: UnsafeRawBufferPointer
    ) -> (source: ObjectKey, target: ObjectKey) {
        let place = valuesOffset + row * stride
        func key(_ offset: Int) -> ObjectKey {
            ObjectKey(
                rawValue: UInt64(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        return (key(place), key(place + 8))
    }

    /// Whether a row has a value, in bytes of the size of a chunk.
    public func has(_ row: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        presence(row >> 6, in: bytes) >> UInt64(row & 63) & 1 == 1
    }
}
