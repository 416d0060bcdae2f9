// SPDX-License-Identifier: Apache-2.0

import Schema

extension IndexTable {
    /// The object that an entry's value names.
    ///
    /// - Throws: ``StoreError`` with `damaged` for a value of another size than an object's number.
    @inline(__always)
    func object(_ value: UnsafeRawBufferPointer, _ store: Store) throws(StoreError) -> ObjectKey {
        guard value.count == MemoryLayout<UInt64>.size else {
            throw damaged(value.count, store)
        }
        return ObjectKey(rawValue: value.loadUnaligned(as: UInt64.self))
    }

    private func damaged(_ byteCount: Int, _ store: Store) -> StoreError {
        StoreError(
            .damaged, path: store.path,
            "an entry of the index \(index.name) has a value of \(byteCount) bytes; the file is "
                + "damaged: restore it from a copy or rebuild it from an export")
    }
}
