// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// A position in a database, for reading.
///
/// ```swift
/// try environment.read { transaction in
///     let cursor = try transaction.makeCursor(names)
///     while let entry = try cursor.next() {
///         print(String(decoding: entry.key, as: UTF8.self), entry.value.count)
///     }
/// }
/// ```
///
/// A cursor must be gone before its transaction ends (before a snapshot is reset
/// or renewed): the end traps otherwise. The compiler keeps it from being copied;
/// that it does not outlive the transaction is checked when the transaction ends,
/// because lifetime dependence is still an experimental feature of the language.
@frozen
public struct Cursor: ~Copyable, CursorReading {
    /// LMDB's cursor (`MDB_cursor *`).
    public let handle: OpaquePointer
    /// Nil for a cursor that the transaction itself closes before it ends.
    @usableFromInline let counter: UnsafeMutablePointer<Int>?

    @inlinable
    init(_ handle: OpaquePointer, counter: UnsafeMutablePointer<Int>?) {
        self.handle = handle
        self.counter = counter
        counter?.pointee += 1
    }

    @inlinable
    deinit {
        mdb_cursor_close(handle)
        counter?.pointee -= 1
    }
}
