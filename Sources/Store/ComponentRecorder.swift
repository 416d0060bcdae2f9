// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// Collects what a transaction does to components, encoded as it will be written.
///
/// The rows of a chunk come 64 at a time, and rows that follow each other share a run: a million
/// new components take some bytes, and nothing is allocated for each.
struct ComponentRecorder {
    /// How many changes were noted.
    private(set) var count = 0
    /// The groups of the columns that are done.
    private var groups = ByteWriter()
    private var added = ComponentRows()
    private var changed = ComponentRows()
    private var removed = ComponentRows()
    /// The links of a column whose rows belong to no object: one may go and come back in another.
    private var links = LinkChanges()
    /// The column that the rows are of.
    private var column: (type: StoredColumnType, entity: EntityNumber)?
    /// The first row that would continue the rows: chunks of a migrated column have others.
    private var nextRow: UInt64 = 0

    /// Notes what becomes of the rows of a chunk.
    ///
    /// - Parameter differences: Gets the number of a word of 64 rows; returns the rows with another
    ///   value than before, of those that have one before and after.
    mutating func note(_ change: ChunkChange, _ differences: (Int) -> UInt64) {
        begin(change)
        for word in 0..<change.format.words {
            let (before, after) = (change.before(word), change.after(word))
            if before | after == 0 { continue }
            let both = before & after
            let other = both == 0 ? 0 : both & differences(word)
            if change.type.kind.isRelationship {
                noteLinks(word, after & ~before, other, before & ~after, change)
            } else if change.type.kind.isResource {
                if after & ~before != 0 { added.addResource() }
                if other != 0 { changed.addResource() }
                if before & ~after != 0 { removed.addResource() }
            } else {
                let first = change.format.firstRow(of: change.chunk) + UInt64(word) << 6
                added.add(after & ~before, from: first)
                changed.add(other, from: first)
                removed.add(before & ~after, from: first)
            }
        }
    }

    private mutating func begin(_ change: ChunkChange) {
        let first = change.format.firstRow(of: change.chunk)
        if column?.type.name != change.type.name || first < nextRow {
            endColumn()
            column = (change.type, change.entity)
        }
        nextRow = first + UInt64(change.format.words) << 6
    }

    private mutating func noteLinks(
        _ word: Int, _ new: UInt64, _ other: UInt64, _ gone: UInt64, _ change: ChunkChange
    ) {
        var rest = new | other | gone
        while rest != 0 {
            let bit = rest & (~rest + 1)
            let row = word << 6 | rest.trailingZeroBitCount
            rest &= ~bit
            let (old, now) = (change.oldLink(row), change.newLink(row))
            // The row of such a link belongs to its source, which has another target.
            if other & bit != 0, change.type.kind.hasRowsOfObjects {
                if let now { changed.addLink(now.source.row, now.target.row) }
                continue
            }
            if new & bit == 0, let old { links.remove(old.source.row, old.target.row) }
            if gone & bit == 0, let now { links.add(now.source.row, now.target.row) }
        }
    }

    private mutating func endColumn() {
        guard let (type, entity) = column else { return }
        column = nil
        nextRow = 0
        links.finish(added: &added, removed: &removed)
        count += added.count + changed.count + removed.count
        let kind: HistoryComponentGroup.Column =
            type.kind.isRelationship ? .links : type.kind.isResource ? .resource : .components
        added.end(HistoryComponentGroup(kind, .added), type.name, entity, &groups)
        changed.end(HistoryComponentGroup(kind, .changed), type.name, entity, &groups)
        removed.end(HistoryComponentGroup(kind, .removed), type.name, entity, &groups)
    }

    /// Takes the groups, once everything was noted.
    mutating func finish() -> [UInt8] {
        endColumn()
        return groups.bytes
    }

    /// Whether anything was noted.
    var isEmpty: Bool {
        count == 0 && added.count == 0 && changed.count == 0 && removed.count == 0 && links.isEmpty
    }

    /// Forgets everything, for another transaction.
    mutating func reset() {
        guard column != nil || count > 0 else { return }
        if groups.bytes.count > 65_536 {
            self = ComponentRecorder()
        } else {
            groups.removeAll()
            added.removeAll()
            changed.removeAll()
            removed.removeAll()
            links.removeAll()
            (count, column, nextRow) = (0, nil, 0)
        }
    }
}

/// A chunk before and after a transaction.
struct ChunkChange {
    let type: StoredColumnType
    let format: ChunkFormat
    /// The entity of game objects.
    let entity: EntityNumber
    let chunk: UInt32
    /// The bytes before; `nil` for no values.
    var old: UnsafeRawBufferPointer?
    /// The bytes afterwards; `nil` for no values.
    var new: UnsafeRawBufferPointer?
    /// The rows with a value before, if that was of another layout.
    var former: [UInt64] = []
    /// The rows of game objects that the transaction deletes; empty for none.
    var gone: [UInt64] = []

    init(_ type: StoredColumnType, _ entity: EntityNumber, _ chunk: UInt32) {
        self.type = type
        self.entity = entity
        self.chunk = chunk
        format = type.format
    }

    /// The rows of a word that have a value before.
    func before(_ word: Int) -> UInt64 {
        guard former.isEmpty else { return former[word] }
        return old.map { presence(word, $0) } ?? 0
    }

    /// The rows of a word that have a value afterwards.
    func after(_ word: Int) -> UInt64 {
        let rows = new.map { presence(word, $0) } ?? 0
        return gone.isEmpty ? rows : rows & ~gone[word]
    }

    private func presence(_ word: Int, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let rows = format.presence(word, in: bytes)
        // No game object has row 0, which a run could not begin with.
        return chunk == 0 && word == 0 && !type.kind.isResource ? rows & ~1 : rows
    }

    /// The ends of a row's link before.
    func oldLink(_ row: Int) -> (source: ObjectKey, target: ObjectKey)? {
        old.map { format.link(row, in: $0) }
    }

    /// The ends of a row's link afterwards.
    func newLink(_ row: Int) -> (source: ObjectKey, target: ObjectKey)? {
        new.map { format.link(row, in: $0) }
    }
}
