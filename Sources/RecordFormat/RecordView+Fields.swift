// SPDX-License-Identifier: Apache-2.0

import Schema

extension RecordView {
    /// Whether a field has the same value in two records of one layout.
    ///
    /// False for values outside the records, which are not looked at.
    public func hasSameField(_ position: Int, as other: RecordView, in layout: RecordLayout) -> Bool
    {
        let isEmpty = isNull(position)
        guard !isEmpty, !other.isNull(position) else { return isEmpty == other.isNull(position) }
        let field = layout.fields[position]
        let own = offset(of: field, in: layout)
        let theirs = other.offset(of: field, in: layout)
        guard field.type.isVariableLength else {
            let width = field.type.slotWidth
            return UnsafeRawBufferPointer(rebasing: bytes[own..<own + width])
                .hasSameBytes(
                    as: UnsafeRawBufferPointer(rebasing: other.bytes[theirs..<theirs + width]))
        }
        guard let own = heapBytes(at: own), let theirs = other.heapBytes(at: theirs) else {
            return false
        }
        return own.hasSameBytes(as: theirs)
    }
}
