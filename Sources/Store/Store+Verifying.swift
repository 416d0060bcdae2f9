// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat

extension Store {
    /// Checks the pages of a file without trusting any of them, before it is opened as a store.
    ///
    /// - Throws: ``StoreError`` with `damaged` for the first page that is wrong, or `storage`.
    /// - Complexity: O(size of the file).
    public static func verifyPages(at path: String) throws(StoreError) {
        do {
            var options = environmentOptions(StoreOptions(), mayCreate: false)
            options.isReadOnly = true
            try verify(try Environment.open(at: path, options: options), .pages)
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }

    /// Checks a file that was just opened, before any of its databases is.
    static func verify(
        _ environment: Environment, _ verification: StoreOptions.Verification
    ) throws {
        switch verification {
        case .none: return
        case .afterCrash: guard environment.wasLeftOpen else { return }
        case .pages, .records: break
        }
        do { try environment.verifyPages() } catch let error as LMDBError
            where error.code == .corrupted
        {
            throw StoreError(
                .damaged, path: environment.path, error.message, storageCode: error.code.rawValue)
        }
    }
}
