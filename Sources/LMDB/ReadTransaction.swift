// SPDX-License-Identifier: Apache-2.0

/// A view of the newest commit for the length of one closure.
///
/// ```swift
/// let name = try environment.read { transaction in
///     try transaction.get("first", in: names).map { String(decoding: $0, as: UTF8.self) }
/// }
/// ```
///
/// ``Environment/read(_:)`` lends it out. It cannot be copied, kept or
/// returned. Keep it short: while it lives, LMDB cannot reuse the pages that
/// later commits free.
@frozen
public struct ReadTransaction: ~Copyable, Transaction {
    /// LMDB's transaction (`MDB_txn *`).
    public let handle: OpaquePointer
    /// The number of cursors that are open on this transaction.
    public let openCursors: UnsafeMutablePointer<Int>

    @inlinable
    init(handle: OpaquePointer, openCursors: UnsafeMutablePointer<Int>) {
        self.handle = handle
        self.openCursors = openCursors
    }
}
