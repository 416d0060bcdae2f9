// SPDX-License-Identifier: Apache-2.0

import LMDB

extension Store {
    /// Copies the newest committed state into a new file, without the free pages, and syncs it.
    ///
    /// The copy has the same identity. Readers and writers do not have to wait. It gets its name
    /// once it is whole: a copy that fails or is killed leaves nothing there.
    ///
    /// - Throws: ``StoreError`` with `storage` where the file exists or cannot be written.
    /// - Complexity: O(size of the file).
    public func copy(to path: String) throws(StoreError) {
        do { try environment.copy(to: path) } catch {
            throw StoreError(wrapping: error, path: error.path ?? path)
        }
    }
}
