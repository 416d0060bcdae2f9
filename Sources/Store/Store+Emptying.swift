// SPDX-License-Identifier: Apache-2.0

import LMDB

/// Empty files that a store can be made in.
extension Store {
    /// Makes a file that ``open(at:schema:uuid:options:)`` treats as a missing one.
    ///
    /// Unlike a file of no bytes it can also be opened without a model. On a full disk, where there
    /// is room for nothing else, it is one of no bytes.
    ///
    /// - Parameter path: Where there is no file yet.
    public static func createEmptyFile(at path: String) throws(StoreError) {
        do {
            try Environment.makeEmptyFile(path)
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }

    /// Whether nothing was ever written to a file; false for a file of another kind.
    public static func isEmptyFile(at path: String) -> Bool {
        if Environment.isFileOfNoBytes(path) { return true }
        var options = EnvironmentOptions()
        options.isReadOnly = true
        return (try? Environment.open(at: path, options: options))?.lastTransactionID == 0
    }

    /// Whether a path leads to the file that is open, by whatever name and links.
    public func isFile(at path: String) -> Bool { environment.isFile(at: path) }
}
