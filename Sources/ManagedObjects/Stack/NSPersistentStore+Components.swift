// SPDX-License-Identifier: Apache-2.0

import Contents
import Foundation
import RecordFormat
import Schema
import Store

/// Value components as their file describes them, without their Swift types.
extension NSPersistentStore {
    /// A type of value components in a file.
    public struct ComponentStatistics: Sendable, Hashable {
        /// The name that programs find the type by.
        public let name: String
        /// The fields with type and offset, such as `x:Float@0 y:Float@4`.
        public let fields: String
        /// The bytes of a value; 0 for a tag.
        public let valueByteCount: Int
        /// The number of values.
        public let values: Int
        /// The number of chunks that they are in.
        public let chunks: Int
        /// The size of the chunks.
        public let bytes: Int
        /// Whether the values are of a codable component, and so have no fixed fields.
        public let isCoded: Bool

        package init(
            name: String, fields: String, valueByteCount: Int, values: Int, chunks: Int, bytes: Int,
            isCoded: Bool = false
        ) {
            self.isCoded = isCoded
            self.name = name
            self.fields = fields
            self.valueByteCount = valueByteCount
            self.values = values
            self.chunks = chunks
            self.bytes = bytes
        }
    }

    /// The value components of the store's file, by name; none if no world was ever saved in it.
    ///
    /// The type `GameObject` says which game objects there are. A component that a migration has
    /// made another one is there without values, with `replaced by` and its successor as fields.
    ///
    /// - Throws: 134070 when the store was removed, cannot be read or is damaged.
    /// - Complexity: O(bytes of the chunks), which are compared with their checksums.
    public final func componentStatistics() throws -> [ComponentStatistics] {
        let snapshot = try componentSnapshot()
        return try CoreDataError.mapping {
            try snapshot.columnTypes().sorted { $0.name < $1.name }.map { type in
                var (values, chunks) = (0, 0)
                try snapshot.forEachColumnChunk(of: type) { chunk, bytes in
                    values += Int(try type.header(of: bytes, chunk).count)
                    chunks += 1
                }
                return ComponentStatistics(
                    name: type.name, fields: type.fields, valueByteCount: Int(type.size),
                    values: values, chunks: chunks, bytes: chunks * type.format.size,
                    isCoded: type.kind.isCoded)
            }
        }
    }

    /// Calls a body with values of a component type, in the order of the game objects.
    ///
    /// - Parameters:
    ///   - name: The name of the type.
    ///   - places: Which of the values, counted from 0.
    ///   - body: Gets the game object, as `3/p17`, and the bytes of the value: those of its content
    ///     for a codable component.
    /// - Throws: As ``componentStatistics()``; 134060 for a type that the file does not have, or
    ///   has as another one since a migration.
    /// - Complexity: O(bytes of the chunks), which are compared with their checksums, and the
    ///   values up to the last one that is asked for.
    package final func forEachComponent(
        named name: String, in places: Range<Int> = 0..<Int.max,
        _ body: (String, [UInt8]) throws -> Void
    ) throws {
        let snapshot = try componentSnapshot()
        try CoreDataError.mapping {
            let type = try columnType(named: name, snapshot)
            let entity = snapshot.store.table(named: ChunkFormat.aliveName)?.number
            var place = 0
            try snapshot.forEachColumnChunk(of: type) { chunk, bytes in
                let count = Int(try type.header(of: bytes, chunk).count)
                guard places.overlaps(place..<place + count) else { return place += count }
                for row in 0..<type.format.rows where type.format.has(row, in: bytes) {
                    defer { place += 1 }
                    guard places.contains(place) else { continue }
                    let key = ObjectKey(
                        entity: entity ?? EntityNumber(rawValue: 0),
                        row: type.format.firstRow(of: chunk) + UInt64(row))
                    let start = type.format.valuesOffset + row * type.format.stride
                    var value = Array(bytes[start..<start + Int(type.size)])
                    if type.kind.isCoded {
                        let owner = type.kind.isResource ? "" : " of the game object \(key)"
                        value = try content(value, name + owner, snapshot)
                    }
                    try body("\(key)", value)
                }
            }
        }
    }

    private final func columnType(
        named name: String, _ snapshot: StoreSnapshot
    ) throws -> StoredColumnType {
        let types = try snapshot.columnTypes()
        let found = types.first { $0.name == name }
        if let found, found.note == nil { return found }
        let present = types.filter { $0.note == nil }.map(\.name).sorted()
        throw CoreDataError.make(
            .coreData,
            "\(url?.path ?? identity): there is no component \(name)"
                + (found?.note.map { ", which was \($0)" } ?? "") + "; the store has "
                + (present.isEmpty ? "none" : present.joined(separator: ", ")))
    }

    private final func content(
        _ key: [UInt8], _ name: String, _ snapshot: StoreSnapshot
    ) throws -> [UInt8] {
        let found: [UInt8]?
        do {
            found = try ContentKey(bytes: key).flatMap { try snapshot.content($0) }
        } catch {
            throw CoreDataError.make(.persistentStoreOperation, "the component \(name): \(error)")
        }
        guard let found else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "the component \(name) lacks its content; restore the file from a copy")
        }
        return found
    }

    /// Refuses to copy the objects of a store without the components that its file has.
    final func refuseToLeaveComponents() throws {
        guard store != nil else { return }
        let found = try componentStatistics().filter { $0.values > 0 }
        guard let first = found.first(where: { $0.name != ChunkFormat.aliveName }) ?? found.first
        else { return }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "\(url?.path ?? identity) has value components such as \(first.name), which only a "
                + "file of the same kind can keep; migrate to a store of \(LodeStoreType), or "
                + "remove them first")
    }

    private final func componentSnapshot() throws -> StoreSnapshot {
        let store = try requireOpenStore()
        return try CoreDataError.mapping {
            // Before the snapshot, which would not show the chunks otherwise.
            try store.findColumns()
            return try store.makeSnapshot()
        }
    }
}

extension StoredColumnType {
    /// What the file says of a type that a migration has made another one: `replaced by` and its
    /// successor; nil for another type.
    fileprivate var note: String? {
        stride == 0 && fields.hasPrefix("replaced by ") ? fields : nil
    }
}
