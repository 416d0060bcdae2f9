// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The sum of the hashes of many facts, in whatever order they come.
///
/// Much in a file is stored twice: links in both directions, indexed values in records and in
/// indexes. Each side is read from its first entry to its last and summed up; equal sums mean equal
/// facts, but for a chance of 1 in 2^64. Looking each of them up would take far longer.
struct EntrySum: Equatable {
    private var sum: UInt64 = 0

    /// A pair of objects, such as a link.
    mutating func add(_ first: ObjectKey, _ second: ObjectKey) {
        var words = (first.rawValue.littleEndian, second.rawValue.littleEndian)
        withUnsafeBytes(of: &words) { sum &+= RecordChecksum.hash($0, from: 0) }
    }

    /// An object and bytes that belong to it.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ object: ObjectKey) {
        sum &+= RecordChecksum.hash(bytes, from: object.rawValue &* 0x9E37_79B9_7F4A_7C15)
    }

    /// A value outside its record, and its size.
    mutating func add(_ object: ObjectKey, _ property: PropertyNumber, byteCount: Int) {
        var words = (
            object.rawValue.littleEndian, UInt64(property.rawValue).littleEndian,
            UInt64(byteCount).littleEndian
        )
        withUnsafeBytes(of: &words) { sum &+= RecordChecksum.hash($0, from: 1) }
    }
}
