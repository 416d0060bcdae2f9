// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CRawLMDB

extension RawLibrary {
    /// Does what a key or an index answers; LMDB knows no other questions.
    func run(_ task: LibraryTask, _ input: LibraryInput, round: Int) throws -> Checksum? {
        switch task {
        case .read: try reading { try .of(read(input.reads, $0)) }
        case .all: try reading { try .of(sumYears($0)) }
        case .range: try reading { try .of(range(input.years, $0)) }
        case .traverse: try reading { try .of(traverse($0) { $0.weight }) }
        case .traverseIDs: try reading { try .of(traverseIDs($0)) }
        case .unique, .keptUnique: try reading { try .of(lookUp(input.wanted, $0)) }
        case .commit:
            try changing(input.additions[round].count) {
                for row in input.additions[round] { try writing { try add(row, $0) } }
            }
        case .commitOnThreads: try commitOnThreads(input.additionsOnThreads[round])
        case .update:
            try changing(input.updates[round].count) {
                try writing { transaction in
                    if isSorted { return try updateSorted(input.updates[round], transaction) }
                    for position in input.updates[round] {
                        try update(UInt64(position + 1), transaction)
                    }
                }
            }
        case .delete:
            try changing(input.deletions[round].count) {
                try writing { transaction in
                    if isSorted { return try deleteSorted(input.deletions[round], transaction) }
                    for position in input.deletions[round] {
                        try delete(UInt64(position + 1), transaction)
                    }
                }
            }
        case .findOrCreate: try findOrCreate(input.foundOrNew[round])
        case .filter, .count, .grouped, .years, .top, .sorted, .shelfName: nil
        }
    }

    private func commitOnThreads(_ books: [[BookRow]]) throws -> Checksum {
        // SAFETY: what the threads share, they use in a write transaction, which is one thread's at
        // a time.
        nonisolated(unsafe) let store = self
        try ThreadGroup.run(books.count) { position in
            for row in books[position] { try store.writing { try store.add(row, $0) } }
        }
        return .of(Int64(books.joined().count))
    }

    private func changing(_ count: Int, _ body: () throws -> Void) rethrows -> Checksum {
        try body()
        return .of(Int64(count))
    }

    /// Reads the record of the first row.
    func first() throws -> Checksum { try reading { try .of(read([0], $0)) } }

    /// Walks from the shelves to everything.
    func contents() throws -> Checksum {
        try reading { transaction in
            let shelf = try cursor(shelves, transaction)
            defer { mdb_cursor_close(shelf) }
            return .of(
                try traverse(transaction) { book in
                    var key = MDB_val()
                    var name = MDB_val()
                    let code = seek(UInt64(book.shelf), shelf, MDB_SET, &key, &name)
                    guard code == 0 else { return 0 }
                    return book.digest(
                        shelf: String(decoding: UnsafeRawBufferPointer(name), as: UTF8.self))
                })
        }
    }

    @inline(__always)
    func record(
        _ row: UInt64, _ transaction: OpaquePointer?
    ) throws -> UnsafeRawBufferPointer {
        try withUnsafeBytes(of: row) { row in
            var key = MDB_val(row)
            var value = MDB_val()
            try check(mdb_get(transaction, books, &key, &value))
            return UnsafeRawBufferPointer(value)
        }
    }

    /// Moves a cursor to a number.
    ///
    /// - Parameter key: The key that `MDB_SET_RANGE` has found; otherwise it must not be read.
    @inline(__always)
    private func seek(
        _ number: UInt64, _ cursor: OpaquePointer?, _ operation: MDB_cursor_op,
        _ key: inout MDB_val, _ value: inout MDB_val
    ) -> Int32 {
        withUnsafeBytes(of: number) { bytes in
            key = MDB_val(bytes)
            return mdb_cursor_get(cursor, &key, &value, operation)
        }
    }

