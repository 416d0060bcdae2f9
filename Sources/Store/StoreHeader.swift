// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The `lode` entry of the `meta` database: what kind of file this is.
struct StoreHeader: Sendable {
    static let name = "lode"

    /// The version of the writer, as it would be with wide slots.
    var version: UInt16
    /// The oldest library format that may read the file, as it would be with wide slots.
    var readableBy: UInt16
    /// Whether the layouts of the file are narrow.
    let isNarrow: Bool
    /// Whether the file was migrated to another model; only one with narrow layouts can be.
    var isMigrated: Bool
    var uuid: UUIDValue

    /// What the versions of the file are greater by than they would be with wide slots.
    private var step: UInt16 {
        (isNarrow ? FormatVersion.narrowStep : 0) + (isMigrated ? FormatVersion.migratedStep : 0)
    }

    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        for byte in FormatVersion.magic { writer.write(byte) }
        writer.write(version + step)
        writer.write(readableBy + step)
        writer.write(uuid.high)
        writer.write(uuid.low)
        return writer.bytes
    }

    /// The header of a new file of a version, or of the least one beyond it that a schema needs.
    init(uuid: UUIDValue, for schema: Schema, version: UInt16) {
        self.uuid = uuid
        isMigrated = false
        isNarrow = version >= FormatVersion.narrow
        let version = isNarrow ? version - FormatVersion.narrowStep : version
        self.version = max(version, FormatVersion.needed(for: schema))
        readableBy = self.version
    }

    /// The checksums of the file's values.
    var seal: EntrySeal { EntrySeal(version: readableBy) }

    /// Whether ordered relationships have their order in the file.
    var keepsOrder: Bool { readableBy >= FormatVersion.ordered }

    /// Raises the versions to what a schema needs; they never fall.
    mutating func raise(for schema: Schema) {
        raise(to: FormatVersion.needed(for: schema))
    }

    /// Raises the versions, where they are lower.
    mutating func raise(to needed: UInt16) {
        version = max(version, needed)
        readableBy = max(readableBy, needed)
    }

    /// Reads the entry; the caller checks the versions.
    init(_ bytes: [UInt8], path: String) throws {
        guard bytes.starts(with: FormatVersion.magic) else {
            throw StoreError(
                .notAStore, path: path,
                "this is an LMDB file, but no Lode store; choose another file")
        }
        var reader = ByteReader(Array(bytes.dropFirst(FormatVersion.magic.count)))
        let version: UInt16 = try reader.read()
        let readableBy: UInt16 = try reader.read()
        guard readableBy <= FormatVersion.current, version >= FormatVersion.oldestReadable else {
            throw StoreError(
                .newerFormat, path: path,
                "the store has format \(version), this library reads up to format "
                    + "\(FormatVersion.current); use a newer version of Lode")
        }
        isNarrow = readableBy >= FormatVersion.narrow
        isMigrated = readableBy >= FormatVersion.migrated
        uuid = UUIDValue(high: try reader.read(), low: try reader.read())
        (self.version, self.readableBy) = (max(version, readableBy), readableBy)
        self.version -= step
        self.readableBy -= step
        let key = Array(StoreHeader.name.utf8)
        _ = try bytes.withUnsafeBytes { bytes throws(RecordFormatError) in
            try seal.open(bytes, for: key, "the header of the store")
        }
    }
}
