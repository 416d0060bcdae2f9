// SPDX-License-Identifier: Apache-2.0

import LMDB

/// Files that have room for a store and hold none.
extension Store {
    /// Makes a file that ``open(at:schema:uuid:options:)`` takes as if there were none.
    ///
    /// A file of no bytes is not one of these: it is what is left of a store that was cut off, and
    /// is refused.
    ///
    /// - Parameter path: Where there is no file yet.
    public static func createEmptyFile(at path: String) throws(StoreError) {
        do {
            _ = try Environment.open(at: path)
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }

    /// Whether nobody has written to a file yet; false for what is no file of this kind.
    public static func isEmptyFile(at path: String) -> Bool {
        var options = EnvironmentOptions()
        options.isReadOnly = true
        return (try? Environment.open(at: path, options: options))?.lastTransactionID == 0
    }
}