    private func read(_ positions: [Int], _ transaction: OpaquePointer?) throws -> Int64 {
        var total: Int64 = 0
        for position in positions {
            total += PackedBook.decode(try record(UInt64(position + 1), transaction)).weight
        }
        return total
    }

    private func sumYears(_ transaction: OpaquePointer?) throws -> Int64 {
        let cursor = try cursor(books, transaction)
        defer { mdb_cursor_close(cursor) }
        var total: Int64 = 0
        var key = MDB_val()
        var value = MDB_val()
        while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
            total += Int64(PackedBook.year(UnsafeRawBufferPointer(value)))
        }
        return total
    }

    private func lookUp(_ wanted: [String], _ transaction: OpaquePointer?) throws -> Int64 {
        var total: Int64 = 0
        for isbn in wanted {
            var row = MDB_val()
            let code = isbn.withBytes { isbn in
                var name = MDB_val(isbn)
                return mdb_get(transaction, byISBN, &name, &row)
            }
            // A book may have been deleted.
            if code == MDB_NOTFOUND { continue }
            try check(code)
            var value = MDB_val()
            try check(mdb_get(transaction, books, &row, &value))
            total += Int64(PackedBook.year(UnsafeRawBufferPointer(value)))
        }
        return total
    }

    private func range(
        _ years: ClosedRange<Int32>, _ transaction: OpaquePointer?
    ) throws -> Int64 {
        var total: Int64 = 0
        try forEach(of: years, transaction) { total += $0.weight }
        return total
    }

    /// Calls a body with the books of some years.
    @inline(__always)
    func forEach(
        of years: ClosedRange<Int32>, _ transaction: OpaquePointer?, _ body: (BookRow) -> Void
    ) throws {
        let cursor = try cursor(byYear, transaction)
        defer { mdb_cursor_close(cursor) }
        var key = MDB_val()
        var row = MDB_val()
        var code = seek(UInt64(years.lowerBound), cursor, MDB_SET_RANGE, &key, &row)
        while code == 0, key.mv_data.loadUnaligned(as: UInt64.self) <= UInt64(years.upperBound) {
            var value = MDB_val()
            try check(mdb_get(transaction, books, &row, &value))
            body(PackedBook.decode(UnsafeRawBufferPointer(value)))
            code = mdb_cursor_get(cursor, &key, &row, MDB_NEXT)
        }
    }

    @inline(__always)
    private func traverse(
        _ transaction: OpaquePointer?, _ weight: (BookRow) -> Int64
    ) throws -> Int64 {
        let shelf = try cursor(shelves, transaction)
        let links = try cursor(byShelf, transaction)
        defer {
            mdb_cursor_close(shelf)
            mdb_cursor_close(links)
        }
        var total: Int64 = 0
        var key = MDB_val()
        var rows = MDB_val()
        while mdb_cursor_get(shelf, &key, &rows, MDB_NEXT) == 0 {
            guard mdb_cursor_get(links, &key, &rows, MDB_SET) == 0 else { continue }
            var code = mdb_cursor_get(links, &key, &rows, MDB_GET_MULTIPLE)
            while code == 0 {
                let numbers = UnsafeRawBufferPointer(rows)
                for offset in stride(from: 0, to: numbers.count, by: 8) {
                    let row = numbers.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    total &+= weight(PackedBook.decode(try record(row, transaction)))
                }
                code = mdb_cursor_get(links, &key, &rows, MDB_NEXT_MULTIPLE)
            }
        }
        return total
    }

    private func traverseIDs(_ transaction: OpaquePointer?) throws -> Int64 {
        let shelf = try cursor(shelves, transaction)
        let links = try cursor(byShelf, transaction)
        defer {
            mdb_cursor_close(shelf)
            mdb_cursor_close(links)
        }
        var result = LinkCount()
        var found: ContiguousArray<UInt64> = []
        var key = MDB_val()
        var rows = MDB_val()
        while mdb_cursor_get(shelf, &key, &rows, MDB_NEXT) == 0 {
            found.removeAll(keepingCapacity: true)
            var code = mdb_cursor_get(links, &key, &rows, MDB_SET)
            if code == 0 { code = mdb_cursor_get(links, &key, &rows, MDB_GET_MULTIPLE) }
            while code == 0 {
                let numbers = UnsafeRawBufferPointer(rows)
                for offset in stride(from: 0, to: numbers.count, by: 8) {
                    found.append(numbers.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                }
                code = mdb_cursor_get(links, &key, &rows, MDB_NEXT_MULTIPLE)
            }
            result.add(found.count)
        }
        return result.weight
    }

    private func update(_ row: UInt64, _ transaction: OpaquePointer?) throws {
        try changeYear(of: row, transaction) { $0 + 1 }
    }

    func changeYear(
        of row: UInt64, _ transaction: OpaquePointer?, _ change: (Int32) -> Int32
    ) throws {
        let (year, new) = try changeRecord(of: row, transaction, change)
        try delete(UInt64(year), row, in: byYear, transaction)
        try withUnsafeBytes(of: row) { try put(UInt64(new), $0, in: byYear, transaction) }
    }

    /// Changes the year in a record alone; returns both years.
    func changeRecord(
        of row: UInt64, _ transaction: OpaquePointer?, _ change: (Int32) -> Int32
    ) throws -> (old: Int32, new: Int32) {
        let record = try record(row, transaction)
        // The map is read-only: a record is changed in a copy.
        buffer.copyMemory(from: record)
        let year = PackedBook.year(record)
        let new = change(year)
        PackedBook.setYear(new, in: buffer)
        try put(
            row, UnsafeRawBufferPointer(rebasing: buffer[..<record.count]), in: books, transaction)
        return (year, new)
    }

    private func findOrCreate(_ wanted: [String]) throws -> Checksum {
        var found: Int64 = 0
        try writing { transaction in
            for isbn in wanted {
                var key = MDB_val()
                let code = isbn.withBytes { isbn in
                    var name = MDB_val(isbn)
                    return mdb_get(transaction, byISBN, &name, &key)
                }
                if code == MDB_NOTFOUND {
                    try add(BookRow(new: isbn), transaction)
                    continue
                }
                try check(code)
                let row = key.mv_data.loadUnaligned(as: UInt64.self)
                let record = try record(row, transaction)
                buffer.copyMemory(from: record)
                PackedBook.toggleAvailable(in: buffer)
                try put(
                    row, UnsafeRawBufferPointer(rebasing: buffer[..<record.count]), in: books,
                    transaction)
                found += 1
            }
        }
        return .of(found)
    }

    private func delete(_ row: UInt64, _ transaction: OpaquePointer?) throws {
        let book = PackedBook.decode(try record(row, transaction))
        try book.isbn.withBytes { isbn in
            var name = MDB_val(isbn)
            try check(mdb_del(transaction, byISBN, &name, nil))
        }
        try delete(UInt64(book.year), row, in: byYear, transaction)
        try delete(UInt64(book.shelf), row, in: byShelf, transaction)
        try deleteRecord(row, transaction)
    }

    /// Deletes a record alone.
    func deleteRecord(_ row: UInt64, _ transaction: OpaquePointer?) throws {
        try withUnsafeBytes(of: row) { row in
            var key = MDB_val(row)
            try check(mdb_del(transaction, books, &key, nil))
        }
    }

    private func delete(
        _ key: UInt64, _ row: UInt64, in database: MDB_dbi, _ transaction: OpaquePointer?
    ) throws {
        try withUnsafeBytes(of: key) { key in
            try withUnsafeBytes(of: row) { row in
                var name = MDB_val(key)
                var value = MDB_val(row)
                try check(mdb_del(transaction, database, &name, &value))
            }
        }
    }
}
