// SPDX-License-Identifier: Apache-2.0

import LMDB

/// Files that have room for a store and hold none.
extension Store {
    /// Makes a file that ``open(at:schema:uuid:options:)`` takes as if there were none, and that
    /// can be opened without a model, too, unlike one of no bytes.
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
        if Environment.isFileOfNoBytes(path) { return true }
        var options = EnvironmentOptions()
        options.isReadOnly = true
        return (try? Environment.open(at: path, options: options))?.lastTransactionID == 0
    }
}
