// SPDX-License-Identifier: Apache-2.0

import Query
import Schema
import Store

extension GroupedFetch {
    /// The rows, for columns of values.
    func values(in snapshot: StoreSnapshot) throws -> [[Value]] {
        try rows(in: snapshot).map { row in row.map { $0.scalar ?? .null } }
    }
}
