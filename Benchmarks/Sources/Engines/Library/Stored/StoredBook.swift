// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import RecordFormat
import Schema
import Store

/// Where the values of a book lie in its record.
struct StoredBook: Sendable {
    /// A stored property: its position, by which drafts and nulls are found, and its offset.
    struct Slot: Sendable {
        let position: Int
        let offset: Int

        /// A bit for the field, as changes are told.
        var bit: UInt64 { 1 << UInt64(position) }
    }

    let title: Slot
    let author: Slot
    let year: Slot
    let rating: Slot
    let isbn: Slot
    let available: Slot
    let shelf: Slot

    init(_ table: EntityTable) throws {
        func slot(_ name: String) throws -> Slot {
            guard let position = table.field(named: name) else {
                throw BenchmarkError("\(table.entity.name) has no \(name)")
            }
            return Slot(position: position, offset: table.layout.fields[position].offset)
        }
        title = try slot("title")
        author = try slot("author")
        year = try slot("year")
        rating = try slot("rating")
        isbn = try slot("isbn")
        available = try slot("available")
        shelf = try slot("shelf")
    }

    /// All values.
    @inline(__always)
    func decode(_ record: RecordView) -> BookRow {
        BookRow(
            title: record.string(at: title.offset), author: record.string(at: author.offset),
            year: record.load(at: year.offset, as: Int32.self),
            rating: Double(bitPattern: record.load(at: rating.offset, as: UInt64.self)),
            isbn: record.string(at: isbn.offset), available: isAvailable(record),
            shelf: shelfNumber(record))
    }

    /// Whether the book can be lent.
    @inline(__always)
    func isAvailable(_ record: RecordView) -> Bool {
        record.load(at: available.offset, as: UInt8.self) != 0
    }

    /// The year alone.
    @inline(__always)
    func year(_ record: RecordView) -> Int64 {
        Int64(record.load(at: year.offset, as: Int32.self))
    }

    /// The number of the book's shelf; below zero for none.
    @inline(__always)
    private func shelfNumber(_ record: RecordView) -> Int64 {
        if record.isNull(shelf.position) { return -1 }
        return Int64(ObjectKey(rawValue: record.load(at: shelf.offset, as: UInt64.self)).row) - 1
    }

    /// Fills a draft, which may be that of another book.
    @inline(__always)
    func fill(_ draft: RecordDraft, from row: BookRow, shelf key: ObjectKey?) {
        draft[title.position] = .string(row.title)
        draft[author.position] = .string(row.author)
        draft[year.position] = .integer32(row.year)
        draft[rating.position] = .double(row.rating)
        draft[isbn.position] = .string(row.isbn)
        draft[available.position] = .boolean(row.available)
        draft[shelf.position] = key.map { .objectID($0) } ?? .null
    }
}
