// SPDX-License-Identifier: Apache-2.0

import Schema

extension RecordEncoder: ValueWriter {
    /// Writes one value of a draft into its slot and the heap.
    // Never inlined: what a parameter borrows, a switch takes apart without copying it.
    @inline(never)
    mutating func encode(
        _ value: Value?, _ position: Int, _ field: RecordLayout.Field, _ base: RecordView?,
        _ resolve: (ObjectKey) -> ObjectKey
    ) {
        // A field that the draft does not mention is the base's.
        if let base, case nil = value { return copy(position, of: base, field) }
        write(value, position, field, resolve)
    }

    mutating func keep(_ value: ExternalValue) { externalValues.append(value) }
}
