// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import RecordFormat
import Schema
import Store

/// A file of books and shelves in the layers below managed objects: records, links and indexes.
struct StoredLibrary: Sendable {
    static let bookName = "ShelvedBook"

    let store: Store
    let books: EntityTable
    let shelves: EntityTable
    /// From a shelf to its books.
    let shelved: RelationshipTable
    /// Where a book's values lie.
    let fields: StoredBook
    /// Where a shelf's name lies.
    private let shelfName: Int

    /// Opens a file, creating it if there is none.
    init(path: String) throws {
        store = try Store.open(at: path, schema: try Self.schema(), uuid: .random())
        guard let books = store.table(named: Self.bookName),
            let shelves = store.table(named: "Shelf"),
            let shelved = shelves.relationship(named: "books"),
            let name = shelves.field(named: "name")
        else { throw BenchmarkError("\(path) is no library of books") }
        self.books = books
        self.shelves = shelves
        self.shelved = shelved
        fields = try StoredBook(books)
        shelfName = shelves.layout.fields[name].offset
    }

    /// What `ShelfModel` makes of descriptions.
    private static func schema() throws -> Schema {
        let book = Entity(
            name: bookName,
            attributes: [
                Attribute(name: "title", type: .string), Attribute(name: "author", type: .string),
                Attribute(name: "year", type: .integer32),
                Attribute(name: "rating", type: .double), Attribute(name: "isbn", type: .string),
                Attribute(name: "available", type: .boolean),
            ],
            relationships: [
                Relationship(name: "shelf", destination: "Shelf", inverse: "books", maxCount: 1)
            ],
            indexes: [
                Index(name: "byYear", properties: ["year"]),
                Index(name: "byISBN", properties: ["isbn"], isUnique: true),
            ])
        let shelf = Entity(
            name: "Shelf", attributes: [Attribute(name: "name", type: .string)],
            relationships: [
                Relationship(
                    name: "books", destination: bookName, inverse: "shelf", isToMany: true)
            ])
        return try Schema(entities: [book, shelf])
    }

    /// The key of the book that was imported at a position.
    @inline(__always)
    func book(_ position: Int) -> ObjectKey {
        ObjectKey(entity: books.number, row: UInt64(position) + 1)
    }

    /// The key of a shelf.
    @inline(__always)
    func shelf(_ number: Int64) -> ObjectKey? {
        number < 0 ? nil : ObjectKey(entity: shelves.number, row: UInt64(number) + 1)
    }

    func name(ofShelf record: RecordView) -> String { record.string(at: shelfName) }

    /// Writes the shelves, then the books.
    func fill(_ source: BookSource, shelfCount: Int, commitSize: Int) throws {
        try store.write { save in
            var encoder = RecordEncoder()
            var row = try save.allocateRows(shelfCount, in: shelves)
            for number in 0..<shelfCount {
                let draft = RecordDraft.make(values: [.string(BookGenerator.shelfName(number))])
                let record = encoder.encode(
                    layout: shelves.layout, version: 1, base: nil, draft: draft,
                    resolve: { $0 })
                try save.insert(
                    record, for: ObjectKey(entity: shelves.number, row: row), in: shelves)
                row += 1
            }
        }
        // The books of a commit are asked for while it is under way, as that of one may be all.
        var next = source.next(min(Self.chunkSize, commitSize))
        while !next.isEmpty {
            var isRepeated = false
            try store.write { save in
                guard !isRepeated else {
                    throw BenchmarkError("the map grew during an import, which begins with it")
                }
                isRepeated = true
                var count = 0
                let writer = BookWriter(self)
                var encoder = RecordEncoder()
                while !next.isEmpty {
                    try writer.insert(next, &encoder, save)
                    count += next.count
                    next = source.next(min(Self.chunkSize, commitSize))
                    if count >= commitSize { break }
                }
            }
        }
    }

    private static let chunkSize = 1_000
}

/// Writes books with a draft that it keeps; for one thread.
struct BookWriter {
    private let library: StoredLibrary
    private let draft: RecordDraft

    init(_ library: StoredLibrary) {
        self.library = library
        draft = .makeNull(fieldCount: library.books.fields.count)
    }

    /// Inserts books behind all others.
    func insert(
        _ rows: [BookRow], _ encoder: inout RecordEncoder, _ save: SaveTransaction
    ) throws {
        let table = library.books
        var row = try save.allocateRows(rows.count, in: table)
        for book in rows {
            let key = ObjectKey(entity: table.number, row: row)
            let shelf = library.shelf(book.shelf)
            library.fields.fill(draft, from: book, shelf: shelf)
            let record = encoder.encode(
                layout: table.layout, version: 1, base: nil, draft: draft, resolve: { $0 })
            try save.insert(record, for: key, in: table)
            if let shelf { save.link(shelf, to: key, library.shelved) }
            row += 1
        }
    }
}
