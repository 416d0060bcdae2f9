// SPDX-License-Identifier: Apache-2.0

import Contents
import LMDB
import RecordFormat
import Schema

/// Checks the contents of codable components.
extension ContentCheck {
    /// Each key of a column has its content, each content is whole, and as many rows have it as it
    /// says.
    ///
    /// - Complexity: O(bytes of the contents and of the columns), and memory for the keys.
    func checkContents() throws {
        var counts: [ContentKey: UInt64] = [:]
        let contents = store.contentsDatabase.withLock({ $0 })
        for type in try snapshot.columnTypes() where type.kind.isCoded {
            try snapshot.forEachColumnChunk(of: type) { chunk, bytes in
                try type.format.contentKeys(in: bytes) { row, key in
                    counts[key, default: 0] += 1
                    // Many rows may have one content.
                    guard counts[key] == 1 else { return }
                    guard let contents,
                        try snapshot.snapshot.get(key.bytes, in: contents) != nil
                    else {
                        throw damaged(
                            "the component \(type.name) of the game object "
                                + "\(type.format.firstRow(of: chunk) + UInt64(row)) lacks its "
                                + "content", ContentCheck.restore)
                    }
                }
            }
        }
        guard let contents else { return }
        let cursor = try snapshot.snapshot.makeCursor(contents)
        while let entry = try cursor.next() {
            let key = try ContentEntry.key(entry.key)
            let count = try ContentEntry.parts(of: entry.value, key, store.seal).count
            guard count == counts[key] else {
                throw damaged(
                    "a content of components says that \(count) rows have it, and "
                        + "\(counts[key] ?? 0) do", ContentCheck.restore)
            }
        }
    }
}
