// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// What a transaction has to remember to note each change of a component once.
struct ComponentNotes {
    /// The chunks that were noted, as the database's keys have them.
    fileprivate var chunks: Set<UInt64> = []
    /// The values of columns that a migration replaces, by name.
    fileprivate var former: [String: (type: StoredColumnType, rows: RowBits)] = [:]
    /// The rows of game objects that the transaction deletes, as of a number of them.
    fileprivate var gone = (count: 0, rows: RowBits())
}

/// Changes of components for the history.
///
/// They are those between two commits: what a world writes and the same transaction takes away
/// again, as its game object is deleted, is noted once.
extension SaveTransaction {
    /// Whether changes of components are noted: where a history is kept.
    public var recordsComponents: Bool { recorder != nil }

    /// Notes what becomes of a chunk that is about to be written or removed.
    ///
    /// - Parameters:
    ///   - type: The type of the chunk, which may be new.
    ///   - old: The bytes that the file has; `nil` for none.
    ///   - new: The bytes that it is to have; `nil` for none.
    ///   - differences: Gets the number of a word of 64 rows; returns the rows with another value,
    ///     of those that have one before and after.
    public func recordChunk(
        _ type: StoredColumnType, _ chunk: UInt32, from old: UnsafeRawBufferPointer?,
        to new: UnsafeRawBufferPointer?, differences: (Int) -> UInt64
    ) {
        guard let recorder, var change = change(of: type, chunk) else { return }
        componentNotes.chunks.insert(UInt64(type.number) << 32 | UInt64(chunk))
        (change.old, change.new) = (old, new)
        let first = change.format.firstRow(of: chunk) >> 6
        let count = change.format.words
        if type.kind.hasRowsOfObjects, !goneRows.isEmpty {
            change.gone = rowsThatGo().bits(from: first, count: count)
        }
        // Taken out, as a second reference would have all rows copied.
        guard old == nil, var former = componentNotes.former.removeValue(forKey: type.name) else {
            return recorder.components.note(change, differences)
        }
        change.former = former.rows.bits(from: first, count: count)
        former.rows.remove(from: first, count: count)
        componentNotes.former[type.name] = former
        // Its bytes mean something else now, whatever they are.
        recorder.components.note(change) { _ in ~0 }
    }

    /// Notes what a chunk has that is about to be removed because a migration replaces its column.
    ///
    /// If a column of the same name has values of the same game objects in the end, these are
    /// changed, and otherwise removed.
    public func recordReplacedChunk(_ type: StoredColumnType, _ chunk: UInt32) throws {
        guard recorder != nil, var change = change(of: type, chunk) else { return }
        try write { transaction, _ in
            let key = ColumnKey.bytes(type: type.number, chunk: chunk)
            guard let bytes = try transaction.get(key, in: requireColumns()) else { return }
            _ = try type.header(of: bytes, chunk)
            change.old = bytes
            // Taken out, as a second reference would have all rows copied.
            var former = componentNotes.former.removeValue(forKey: type.name)?.rows ?? RowBits()
            let first = type.format.firstRow(of: chunk) >> 6
            for word in 0..<type.format.words {
                former.insert(change.before(word), word: first + UInt64(word))
            }
            componentNotes.former[type.name] = (type, former)
        }
    }

    /// Notes the components that go with their game objects.
    func recordErasure(
        _ type: StoredColumnType, _ chunk: UInt32, from old: [UInt8], to new: [UInt8]
    ) throws {
        guard let recorder, var change = change(of: type, chunk),
            // It was noted together with what else the transaction changes in it.
            !componentNotes.chunks.contains(UInt64(type.number) << 32 | UInt64(chunk))
        else { return }
        var counters = RowCounters()
        let end = try counters.next(of: change.entity, store.meta, transaction)
        try old.withUnsafeBytes { old in
            if type.kind.isRelationship {
                try type.checkLinks(of: old, chunk, change.entity, end: end)
            }
            new.withUnsafeBytes { new in
                (change.old, change.new) = (old, new)
                recorder.components.note(change) { _ in 0 }
            }
        }
    }

    private func change(of type: StoredColumnType, _ chunk: UInt32) -> ChunkChange? {
        store.gameObjectOrdinal.map { ChunkChange(type, store.tables[$0].number, chunk) }
    }

    /// The game objects that the transaction has deleted so far.
    private func rowsThatGo() -> RowBits {
        if componentNotes.gone.count != goneRows.count {
            var rows = RowBits()
            for row in goneRows { rows.insert(row) }
            componentNotes.gone = (goneRows.count, rows)
        }
        return componentNotes.gone.rows
    }

    /// Notes the values of replaced columns that have no successor.
    private func recordFormerValues() {
        guard let recorder, !componentNotes.former.isEmpty else { return }
        let former = componentNotes.former.sorted { $0.key < $1.key }
        componentNotes.former = [:]
        for (_, (type, rows)) in former {
            guard var change = change(of: type, 0) else { continue }
            let words = UInt64(change.format.words)
            for chunk in Set(rows.words.keys.map { $0 / words }).sorted() {
                change = ChunkChange(type, change.entity, UInt32(truncatingIfNeeded: chunk))
                change.former = rows.bits(from: chunk * words, count: Int(words))
                recorder.components.note(change) { _ in 0 }
            }
        }
    }

    /// Completes the changes of components, and makes the file one whose history has such.
    ///
    /// Libraries of earlier versions could not read them.
    func finishComponentHistory() throws {
        recordFormerValues()
        guard let recorder, !recorder.components.isEmpty else { return }
        try write { transaction, _ in
            guard
                let bytes = try transaction.get(StoreHeader.name, in: store.databases.meta)
            else { return }
            var header = try StoreHeader(Array(bytes), path: store.path)
            guard header.readableBy < FormatVersion.componentHistory else { return }
            header.raise(to: FormatVersion.componentHistory)
            let epoch = try MetaNumber.epoch.read(transaction, store.meta)
            try raiseEpoch(to: epoch + 1, header)
        }
    }
}
