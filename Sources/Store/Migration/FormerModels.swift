// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// The models that a file was migrated from, by their version hashes, the first one first.
///
/// A program with one of them is older than the file. If it would take away what the newer model
/// has, it is refused, whatever it allows.
struct FormerModels {
    /// The name of the entry of `meta`.
    static let name = "former"

    /// The version hashes of the models.
    private(set) var hashes: [UInt64] = []

    /// Reads the entry; there is none in a file that was never migrated.
    init(
        _ meta: MetaTable, in transaction: borrowing some Transaction & ~Copyable
    ) throws {
        guard let bytes = try meta.get(FormerModels.name, in: transaction) else { return }
        var reader = ByteReader(Array(bytes))
        for _ in 0..<(try reader.readCount()) { hashes.append(try reader.read()) }
        try reader.expectEnd(of: "the list of former models")
    }

    /// Adds a model.
    mutating func append(_ schema: Schema) {
        let hash = schema.versionHash
        if !hashes.contains(hash) { hashes.append(hash) }
    }

    /// The bytes of the entry.
    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.write(UInt32(hashes.count))
        for hash in hashes { writer.write(hash) }
        return writer.bytes
    }
}

extension SaveTransaction {
    /// Notes that the file is no longer one of a model.
    func noteFormerModel(_ schema: Schema) throws {
        try write { transaction, _ in
            var models = try FormerModels(store.meta, in: transaction)
            models.append(schema)
            try store.meta.put(models.encoded(), for: FormerModels.name, in: transaction)
        }
    }
}
