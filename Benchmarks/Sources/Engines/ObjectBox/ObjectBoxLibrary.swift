// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// The full library in ObjectBox through its C API, if its library is installed.
final class ObjectBoxLibrary: LibraryStore {
    static let name = "ObjectBox"
    static let variable = "LODE_BENCH_OBJECTBOX"

    /// Its functions, or why there are none.
    static let functions = Result<ObjectBoxFunctions, any Error> {
        try ObjectBoxFunctions(
            DynamicLibrary(["libobjectbox.so", "libobjectbox.dylib"], variable: variable))
    }

    /// The engine, or why there is none.
    static let found = Result<LibraryEngine, any Error> {
        let functions = try ObjectBoxLibrary.functions.get()
        let version = functions.version().map { String(cString: $0) } ?? "of unknown version"
        return LibraryEngine(
            name,
            settings: "ObjectBox \(version), cursors, each commit synced, a unique ISBN by a hash "
                + "index, an index on the year, a relation to the shelf"
        ) { try ObjectBoxLibrary(path: $0, functions) }
    }

    static let shelf: UInt32 = 1
    static let book: UInt32 = 2

    /// The numbers of a book's properties in the model.
    enum Property: UInt32 {
        case id = 1
        case title, author, year, rating, isbn, available, shelf
    }

    /// The types of properties, as the library numbers them.
    private enum Kind: UInt32 {
        case bool = 1
        case int = 5
        case long = 6
        case double = 8
        case text = 9
        case relation = 11
    }

    /// What properties are beside that.
    private enum Flag {
        static let isID: UInt32 = 1
        static let isIndexed: UInt32 = 8
        static let isUnique: UInt32 = 32
        static let skipsZero: UInt32 = 512
        static let isHashed: UInt32 = 2_048
    }

    let functions: ObjectBoxFunctions
    let store: OpaquePointer
    // One buffer for all records; only write transactions use it, of which there is one at a time.
    let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: PackedBook.byteLimit, alignment: 8)

    /// Opens a folder, creating it if there is none.
    init(path: String, _ functions: ObjectBoxFunctions) throws {
        self.functions = functions
        let options = functions.options()
        try functions.check(functions.setDirectory(options, path))
        functions.setSize(options, 64 << 20)
        try functions.check(functions.setModel(options, Self.makeModel(functions)))
        store = try functions.check(functions.open(options))
    }

    deinit { buffer.deallocate() }

    private static func makeModel(_ functions: ObjectBoxFunctions) throws -> OpaquePointer {
        let model = try functions.check(functions.model())
        func add(_ name: String, _ kind: Kind, _ property: Property, _ flags: UInt32 = 0) throws {
            let number = property.rawValue
            try functions.check(
                functions.property(model, name, kind.rawValue, number, 1_000 + UInt64(number)))
            if flags != 0 { try functions.check(functions.setFlags(model, flags)) }
        }
        try functions.check(functions.entity(model, "Shelf", shelf, 11))
        try functions.check(functions.property(model, "id", Kind.long.rawValue, 1, 101))
        try functions.check(functions.setFlags(model, Flag.isID))
        try functions.check(functions.property(model, "name", Kind.text.rawValue, 2, 102))
        try functions.check(functions.setLastProperty(model, 2, 102))
        try functions.check(functions.entity(model, "Book", book, 12))
        try add("id", .long, .id, Flag.isID)
        try add("title", .text, .title)
        try add("author", .text, .author)
        try add("year", .int, .year, Flag.isIndexed)
        try functions.check(functions.setIndex(model, 1, 21))
        try add("rating", .double, .rating)
        try add("isbn", .text, .isbn, Flag.isIndexed | Flag.isUnique | Flag.isHashed)
        try functions.check(functions.setIndex(model, 2, 22))
        try add("available", .bool, .available)
        try add("shelfId", .relation, .shelf, Flag.isIndexed | Flag.skipsZero)
        try functions.check(functions.setTarget(model, "Shelf", 3, 23))
        try functions.check(
            functions.setLastProperty(
                model, Property.shelf.rawValue, 1_000 + UInt64(Property.shelf.rawValue)))
        functions.setLastEntity(model, book, 12)
        functions.setLastIndex(model, 3, 23)
        return model
    }

    /// Writes the shelves, then the books in synced transactions.
    func fill(_ source: BookSource, shelfCount: Int, commitSize: Int) throws {
        try writing(Self.shelf) { cursor in
            for number in 0..<shelfCount {
                let id = functions.makeID(cursor, 0)
                let size = ObjectBoxRecord.encodeShelf(
                    BookGenerator.shelfName(number), id, into: buffer)
                try functions.check(functions.putNew(cursor, id, buffer.baseAddress, size))
            }
        }
        // The first book of a transaction is asked for before it begins.
        var next = source.next()
        while next != nil {
            try writing(Self.book) { cursor in
                var count = 0
                while count < commitSize, let row = next {
                    try add(row, cursor)
                    count += 1
                    next = source.next()
                }
            }
        }
    }

    /// Nothing: IDs follow from positions.
    func prepare(_ input: LibraryInput) {}

    @inline(__always)
    func add(_ row: BookRow, _ cursor: OpaquePointer) throws {
        let id = functions.makeID(cursor, 0)
        let size = ObjectBoxRecord.encode(row, id, into: buffer)
        try functions.check(functions.putNew(cursor, id, buffer.baseAddress, size))
    }

    func writing(_ entity: UInt32, _ body: (OpaquePointer) throws -> Void) throws {
        let transaction = try functions.check(functions.beginWriting(store))
        do {
            let cursor = try functions.check(functions.cursor(transaction, entity))
            defer { _ = functions.closeCursor(cursor) }
            try body(cursor)
        } catch {
            _ = functions.end(transaction)
            throw error
        }
        try functions.check(functions.commit(transaction))
    }

    func reading<Result>(
        _ entity: UInt32, _ body: (OpaquePointer, _ transaction: OpaquePointer) throws -> Result
    ) throws -> Result {
        let transaction = try functions.check(functions.beginReading(store))
        defer { _ = functions.end(transaction) }
        let cursor = try functions.check(functions.cursor(transaction, entity))
        defer { _ = functions.closeCursor(cursor) }
        return try body(cursor, transaction)
    }

    /// Closes the store.
    func close() throws { try functions.check(functions.close(store)) }
}
