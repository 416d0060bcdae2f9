// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

extension ObjectBoxLibrary {
    /// Does what an ID, an index or a relation answers.
    func run(_ task: LibraryTask, _ input: LibraryInput, round: Int) throws -> Checksum? {
        switch task {
        case .read: .of(try read(input.reads))
        case .all: .of(try sumYears())
        case .range: .of(try range(input.years))
        case .traverse: .of(try traverse { book, _ in book.weight })
        case .traverseIDs: .of(try traverseIDs())
        case .unique: .of(try lookUp(input.wanted, keepsQuery: false))
        case .keptUnique: .of(try lookUp(input.wanted, keepsQuery: true))
        case .findOrCreate: try findOrCreate(input.foundOrNew[round])
        case .commit: try changing(input.additions[round]) { try addAndCommit($0) }
        case .commitOnThreads: try commitOnThreads(input.additionsOnThreads[round])
        case .update:
            try writing(input.updates[round]) { cursor, id in
                try changeYear(of: id, cursor) { $0 + 1 }
            }
        case .delete:
            try writing(input.deletions[round]) { cursor, id in
                try functions.check(functions.remove(cursor, id))
            }
        case .filter, .count, .grouped, .years, .top, .sorted, .shelfName: nil
        }
    }

    /// Reads the book of the first ID.
    func first() throws -> Checksum { .of(try read([0])) }

    /// Walks from the shelves to everything.
    func contents() throws -> Checksum { .of(try traverse { $0.digest(shelf: $1) }) }

    private func changing<Element>(
        _ elements: [Element], _ body: (Element) throws -> Void
    ) throws -> Checksum {
        for element in elements { try body(element) }
        return .of(Int64(elements.count))
    }

    private func addAndCommit(_ row: BookRow) throws {
        try writing(Self.book) { try add(row, $0) }
    }

    private func commitOnThreads(_ books: [[BookRow]]) throws -> Checksum {
        // SAFETY: the buffer that the threads share they use in a write transaction, which is one
        // thread's at a time; the store takes several threads.
        nonisolated(unsafe) let store = self
        try ThreadGroup.run(books.count) { position in
            for row in books[position] { try store.addAndCommit(row) }
        }
        return .of(Int64(books.joined().count))
    }

    private func writing(
        _ positions: [Int], _ body: (OpaquePointer, UInt64) throws -> Void
    ) throws -> Checksum {
        try writing(Self.book) { cursor in
            for position in positions { try body(cursor, UInt64(position + 1)) }
        }
        return .of(Int64(positions.count))
    }

    @inline(__always)
    func record(_ id: UInt64, _ cursor: OpaquePointer) throws -> UnsafeRawBufferPointer {
        var bytes: UnsafeRawPointer?
        var size = 0
        try functions.check(functions.get(cursor, id, &bytes, &size))
        return UnsafeRawBufferPointer(start: bytes, count: size)
    }

    func changeYear(
        of id: UInt64, _ cursor: OpaquePointer, _ change: (Int32) -> Int32
    ) throws {
        let record = try record(id, cursor)
        buffer.copyMemory(from: record)
        ObjectBoxRecord.setYear(change(ObjectBoxRecord.year(record)), in: buffer)
        try functions.check(functions.put(cursor, id, buffer.baseAddress, record.count))
    }

    private func read(_ positions: [Int]) throws -> Int64 {
        try reading(Self.book) { cursor, _ in
            var total: Int64 = 0
            for position in positions {
                total += ObjectBoxRecord.decode(try record(UInt64(position + 1), cursor)).weight
            }
            return total
        }
    }

    private func sumYears() throws -> Int64 {
        try reading(Self.book) { cursor, _ in
            var total: Int64 = 0
            try scan(cursor) { total += Int64(ObjectBoxRecord.year($0)) }
            return total
        }
    }

    @inline(__always)
    private func scan(
        _ cursor: OpaquePointer, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let notFound: Int32 = 404
        var bytes: UnsafeRawPointer?
        var size = 0
        var code = functions.first(cursor, &bytes, &size)
        while code == 0 {
            try body(UnsafeRawBufferPointer(start: bytes, count: size))
            code = functions.next(cursor, &bytes, &size)
        }
        if code != notFound { throw functions.failure() }
    }

    private func traverse(_ weight: (BookRow, String) -> Int64) throws -> Int64 {
        try reading(Self.shelf) { shelves, transaction in
            let books = try functions.check(functions.cursor(transaction, Self.book))
            defer { _ = functions.closeCursor(books) }
            var total: Int64 = 0
            try scan(shelves) { shelf in
                let name = ObjectBoxRecord.name(shelf)
                // An array of pointers and sizes, and their number.
                let list = functions.backlinks(
                    books, Self.book, Property.shelf.rawValue, ObjectBoxRecord.id(shelf))
                guard let list else { throw functions.failure() }
                defer { functions.freeList(list) }
                let count = list.load(fromByteOffset: 8, as: Int.self)
                guard count > 0 else { return }
                let items = list.load(as: UnsafeRawPointer.self)
                for index in 0..<count {
                    let bytes = items.load(fromByteOffset: index * 16, as: UnsafeRawPointer.self)
                    let size = items.load(fromByteOffset: index * 16 + 8, as: Int.self)
                    let record = UnsafeRawBufferPointer(start: bytes, count: size)
                    total &+= weight(ObjectBoxRecord.decode(record), name)
                }
            }
            return total
        }
    }

    private func traverseIDs() throws -> Int64 {
        var result = LinkCount()
        var found: ContiguousArray<UInt64> = []
        try reading(Self.shelf) { shelves, transaction in
            let books = try functions.check(functions.cursor(transaction, Self.book))
            defer { _ = functions.closeCursor(books) }
            try scan(shelves) { shelf in
                found.removeAll(keepingCapacity: true)
                // An array of IDs, and their number.
                let list = functions.backlinkIDs(
                    books, Self.book, Property.shelf.rawValue, ObjectBoxRecord.id(shelf))
                guard let list else { throw functions.failure() }
                defer { functions.freeIDs(list) }
                let count = list.load(fromByteOffset: 8, as: Int.self)
                if count > 0 {
                    let ids = list.load(as: UnsafePointer<UInt64>.self)
                    found.append(contentsOf: UnsafeBufferPointer(start: ids, count: count))
                }
                result.add(found.count)
            }
        }
        return result.weight
    }
}
