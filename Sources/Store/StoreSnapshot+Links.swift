// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension StoreSnapshot {
    /// The destinations of a to-many relationship: in their order, else ascending.
    ///
    /// Reads whole pages of destinations at a time.
    /// - Complexity: O(log n + destinations).
    public func destinations(
        of owner: ObjectKey, _ table: RelationshipTable
    ) throws(StoreError) -> ContiguousArray<ObjectKey> {
        guard let links = table.links, !owner.isTemporary else { return [] }
        do {
            let keys = try LinkReader.destinations(of: owner.rawValue, links, in: snapshot)
            try table.destinations.check(keys, isAscending: !table.isRanked, owner: owner)
            return keys
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// The entries of an ordered relationship, in their order; none for an unordered one.
    ///
    /// - Complexity: O(log n + destinations).
    public func rankedLinks(
        of owner: ObjectKey, _ table: RelationshipTable
    ) throws(StoreError) -> ContiguousArray<RankedLink> {
        guard table.isRanked, let links = table.links, !owner.isTemporary else { return [] }
        do {
            return try LinkReader.rankedLinks(of: owner.rawValue, links, in: snapshot)
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// The number of destinations of a to-many relationship.
    public func destinationCount(
        of owner: ObjectKey, _ table: RelationshipTable
    ) throws(StoreError) -> Int {
        guard let links = table.links, !owner.isTemporary else { return 0 }
        do {
            let cursor = try snapshot.makeCursor(links)
            guard try cursor.seek(exactly: owner.rawValue) != nil else { return 0 }
            return try cursor.duplicateCount()
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// The bytes of a value that lives outside its record.
    ///
    /// - Parameters:
    ///   - key: The object.
    ///   - property: The number of the attribute.
    ///   - byteCount: The size that the record announces.
    public func externalValue(
        of key: ObjectKey, _ property: PropertyNumber, byteCount: Int
    ) throws(StoreError) -> [UInt8] {
        do {
            return try BlobReader.value(
                of: key, property, byteCount: byteCount, store, in: snapshot)
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }
}

extension Store {
    /// A chunk of a large value, without its checksum, which is compared if the store was opened
    /// with that option.
    func blobChunk(
        _ key: BlobKey, in transaction: borrowing some Transaction & ~Copyable
    ) throws -> UnsafeRawBufferPointer? {
        guard let stored = try transaction.get(key.bytes, in: databases.blobs) else { return nil }
        guard comparesChecksums else {
            return UnsafeRawBufferPointer(rebasing: stored[..<seal.valueByteCount(stored.count)])
        }
        return try seal.open(stored, for: key.bytes, "a value outside its record")
    }
}

/// The key of one chunk of a large value: object (u64), property (u32), chunk (u16), big-endian.
struct BlobKey {
    let object: ObjectKey
    let property: PropertyNumber
    let chunk: UInt16
    let bytes: [UInt8]

    /// Chunks fill whole pages of 4 KiB but for LMDB's 16-byte header, and stay short enough for
    /// the free list to find room for them.
    static let chunkByteCount = 16 * 4_096 - 16

    init(object: ObjectKey, property: PropertyNumber, chunk: UInt16) {
        var bytes = BlobKey.prefix(of: object)
        withUnsafeBytes(of: property.rawValue.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: chunk.bigEndian) { bytes.append(contentsOf: $0) }
        self.object = object
        self.property = property
        self.chunk = chunk
        self.bytes = bytes
    }

    static func prefix(of object: ObjectKey) -> [UInt8] {
        withUnsafeBytes(of: object.rawValue.bigEndian) { Array($0) }
    }
}
