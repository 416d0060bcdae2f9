// SPDX-License-Identifier: Apache-2.0

extension WriteTransaction {
    /// A second handle on the same transaction, for an object that spans the body of a write.
    ///
    /// The owner must not use it after the body has returned; a layer that hands one out checks
    /// that itself.
    @inlinable
    public func alias() -> WriteTransaction {
        WriteTransaction(handle: handle, openCursors: openCursors)
    }
}
