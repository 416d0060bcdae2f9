// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// Sorts rows by boxed values: for collations whose order bytes cannot express.
struct ValueSorter {
    private let paths: [SortPath]
    private let keysAscend: Bool
    private var rows: [(row: ResultRow, values: [Value])] = []

    init(_ paths: [SortPath], keysAscend: Bool) {
        self.paths = paths
        self.keysAscend = keysAscend
    }

    mutating func append(_ row: ResultRow, _ snapshot: StoreSnapshot) throws {
        rows.append((row, try paths.map { try $0.value(row, snapshot) }))
    }

    mutating func sorted() -> [ResultRow] {
        rows.sort { left, right in
            for index in paths.indices {
                switch paths[index].order.compare(left.values[index], right.values[index]) {
                case .ascending: return true
                case .descending: return false
                case .same: break
                }
            }
            return (left.row.key < right.row.key) == keysAscend && left.row.key != right.row.key
        }
        return rows.map(\.row)
    }
}
