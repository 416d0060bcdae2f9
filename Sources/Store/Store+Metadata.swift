// SPDX-License-Identifier: Apache-2.0

import LMDB

extension Store {
    /// The newest committed entry of user metadata; `nil` when there is none.
    public func metadata(for name: String) throws(StoreError) -> [UInt8]? {
        do {
            return try environment.read { transaction in
                try meta.get("user/\(name)", in: transaction).map { Array($0) }
            }
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }
}
