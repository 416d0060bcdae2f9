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
        guard field.type.isVariableLength else {
            return slot(field).elementsEqual(other.slot(field))
        }
        guard let own = heapBytes(at: field.offset), let theirs = other.heapBytes(at: field.offset)
        else { return false }
        return own.count == theirs.count && own.elementsEqual(theirs)
    }

    private func slot(_ field: RecordLayout.Field) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[field.offset..<field.offset + field.type.slotWidth])
    }
}
