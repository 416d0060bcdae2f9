// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import RecordFormat
import Store
import Worlds

/// What a transaction wrote of a world; the world learns of it once it is committed.
struct WrittenChunks {
    /// The chunks with the versions that the file has now, 0 for none.
    var chunks: [(column: Column, chunk: Int, version: UInt64)] = []
    /// Whether the store has taken components away, too; made anew by each transaction.
    let erasureNote = ErasureNote()
    /// Whether the transaction has anything of the world.
    var isCommit = false
    /// The types of the file.
    var types: [StoredColumnType] = []
}

extension WorldFile {
    func write(_ transaction: SaveTransaction) throws -> Bool {
        guard isNext(transaction) else { throw SaveCompanionOutdated() }
        written = WrittenChunks()
        transaction.erasureNote = written.erasureNote
        let numbers = try writeTypes(transaction)
        var hasWritten = !replaced.isEmpty
        for column in world.columns {
            guard let number = numbers[column.type.name] else { continue }
            let leaving = departures.chunks(of: column)
            for chunk in leaving.isEmpty ? column.dirtyChunks : column.chunks(and: leaving.keys) {
                column.clearGaps(chunk)
                let isWritten = try write(
                    chunk, column, without: leaving[chunk], number, transaction)
                if isWritten { hasWritten = true }
            }
        }
        if world.takenRow > 0, try transaction.noteTakenRow(world.takenRow) { hasWritten = true }
        written.isCommit = hasWritten
        return hasWritten
    }

    /// Gives numbers to types that the file does not know, and removes those that were migrated.
    private func writeTypes(_ transaction: SaveTransaction) throws -> [String: UInt32] {
        var stored = try transaction.columnTypes()
        let before = stored
        var next = (stored.map(\.number).max() ?? 0) + 1
        for old in replaced where stored.contains(where: { $0.isStored(as: old.type) }) {
            let number = old.type.number
            let versions = try transaction.columnChunkVersions(of: number)
            guard versions == old.versions else {
                throw CoreDataError.make(
                    .managedObjectMerge,
                    "another program has changed the component \(old.type.name) since it was "
                        + "migrated here; roll back, which migrates it again")
            }
            let coded = old.type.kind.isCoded ? old.type.format : nil
            for chunk in versions.keys {
                try transaction.recordReplacedChunk(old.type, chunk)
                try transaction.deleteColumnChunk(number, chunk, coded: coded)
            }
            stored.removeAll { $0.number == number }
        }
        var numbers: [String: UInt32] = [:]
        for column in world.columns where column.isDirty || types[column.type.name] != nil {
            let type = column.type
            stored.removeAll { $0.name == type.name && isLeftBehind($0) }
            if let known = stored.first(where: { $0.name == type.name }) {
                guard ComponentType(known).isStored(as: type) else {
                    throw CoreDataError.make(
                        .persistentStoreIncompatibleVersionHash,
                        "another program has made the component \(ComponentType(known)), and this "
                            + "one has \(type); give one of them another componentName")
                }
                numbers[type.name] = known.number
                // The rules of a relationship are those of the program that saved last, and the
                // details of a layout those of one that knew them.
                let type = type.with(detailsOf: ComponentType(known))
                stored = stored.map {
                    $0.name == type.name ? StoredColumnType(type, number: known.number) : $0
                }
            } else {
                stored.append(StoredColumnType(type, number: next))
                numbers[type.name] = next
                next += 1
            }
        }
        // A program that knows the former types alone would begin them anew.
        for old in replaced where !stored.contains(where: { $0.name == old.type.name }) {
            let note = ComponentType(old.type.name, replacedBy: old.made.name)
            stored.append(StoredColumnType(note, number: next))
            next += 1
        }
        if stored != before { try transaction.setColumnTypes(stored) }
        written.types = stored
        return numbers
    }

    /// Writes one chunk without the rows that leave the world with this save.
    ///
    /// - Returns: Whether anything was written.
    private func write(
        _ chunk: Int, _ column: Column, without leaving: ArraySlice<Int>?, _ type: UInt32,
        _ transaction: SaveTransaction
    ) throws -> Bool {
        let count = column.count(of: chunk) - (leaving?.count ?? 0)
        guard let leaving else {
            return try write(chunk, column, column.bytes(of: chunk), count, type, transaction)
        }
        return try column.bytes(of: chunk, without: leaving).withUnsafeBytes {
            try write(chunk, column, $0, count, type, transaction)
        }
    }

    private func write(
        _ chunk: Int, _ column: Column, _ new: UnsafeRawBufferPointer?, _ count: Int,
        _ type: UInt32, _ transaction: SaveTransaction
    ) throws -> Bool {
        written.chunks.append((column, chunk, count > 0 ? column.version(of: chunk) : 0))
        // Loops visit values that they leave as they are.
        let before = ChunkView(column.storedBytes(of: chunk), of: column)
        let after = ChunkView(new, of: column)
        guard !after.equals(before) else { return false }
        if transaction.recordsComponents {
            transaction.recordChunk(
                StoredColumnType(column.type, number: type), UInt32(chunk),
                from: column.storedBytes(of: chunk), to: new
            ) { after.differences(before, $0) }
        }
        let format = column.chunkFormat
        guard count > 0, let new else {
            try transaction.deleteColumnChunk(
                type, UInt32(chunk), coded: column.type.isCoded ? format : nil)
            return true
        }
        // A compacted copy begins to count its transactions anew.
        let version = max(transaction.transactionID, column.version(of: chunk) &+ 1)
        written.chunks[written.chunks.count - 1].version = version
        let header = ChunkHeader(
            version: version, type: type, chunk: UInt32(chunk), count: UInt32(count))
        let fill = { (room: UnsafeMutableRawBufferPointer) in
            room.copyMemory(from: new)
            header.write(to: room, format)
        }
        if let contents = column.contents {
            try transaction.putCodedColumnChunk(
                type, UInt32(chunk), format, contents.bytes(of:), fill)
        } else {
            try transaction.putColumnChunk(
                type, UInt32(chunk), byteCount: column.layout.size, fill)
        }
        return true
    }
}

extension Column {
    /// The chunks that may differ from the file, and others, ascending.
    fileprivate func chunks(and others: some Collection<Int>) -> [Int] {
        Set(dirtyChunks).union(others).sorted()
    }

    /// How files lay out the column's chunks.
    var chunkFormat: ChunkFormat {
        ChunkFormat(stride: layout.stride, isSingle: type.kind == .resource)
    }
}

extension StoredColumnType {
    /// The description of a type for a file.
    init(_ type: ComponentType, number: UInt32) {
        self.init(
            number: number, name: type.name, size: UInt32(type.size), stride: UInt32(type.stride),
            alignment: UInt32(type.alignment), kind: ColumnKindCode(rawValue: type.kindCode),
            fields: type.fields)
    }
}
