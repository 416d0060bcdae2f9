// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// Reads values that lie outside their records.
enum BlobReader {
    /// The most bytes reserved at once: a damaged record may announce more than there are.
    private static let mostReserved = 16 << 20

    /// The bytes of a value, chunk by chunk, each of which has to be as long as a writer makes it.
    ///
    /// - Parameter byteCount: The size that the record announces.
    /// - Throws: ``StoreError`` with `damaged`, or ``LMDBError``.
    static func value(
        of key: ObjectKey, _ property: PropertyNumber, byteCount: Int, _ store: Store,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(byteCount, mostReserved))
        var chunk: UInt16 = 0
        let full = store.seal.valueByteCount(BlobKey.chunkByteCount)
        while bytes.count < byteCount {
            let name = BlobKey(object: key, property: property, chunk: chunk)
            let wanted = min(full, byteCount - bytes.count)
            func damaged(_ what: String) -> StoreError {
                StoreError(
                    .damaged, path: store.path,
                    "chunk \(chunk) of property \(property.rawValue) of object \(key) \(what); "
                        + "restore the file from a copy")
            }
            guard chunk < .max, let part = try store.blobChunk(name, in: transaction) else {
                throw damaged("is missing")
            }
            guard part.count == wanted else {
                throw damaged("has \(part.count) bytes instead of \(wanted)")
            }
            bytes.append(contentsOf: part)
            chunk += 1
        }
        return bytes
    }
}
