// SPDX-License-Identifier: Apache-2.0

import Schema

extension RecordDraft {
    /// A bit for each of the first fields that has a value; that of 63 stands for all beyond, too.
    ///
    /// - Parameter count: The fields to look at.
    public func setFields(_ count: Int) -> UInt64 {
        withUnsafeMutablePointers { header, elements in
            var mask: UInt64 = 0
            // The values are not copied: only whether they are there matters.
            for field in 0..<Swift.min(count, header.pointee.fieldCount)
            where elements[field] != nil {
                mask |= 1 << UInt64(Swift.min(field, 63))
            }
            return mask
        }
    }
}

extension RecordView {
    /// Whether two records hold the same values, whatever their versions.
    ///
    /// Compares bytes: equal values in another order on the heap count as different.
    public func hasSameContents(as other: UnsafeRawBufferPointer) -> Bool {
        guard byteCount == other.count, let base = other.baseAddress else { return false }
        let number = base.loadUnaligned(fromByteOffset: RecordOffset.layoutNumber, as: UInt16.self)
        guard layoutNumber == UInt16(littleEndian: number) else { return false }
        let contents = RecordLayout.headerByteCount...
        return UnsafeRawBufferPointer(rebasing: bytes[contents])
            .hasSameBytes(as: UnsafeRawBufferPointer(rebasing: other[contents]))
    }
}
