// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// A named database: a handle, good for the life of its environment.
///
/// Eight bytes, without references. Debug builds check that it is used with
/// the environment that made it.
@frozen
public struct Database: Sendable, Hashable {
    /// LMDB's number for it (`MDB_dbi`).
    public let handle: UInt32
    /// How its keys and values are ordered.
    public let flags: DatabaseFlags
    /// A number for the environment that opened it.
    @usableFromInline let environmentTag: UInt16

    init(handle: UInt32, flags: DatabaseFlags, environmentTag: UInt16) {
        self.handle = handle
        self.flags = flags
        self.environmentTag = environmentTag
    }

    /// Whether the transaction is of the environment that opened this database.
    @usableFromInline
    func belongs(to transaction: OpaquePointer) -> Bool {
        environment(of: transaction).tag == environmentTag
    }

    /// Whether a key of this many bytes suits the flags.
    @inlinable
    func takesKey(ofByteCount count: Int) -> Bool {
        !flags.contains(.integerKey) || count == MemoryLayout<UInt64>.size
    }

    /// Whether a value of this many bytes suits the flags.
    @inlinable
    func takesValue(ofByteCount count: Int) -> Bool {
        !flags.contains(.integerDup) || count == MemoryLayout<UInt64>.size
    }
}
