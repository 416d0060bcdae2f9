// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// Game objects that go when others do, by relationships of a world whose rule is to cascade.
struct FollowingRows {
    /// By target: the sources of links.
    private var sources: [UInt64: [UInt64]] = [:]
    private var known: Set<UInt64> = []
    /// Those that were found and have no managed object.
    private(set) var withoutRecords: [UInt64] = []

    /// Reads the links of a file.
    ///
    /// - Complexity: O(links of relationships that cascade)
    init(_ transaction: SaveTransaction) throws {
        for type in try transaction.columnTypes() where type.kind.cascades {
            try transaction.forEachLink(of: type) { _, source, target in
                sources[target, default: []].append(source)
            }
        }
    }

    /// The objects that follow a game object, also by way of some that have none.
    ///
    /// - Parameter object: Gives the managed object of a row, if it has one.
    mutating func follow(
        _ row: UInt64, _ object: (UInt64) throws -> ObjectKey?
    ) rethrows -> [ObjectKey] {
        var found: [ObjectKey] = []
        var waiting = [row]
        while let target = waiting.popLast() {
            for source in sources[target] ?? [] where known.insert(source).inserted {
                if let key = try object(source) {
                    // Its own followers come when it is visited.
                    found.append(key)
                } else {
                    withoutRecords.append(source)
                    waiting.append(source)
                }
            }
        }
        return found
    }
}

extension SaveTransaction {
    /// Notes game objects that go although no record of theirs does, and that links of all that go
    /// end with the transaction.
    func noteDeparture(of rows: [UInt64]) {
        goneRows += rows
        endsLinks = true
    }

    /// Calls a body with the row of each link of a type, and the rows of its ends.
    func forEachLink(
        of type: StoredColumnType, _ body: (UInt64, UInt64, UInt64) -> Void
    ) throws {
        let format = type.format
        try write { transaction, _ in
            let cursor = try transaction.makeCursor(requireColumns())
            var entry = try cursor.seek(atLeast: ColumnKey.bytes(type: type.number, chunk: 0))
            while let current = entry {
                let key = try ColumnKey.parts(of: current.key)
                guard key.type == type.number else { return }
                _ = try type.header(of: current.value, key.chunk)
                for row in 0..<format.rows where format.has(row, in: current.value) {
                    let (source, target) = format.link(row, in: current.value)
                    body(format.firstRow(of: key.chunk) + UInt64(row), source.row, target.row)
                }
                entry = try cursor.next()
            }
        }
    }
}
