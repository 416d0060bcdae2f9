// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// The full library in RocksDB through its C API, if its library is installed.
///
/// One key space: a letter for the kind, then numbers whose bytes sort as they do. The entries that
/// find a book are written in the batch that has the book.
final class RocksDBLibrary: LibraryStore {
    static let name = "RocksDB"
    static let variable = "LODE_BENCH_ROCKSDB"

    private static let library = Result<DynamicLibrary, any Error> {
        try DynamicLibrary(
            ["librocksdb.so", "librocksdb.so.7.8", "librocksdb.dylib"], variable: variable)
    }

    /// Its functions, or why there are none.
    static let functions = Result<RocksDBFunctions, any Error> {
        try RocksDBFunctions(library.get())
    }

    /// The engine, or why there is none.
    static let found = Result<LibraryEngine, any Error> {
        let functions = try RocksDBLibrary.functions.get()
        return LibraryEngine(
            name,
            settings: "\(try library.get().file), a batch a commit, each synced; a block cache of "
                + "256 MiB, a Bloom filter of 10 bits, else the library's defaults; ISBNs are "
                + "looked up before they are put (by several threads without regard to each other)"
        ) { try RocksDBLibrary(path: $0, functions) }
    }

    let functions: RocksDBFunctions
    let database: OpaquePointer
    private let writing: OpaquePointer?
    let reading: OpaquePointer?
    let batch: OpaquePointer?
    private var nextRow: UInt64 = 1
    /// ISBNs that a batch has, which a look-up does not see.
    private var unwritten: Set<String> = []
    // One buffer each for all keys and records; only the thread that runs the workload uses them.
    let key = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
    let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: PackedBook.byteLimit, alignment: 8)

    /// Opens a folder, creating it if there is none.
    init(path: String, _ functions: RocksDBFunctions) throws {
        self.functions = functions
        let options = functions.create()
        functions.setCreates(options, 1)
        functions.setParallelism(options, 2)
        let table = functions.createTableOptions()
        functions.setCache(table, functions.createCache(256 << 20))
        functions.setFilter(table, functions.createFilter(10))
        functions.setTableFactory(options, table)
        guard let opened = try functions.check({ functions.open(options, path, $0) }) else {
            throw BenchmarkError("RocksDB opened nothing at \(path)")
        }
        database = opened
        writing = functions.createWriteOptions()
        functions.setSync(writing, 1)
        reading = functions.createReadOptions()
        batch = functions.createBatch()
    }

    /// Uses the database of another, for another thread.
    init(sharing other: RocksDBLibrary) {
        functions = other.functions
        database = other.database
        writing = other.writing
        reading = functions.createReadOptions()
        batch = functions.createBatch()
    }

    /// Makes a writer for another thread, with rows that are its own.
    func makeWriter(rowCount: Int) -> RocksDBLibrary {
        let writer = RocksDBLibrary(sharing: self)
        writer.nextRow = nextRow
        nextRow += UInt64(rowCount)
        return writer
    }

    /// Does something that reads one state.
    func readingSnapshot<Result>(_ body: () throws -> Result) rethrows -> Result {
        let snapshot = functions.createSnapshot(database)
        functions.setSnapshot(reading, snapshot)
        defer {
            functions.setSnapshot(reading, nil)
            functions.releaseSnapshot(database, snapshot)
        }
        return try body()
    }

    deinit {
        functions.endReadOptions(reading)
        functions.endBatch(batch)
        key.deallocate()
        buffer.deallocate()
    }

    /// Writes the shelves, then the books in synced batches.
    func fill(_ source: BookSource, shelfCount: Int, commitSize: Int) throws {
        for shelf in 0..<shelfCount {
            BookGenerator.shelfName(shelf).withBytes { put(makeKey(.shelf, UInt64(shelf)), $0) }
        }
        try commit()
        var uncommitted = 0
        while let book = source.next() {
            try add(book)
            uncommitted += 1
            guard uncommitted == commitSize else { continue }
            try commit()
            uncommitted = 0
        }
        try commit()
    }

    /// Nothing but the next row: rows follow from positions.
    func prepare(_ input: LibraryInput) { nextRow = UInt64(input.bookCount + 1) }

    /// Adds a book and what finds it to the batch.
    @inline(__always)
    func add(_ book: BookRow) throws {
        guard unwritten.insert(book.isbn).inserted, try row(ofISBN: book.isbn) == nil else {
            throw BenchmarkError("\(book.isbn) is there twice")
        }
        let size = PackedBook.encode(book, into: buffer)
        put(makeKey(.book, nextRow), UnsafeRawBufferPointer(rebasing: buffer[..<size]))
        withUnsafeBytes(of: nextRow) { row in
            put(makeKey(book.isbn), row)
        }
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        put(makeKey(.year, UInt64(book.year), nextRow), none)
        if book.shelf >= 0 { put(makeKey(.link, UInt64(book.shelf), nextRow), none) }
        nextRow += 1
    }

    /// Writes the batch.
    func commit() throws {
        try functions.check { functions.write(database, writing, batch, $0) }
        functions.clear(batch)
        unwritten.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        functions.put(batch, key.text, key.count, value.text, value.count)
    }

    @inline(__always)
    func delete(_ key: UnsafeRawBufferPointer) { functions.delete(batch, key.text, key.count) }

    /// Closes the database.
    func close() { functions.close(database) }
}

extension UnsafeRawBufferPointer {
    /// The bytes as C functions want them.
    var text: UnsafePointer<CChar>? { baseAddress?.assumingMemoryBound(to: CChar.self) }
}
