// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat

/// Chunks of value components that are read in place.
extension StoreSnapshot {
    /// Whether no chunk was written or removed between two snapshots.
    ///
    /// - Parameter other: A snapshot of the same store; both must be active.
    public func hasSameColumns(as other: StoreSnapshot) -> Bool {
        guard let columns = store.columnsDatabase.withLock({ $0 }) else { return true }
        return snapshot.hasSameContents(of: columns, as: other.snapshot)
    }

    /// Whether a chunk stays where it is while a snapshot reads that has it: until the chunk is
    /// replaced or deleted, and no snapshot from before that is left.
    ///
    /// Writers do not wait for a program that reads without locks, see
    /// ``LMDB/Environment/isWithoutLocks``.
    public func staysInPlace(_ chunk: UnsafeRawBufferPointer) -> Bool {
        !store.environment.isWithoutLocks
            && store.environment.keepsOnOwnPages(byteCount: chunk.count)
    }

    /// The bytes of a chunk, which may be damaged; nil for one that the file lacks.
    ///
    /// - Throws: ``StoreError`` with `storage`.
    /// - Complexity: One look-up.
    public func columnChunk(
        _ type: UInt32, _ chunk: UInt32
    ) throws(StoreError) -> UnsafeRawBufferPointer? {
        guard let columns = store.columnsDatabase.withLock({ $0 }) else { return nil }
        do {
            return try ColumnKey.bytes(type: type, chunk: chunk).withUnsafeBytes {
                try snapshot.get($0, in: columns)
            }
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }
}
