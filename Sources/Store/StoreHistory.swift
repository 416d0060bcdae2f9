// SPDX-License-Identifier: Apache-2.0

import LMDB
import Schema

/// The history of one file: where it lies, and what is written into it.
struct StoreHistory: Sendable {
    /// The entries, by transaction number.
    let entries: Database
    /// What writers use; `nil` where the file is only read.
    let writer: HistoryWriter?
    /// For each entity the positions of the fields whose values a deletion keeps.
    let keptFields: [[Int]]

    /// The most entries that one request to purge removes.
    static let purgeSlice = 1_024
    /// The most entries that a commit removes beside its own work, while some wait.
    static let commitSlice = 32
    private static let spec = DatabaseSpec(name: "history", flags: .integerKey)

    /// Opens the history of a file that has one, or begins it.
    static func open(
        in environment: Environment, _ tables: [EntityTable], _ options: HistoryOptions?
    ) throws(LMDBError) -> StoreHistory? {
        let found = try environment.databases([spec], createMissing: options != nil)[0]
        guard let found else { return nil }
        let kept = tables.map { table in
            let names = options?.preservedAttributes[table.entity.name] ?? []
            return table.fields.indices.filter { names.contains(table.fields[$0].name) }
        }
        return StoreHistory(
            entries: found, writer: options.map(HistoryWriter.init), keptFields: kept)
    }
}
