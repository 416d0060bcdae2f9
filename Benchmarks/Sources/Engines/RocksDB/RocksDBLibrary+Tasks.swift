// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

extension RocksDBLibrary {
    /// Does what a key or an index answers; RocksDB knows no other questions.
    func run(_ task: LibraryTask, _ input: LibraryInput, round: Int) throws -> Checksum? {
        switch task {
        case .read: .of(try read(input.reads))
        case .all:
            .of(
                try scan(.book) { _, value in
                    Int64(PackedBook.year(value))
                })
        case .range: .of(try range(input.years))
        case .traverse: .of(try traverse { book, _ in book.weight })
        case .traverseIDs: .of(try traverseIDs())
        case .unique, .keptUnique: .of(try lookUp(input.wanted))
        case .findOrCreate: try findOrCreate(input.foundOrNew[round])
        case .commit: try changing(input.additions[round]) { try addAndCommit($0) }
        case .commitOnThreads: try commitOnThreads(input.additionsOnThreads[round])
        case .update:
            try changing(input.updates[round], commits: true) { try update(UInt64($0 + 1)) }
        case .delete:
            try changing(input.deletions[round], commits: true) { try delete(UInt64($0 + 1)) }
        case .filter, .count, .grouped, .years, .top, .sorted, .shelfName: nil
        }
    }

    /// Reads the book of the first ID.
    func first() throws -> Checksum { .of(try read([0])) }

    /// Walks from the shelves to everything.
    func contents() throws -> Checksum { .of(try traverse { $0.digest(shelf: $1) }) }

    private func changing<Element>(
        _ elements: [Element], commits: Bool = false, _ body: (Element) throws -> Void
    ) throws -> Checksum {
        for element in elements { try body(element) }
        if commits { try commit() }
        return .of(Int64(elements.count))
    }

    private func addAndCommit(_ book: BookRow) throws {
        try add(book)
        try commit()
    }

    private func commitOnThreads(_ books: [[BookRow]]) throws -> Checksum {
        // SAFETY: each thread uses the one of its position, which has buffers, a batch and rows of
        // its own; the database takes several threads.
        nonisolated(unsafe) let writers = books.map { makeWriter(rowCount: $0.count) }
        try ThreadGroup.run(books.count) { position in
            for row in books[position] { try writers[position].addAndCommit(row) }
        }
        return .of(Int64(books.joined().count))
    }

    private func read(_ positions: [Int]) throws -> Int64 {
        var total: Int64 = 0
        for position in positions {
            total += try book(UInt64(position + 1)) { PackedBook.decode($0).weight }
        }
        return total
    }

    private func lookUp(_ wanted: [String]) throws -> Int64 {
        var total: Int64 = 0
        for isbn in wanted {
            // A book may have been deleted.
            guard let row = try row(ofISBN: isbn) else { continue }
            total += try book(row) { Int64(PackedBook.year($0)) }
        }
        return total
    }

    private func range(_ years: ClosedRange<Int32>) throws -> Int64 {
        var total: Int64 = 0
        try forEach(of: years) { total += $0.weight }
        return total
    }

    /// Calls a body with the books of some years.
    @inline(__always)
    func forEach(of years: ClosedRange<Int32>, _ body: (BookRow) -> Void) throws {
        let iterator = functions.iterate(database, reading)
        defer { functions.endIteration(iterator) }
        let first = makeKey(.year, UInt64(years.lowerBound))
        functions.seek(iterator, first.text, first.count)
        while let key = self.key(of: iterator, .year), key.number(1) <= UInt64(years.upperBound) {
            body(try book(key.number(9)) { PackedBook.decode($0) })
            functions.advance(iterator)
        }
        try check(iterator)
    }

    @inline(__always)
    private func traverse(_ weight: (BookRow, String) -> Int64) throws -> Int64 {
        let links = functions.iterate(database, reading)
        defer { functions.endIteration(links) }
        let total = try scan(.shelf) { key, value in
            let shelf = key.number(1)
            let name = String(decoding: value, as: UTF8.self)
            let first = makeKey(.link, shelf)
            functions.seek(links, first.text, first.count)
            var total: Int64 = 0
            while let link = self.key(of: links, .link), link.number(1) == shelf {
                total &+= try book(link.number(9)) { weight(PackedBook.decode($0), name) }
                functions.advance(links)
            }
            return total
        }
        try check(links)
        return total
    }

    private func traverseIDs() throws -> Int64 {
        let links = functions.iterate(database, reading)
        defer { functions.endIteration(links) }
        var result = LinkCount()
        var found: ContiguousArray<UInt64> = []
        _ = try scan(.shelf) { key, _ in
            let shelf = key.number(1)
            let first = makeKey(.link, shelf)
            functions.seek(links, first.text, first.count)
            found.removeAll(keepingCapacity: true)
            while let link = self.key(of: links, .link), link.number(1) == shelf {
                found.append(link.number(9))
                functions.advance(links)
            }
            result.add(found.count)
            return 0
        }
        try check(links)
        return result.weight
    }

    /// Sums something over all entries of a kind.
    @inline(__always)
    private func scan(
        _ kind: Kind, _ weight: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Int64
    ) throws -> Int64 {
        let iterator = functions.iterate(database, reading)
        defer { functions.endIteration(iterator) }
        let first = makeKey(kind, 0)
        functions.seek(iterator, first.text, first.count)
        var total: Int64 = 0
        while let key = self.key(of: iterator, kind) {
            var size = 0
            let value = functions.iteratorValue(iterator, &size)
            total &+= try weight(key, UnsafeRawBufferPointer(start: value, count: size))
            functions.advance(iterator)
        }
        try check(iterator)
        return total
    }

    private func update(_ row: UInt64) throws { try changeYear(of: row) { $0 + 1 } }

    func changeYear(of row: UInt64, _ change: (Int32) -> Int32) throws {
        let (size, year) = try copy(row)
        let new = change(year)
        PackedBook.setYear(new, in: buffer)
        put(makeKey(.book, row), UnsafeRawBufferPointer(rebasing: buffer[..<size]))
        delete(makeKey(.year, UInt64(year), row))
        put(makeKey(.year, UInt64(new), row), UnsafeRawBufferPointer(start: nil, count: 0))
    }

    private func delete(_ row: UInt64) throws {
        let book = try book(row) { PackedBook.decode($0) }
        delete(makeKey(book.isbn))
        delete(makeKey(.year, UInt64(book.year), row))
        delete(makeKey(.link, UInt64(book.shelf), row))
        delete(makeKey(.book, row))
    }

    private func findOrCreate(_ wanted: [String]) throws -> Checksum {
        var found: Int64 = 0
        for isbn in wanted {
            guard let row = try row(ofISBN: isbn) else {
                try add(BookRow(new: isbn))
                continue
            }
            let (size, _) = try copy(row)
            PackedBook.toggleAvailable(in: buffer)
            put(makeKey(.book, row), UnsafeRawBufferPointer(rebasing: buffer[..<size]))
            found += 1
        }
        try commit()
        return .of(found)
    }

    /// Copies a record to the buffer.
    private func copy(_ row: UInt64) throws -> (size: Int, year: Int32) {
        try book(row) { record in
            buffer.copyMemory(from: record)
            return (record.count, PackedBook.year(record))
        }
    }
}
