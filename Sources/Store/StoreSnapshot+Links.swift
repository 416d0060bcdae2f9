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
            return try LinkReader.destinations(of: owner.rawValue, links, in: snapshot)
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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        do {
            var chunk: UInt16 = 0
            while bytes.count < byteCount {
                let name = BlobKey(object: key, property: property, chunk: chunk).bytes
                guard let part = try snapshot.get(name, in: store.databases.blobs) else {
                    throw StoreError(
                        .damaged, path: store.path,
                        "chunk \(chunk) of property \(property.rawValue) of object \(key) is "
                            + "missing; restore the file from a copy")
                }
                bytes.append(contentsOf: part)
                chunk += 1
            }
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
        return bytes
    }
}

/// The key of one chunk of a large value: object (u64), property (u32), chunk (u16), big-endian.
struct BlobKey {
    let bytes: [UInt8]

    /// Chunks fill whole pages of 4 KiB but for LMDB's 16-byte header, and stay short enough for
    /// the free list to find room for them.
    static let chunkByteCount = 16 * 4_096 - 16

    init(object: ObjectKey, property: PropertyNumber, chunk: UInt16) {
        var bytes = BlobKey.prefix(of: object)
        withUnsafeBytes(of: property.rawValue.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: chunk.bigEndian) { bytes.append(contentsOf: $0) }
        self.bytes = bytes
    }

    static func prefix(of object: ObjectKey) -> [UInt8] {
        withUnsafeBytes(of: object.rawValue.bigEndian) { Array($0) }
    }
}
