// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension SaveTransaction {
    /// Writes the large values of an object that its record only points to.
    public func putExternalValue(
        _ bytes: [UInt8], of key: ObjectKey, _ property: PropertyNumber
    ) throws {
        try deleteExternalValues(of: key, property: property)
        var chunk: UInt16 = 0
        let size = store.seal.valueByteCount(BlobKey.chunkByteCount)
        for start in stride(from: 0, to: bytes.count, by: size) {
            guard chunk < .max else {
                throw StoreError(
                    .storage, path: store.path,
                    "a value of \(bytes.count) bytes is too large; keep it in a file of its own")
            }
            let part = bytes[start..<min(start + size, bytes.count)]
            let name = BlobKey(object: key, property: property, chunk: chunk).bytes
            try transaction.put(
                store.seal.seal(part, for: name), for: name, in: store.databases.blobs)
            chunk += 1
        }
    }

    /// Removes the large values of an object, or those of one attribute.
    public func deleteExternalValues(of key: ObjectKey, property: PropertyNumber?) throws {
        var prefix = BlobKey.prefix(of: key)
        if let property {
            withUnsafeBytes(of: property.rawValue.bigEndian) { prefix.append(contentsOf: $0) }
        }
        try deleteExternalValues(prefix)
    }

    /// Removes the large values whose names begin with some bytes.
    func deleteExternalValues(_ prefix: [UInt8]) throws {
        var names: [[UInt8]] = []
        let cursor = try transaction.makeCursor(store.databases.blobs)
        var entry = try cursor.seek(atLeast: prefix)
        while let current = entry, current.key.starts(with: prefix) {
            names.append(Array(current.key))
            entry = try cursor.next()
        }
        for name in names { _ = try transaction.delete(name, in: store.databases.blobs) }
    }
}
