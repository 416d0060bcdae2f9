// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import RecordFormat
import Schema
import Store

extension StoredLibrary {
    /// Does a task that changes the file.
    ///
    /// - Returns: The number of the books that were changed, or found.
    func change(_ task: LibraryTask, _ input: LibraryInput, round: Int) throws -> Int64 {
        switch task {
        case .findOrCreate: return try findOrCreate(input.foundOrNew[round])
        case .commit: return try commit(input.additions[round])
        case .commitOnThreads:
            let books = input.additionsOnThreads[round]
            try ThreadGroup.run(books.count) { _ = try commit(books[$0]) }
            return Int64(books.joined().count)
        case .update: return try update(input.updates[round])
        case .delete: return try delete(input.deletions[round])
        default: throw BenchmarkError("\(task.rawValue) changes nothing")
        }
    }

    /// Commits books one by one; with those of other threads, if there are any.
    private func commit(_ books: [BookRow]) throws -> Int64 {
        let writer = BookWriter(self)
        for book in books {
            let written = try store.writeJoining(
                { save in
                    var encoder = RecordEncoder()
                    return (try writer.insert([book], &encoder, save), note: true)
                }, didCommit: { _ in })
            guard written.memberCount > 0 else { throw BenchmarkError("nothing was committed") }
        }
        return Int64(books.count)
    }

    /// In the order of the keys, as neighbours share pages.
    private func update(_ positions: [Int]) throws -> Int64 {
        try store.write { save in
            var change = BookChange(self, [fields.year])
            for position in positions.sorted() {
                try change.apply(to: book(position), save) { record, draft in
                    draft[fields.year.position] = .integer32(Int32(fields.year(record)) + 1)
                }
            }
        }
        return Int64(positions.count)
    }

    private func delete(_ positions: [Int]) throws -> Int64 {
        let keys = ContiguousArray(positions.map(book))
        return try store.write { save in
            Int64(try save.delete(applyingRules: keys).deleted.count)
        }
    }

    /// Looks all up in the state before the transaction, which itself reads no index; a book that
    /// another program adds meanwhile would be refused, as ISBNs are unique.
    private func findOrCreate(_ wanted: [String]) throws -> Int64 {
        let rows = try StoreQuery(self, store.makeSnapshot()).rows(ofISBNs: wanted)
        let found = rows.filter { $0 != 0 }.sorted()
        let new = zip(rows, wanted).filter { $0.0 == 0 }.map { BookRow(new: $0.1) }
        try store.write { save in
            var change = BookChange(self, [fields.available])
            for row in found {
                try change.apply(to: ObjectKey(entity: books.number, row: row), save) {
                    let isAvailable = fields.isAvailable($0)
                    $1[fields.available.position] = .boolean(!isAvailable)
                }
            }
            var encoder = RecordEncoder()
            try BookWriter(self).insert(new, &encoder, save)
        }
        return Int64(found.count)
    }
}

/// Changes some fields of books, which are best taken in the order of their keys.
struct BookChange: ~Copyable {
    private let library: StoredLibrary
    private let changedFields: UInt64
    private let draft: RecordDraft
    private var encoder = RecordEncoder()

    init(_ library: StoredLibrary, _ slots: [StoredBook.Slot]) {
        self.library = library
        changedFields = slots.reduce(0) { $0 | $1.bit }
        draft = .make(fieldCount: library.books.fields.count)
    }

    /// Replaces a book's record.
    ///
    /// - Parameter set: Gets the record, and sets the fields in the draft.
    @inline(__always)
    mutating func apply(
        to key: ObjectKey, _ save: SaveTransaction, _ set: (RecordView, RecordDraft) -> Void
    ) throws {
        let table = library.books
        guard let old = try save.recordForUpdate(key, in: table) else {
            throw BenchmarkError("\(key) is missing")
        }
        set(old, draft)
        let record = encoder.encode(
            layout: table.layout, version: old.version &+ 1, base: old, draft: draft,
            changedFields: changedFields, resolve: { $0 })
        try save.update(
            record, replacing: old, for: key, in: table, changedFields: changedFields)
    }
}
