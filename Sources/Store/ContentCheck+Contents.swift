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
                            "\(ContentCheck.name(type, chunk, row)) lacks its content",
                            ContentCheck.restore)
                    }
                }
            }
        }
        guard let contents else { return }
        let cursor = try snapshot.snapshot.makeCursor(contents)
        while let entry = try cursor.next() {
            let key = try ContentEntry.key(entry.key)
            let count: UInt64
            do {
                count = try ContentEntry.parts(of: entry.value, key, store.seal).count
            } catch {
                guard let owner = try owner(of: key) else { throw error }
                throw damaged("\(owner): \(error)", ContentCheck.restore)
            }
            guard count == counts[key] else {
                throw damaged(
                    "a content of components says that \(count) rows have it, and "
                        + "\(counts[key] ?? 0) do", ContentCheck.restore)
            }
        }
    }

    /// The first component or resource that has a content; nil for none.
    private func owner(of wanted: ContentKey) throws -> String? {
        var owner: String?
        for type in try snapshot.columnTypes() where type.kind.isCoded && owner == nil {
            try snapshot.forEachColumnChunk(of: type) { chunk, bytes in
                type.format.contentKeys(in: bytes) { row, key in
                    guard owner == nil, key == wanted else { return }
                    owner = ContentCheck.name(type, chunk, row)
                }
            }
        }
        return owner
    }

    private static func name(_ type: StoredColumnType, _ chunk: UInt32, _ row: Int) -> String {
        type.kind.isResource
            ? "the \(type.name)"
            : "the component \(type.name) of the game object "
                + "\(type.format.firstRow(of: chunk) + UInt64(row))"
    }
}
