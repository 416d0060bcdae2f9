// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// A kind of save whose cost with a history is compared with that without.
struct SaveKind {
    let name: String
    private let size: Int
    private let isSynced: Bool
    private let changes: Bool

    static let all = [
        SaveKind(name: "1 new book, synced", size: 1, isSynced: true, changes: false),
        SaveKind(name: "1 new book, not synced", size: 1, isSynced: false, changes: false),
        SaveKind(name: "1000 new books, not synced", size: 1_000, isSynced: false, changes: false),
        SaveKind(
            name: "1000 changed books, not synced", size: 1_000, isSynced: false, changes: true),
    ]

    /// The mean seconds of a save with and without a history, taken in turn.
    func measure(_ stores: FilledStores) throws -> (without: Double, with: Double) {
        let paths = [stores.folder.makePath(), stores.folder.makePath()]
        defer { for path in paths { stores.folder.remove(path) } }
        let both = try paths.enumerated().map { index, path in
            try HistoryBooks(path: path, keepsHistory: index == 1, isSynced: isSynced)
        }
        var sums = [0.0, 0.0]
        let count = stores.configuration.isSmoke ? 5 : size == 1 ? 1_000 : 200
        let rows = stores.books
        if changes {
            for books in both { _ = try books.save(rows[..<size], keeps: true) }
        }
        for round in 0..<count {
            let start = round * size % (rows.count - size)
            for index in round % 2 == 0 ? [0, 1] : [1, 0] {
                sums[index] +=
                    try changes
                    ? both[index].saveChanges() : both[index].save(rows[start..<start + size])
            }
        }
        for books in both { try books.close() }
        return (sums[0] / Double(count), sums[1] / Double(count))
    }
}
