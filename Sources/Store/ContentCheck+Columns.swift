// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// Checks value components.
extension ContentCheck {
    /// The chunks: each is whole and of a type that the file lists, and has components of game
    /// objects that there are.
    ///
    /// - Complexity: O(bytes of the chunks), and memory for a bit for each game object.
    func checkColumns() throws {
        let types = try snapshot.columnTypes()
        guard let columns = store.columnsDatabase.withLock({ $0 }) else {
            guard types.isEmpty else {
                throw damaged(
                    "the file lists \(types.count) components and has no columns",
                    ContentCheck.restore)
            }
            return
        }
        let byNumber = Dictionary(uniqueKeysWithValues: types.map { ($0.number, $0) })
        let end = try snapshot.gameObjectRowEnd()
        let alive = try LivingRows(types, snapshot)
        let cursor = try snapshot.snapshot.makeCursor(columns)
        while let entry = try cursor.next() {
            let key = try ColumnKey.parts(of: entry.key)
            guard let type = byNumber[key.type] else {
                throw damaged(
                    "chunk \(key.chunk) of columns is of the component \(key.type), which the file "
                        + "does not list", ContentCheck.restore)
            }
            try type.checkPlace(of: key.chunk, end)
            _ = try snapshot.header(of: entry.value, key.chunk, type)
            if type.kind.hasRowsOfObjects {
                try checkRows(key.chunk, type, entry.value) { alive.word(from: $0, end) }
            } else {
                let end = type.kind.isResource ? 1 : end
                try checkRows(key.chunk, type, entry.value) { first in
                    // Row 0 is that of resources alone.
                    let rows = first == 0 && !type.kind.isResource ? ~1 : ~0 as UInt64
                    guard first < end else { return 0 }
                    return end - first < 64 ? rows & (1 << (end - first) - 1) : rows
                }
            }
        }
    }

    /// Each row with a value is one of a game object that there is, or a link's own one.
    ///
    /// - Parameter rows: The rows that there are among 64 that begin with one.
    private func checkRows(
        _ chunk: UInt32, _ type: StoredColumnType, _ bytes: UnsafeRawBufferPointer,
        _ rows: (UInt64) -> UInt64
    ) throws {
        let format = type.format
        for word in 0..<format.words {
            let first = format.firstRow(of: chunk) + UInt64(word) << 6
            let lost = format.presence(word, in: bytes) & ~rows(first)
            guard lost != 0 else { continue }
            let row = first + UInt64(lost.trailingZeroBitCount)
            throw damaged(
                "chunk \(chunk) of the component \(type.name) has a value of the game object "
                    + "\(row), which there is not", ContentCheck.restore)
        }
    }
}

/// Which rows are those of game objects, as the file has it.
private struct LivingRows {
    private var chunks: [UInt64: [UInt64]] = [:]
    private let format = ChunkFormat(stride: 0)

    init(_ types: [StoredColumnType], _ snapshot: StoreSnapshot) throws {
        guard let type = types.first(where: { $0.name == ChunkFormat.aliveName }) else { return }
        try snapshot.forEachColumnChunk(of: type) { chunk, bytes in
            _ = try type.header(of: bytes, chunk)
            chunks[UInt64(chunk)] = (0..<format.words).map { format.presence($0, in: bytes) }
        }
    }

    /// The rows of game objects among 64 that begin with a multiple of 64.
    ///
    /// - Parameter end: The first row that none can have.
    func word(from row: UInt64, _ end: UInt64) -> UInt64 {
        guard let words = chunks[row >> UInt64(format.shift)], row < end else { return 0 }
        let place = row & UInt64(format.rows - 1)
        let found = words[Int(place >> 6)] & (row == 0 ? ~1 : ~0)
        return end - row < 64 ? found & (1 << (end - row) - 1) : found
    }
}
