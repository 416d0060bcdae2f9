// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// Value components of game objects that are deleted.
///
/// Any program may delete a game object, whether it has a world or not. So the store takes the
/// components away in the same transaction, as it does with entries of managed components.
extension SaveTransaction {
    /// Notes that the record of an object goes.
    func noteDeletion(of key: ObjectKey, in table: EntityTable) {
        guard table.ordinal == store.gameObjectOrdinal, store.hasColumns else { return }
        goneRows.append(key.row)
    }

    /// Takes the values of deleted game objects out of all columns, chunk by chunk.
    func flushColumns() throws {
        guard !goneRows.isEmpty else { return }
        goneRows.sort()
        for type in try columnTypes() {
            let shift = UInt64(type.format.shift)
            let isOfLinks = endsLinks && type.kind.isRelationship
            for rows in try (isOfLinks ? rowsOfLinks(type) : goneRows).chunked(by: shift) {
                try erase(rows, UInt32(truncatingIfNeeded: rows[rows.startIndex] >> shift), type)
            }
        }
        goneRows = []
    }

    /// The rows of links that have an end among the deleted game objects, ascending.
    private func rowsOfLinks(_ type: StoredColumnType) throws -> [UInt64] {
        let gone = Set(goneRows)
        var rows: [UInt64] = []
        try forEachLink(of: type) { row, source, target in
            if gone.contains(source) || gone.contains(target) { rows.append(row) }
        }
        return rows
    }

    private func erase(
        _ rows: ArraySlice<UInt64>, _ chunk: UInt32, _ type: StoredColumnType
    ) throws {
        let format = type.format
        guard let bytes = try copyOfColumnChunk(chunk, type, having: rows) else { return }
        var rest = bytes
        let count = rest.withUnsafeMutableBytes { room in
            for row in rows { format.erase(Int(row) & (format.rows - 1), in: room) }
            return format.count(in: UnsafeRawBufferPointer(room))
        }
        erasureNote?.hasErased = true
        try recordErasure(type, chunk, from: bytes, to: rest)
        let isCoded = type.kind.isCoded
        guard count > 0 else {
            return try deleteColumnChunk(type.number, chunk, coded: isCoded ? format : nil)
        }
        let former = bytes.withUnsafeBytes { ChunkHeader.version(of: $0) }
        let header = ChunkHeader(
            version: max(transactionID, former &+ 1), type: type.number, chunk: chunk,
            count: UInt32(count))
        let fill = { (room: UnsafeMutableRawBufferPointer) in
            room.copyBytes(from: rest)
            header.write(to: room, format)
        }
        if isCoded {
            try putCodedColumnChunk(type.number, chunk, format, { _ in nil }, fill)
        } else {
            try putColumnChunk(type.number, chunk, byteCount: format.size, fill)
        }
    }

    /// The bytes of a chunk in which one of some rows has a value; nil for any other.
    private func copyOfColumnChunk(
        _ chunk: UInt32, _ type: StoredColumnType, having rows: ArraySlice<UInt64>
    ) throws -> [UInt8]? {
        let format = type.format
        return try write { transaction, _ in
            let key = ColumnKey.bytes(type: type.number, chunk: chunk)
            guard let bytes = try transaction.get(key, in: requireColumns()) else { return nil }
            _ = try type.header(of: bytes, chunk)
            guard rows.contains(where: { format.has(Int($0) & (format.rows - 1), in: bytes) })
            else { return nil }
            return Array(bytes)
        }
    }
}

/// Whether a transaction has taken components of deleted game objects away, which it does at its
/// end.
public final class ErasureNote {
    /// Whether it has.
    public internal(set) var hasErased = false

    /// Makes a note for a transaction that has not.
    public init() {}
}

extension [UInt64] {
    /// The adjacent elements that are the same without their lower bits; for sorted ones.
    fileprivate func chunked(by shift: UInt64) -> [ArraySlice<UInt64>] {
        guard !isEmpty else { return [] }
        var parts: [ArraySlice<UInt64>] = []
        var start = 0
        for end in indices.dropFirst() where self[end] >> shift != self[start] >> shift {
            parts.append(self[start..<end])
            start = end
        }
        parts.append(self[start...])
        return parts
    }
}
