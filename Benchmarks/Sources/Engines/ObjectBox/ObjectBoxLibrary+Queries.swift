// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

extension ObjectBoxLibrary {
    /// What a visitor of results adds up.
    private struct Sum {
        var total: Int64 = 0
        var found: UInt64?
    }

    func range(_ years: ClosedRange<Int32>) throws -> Int64 {
        try reading(Self.book) { cursor, _ in
            var total: Int64 = 0
            try forEach(of: years, cursor) { total += $0.weight }
            return total
        }
    }

    /// Calls a body with the books of some years.
    func forEach(
        of years: ClosedRange<Int32>, _ cursor: OpaquePointer, _ body: (BookRow) -> Void
    ) throws {
        let query = try makeQuery {
            functions.between(
                $0, Property.year.rawValue, Int64(years.lowerBound), Int64(years.upperBound))
        }
        defer { _ = functions.closeQuery(query) }
        try withoutActuallyEscaping(body) { body in
            var body = body
            // SAFETY: the visitor gets the address of a closure that outlives the call, as that
            // type.
            try withUnsafeMutablePointer(to: &body) { body in
                try functions.check(
                    functions.visit(
                        query, cursor,
                        { bytes, size, body in
                            let record = UnsafeRawBufferPointer(start: bytes, count: size)
                            body?.assumingMemoryBound(to: ((BookRow) -> Void).self)
                                .pointee(ObjectBoxRecord.decode(record))
                            return true
                        }, UnsafeMutableRawPointer(body)))
            }
        }
    }

    func lookUp(_ wanted: [String], keepsQuery: Bool) throws -> Int64 {
        try reading(Self.book) { cursor, _ in
            var sum = Sum()
            var kept: OpaquePointer?
            defer { if let kept { _ = functions.closeQuery(kept) } }
            for isbn in wanted {
                let query = try kept ?? makeQuery(isbn)
                if keepsQuery {
                    kept = query
                    try setParameter(isbn, of: query)
                }
                try find(query, cursor, &sum)
                if !keepsQuery { _ = functions.closeQuery(query) }
            }
            return sum.total
        }
    }

    func findOrCreate(_ wanted: [String]) throws -> Checksum {
        var count: Int64 = 0
        let query = try makeQuery("")
        defer { _ = functions.closeQuery(query) }
        try writing(Self.book) { cursor in
            for isbn in wanted {
                var sum = Sum()
                try setParameter(isbn, of: query)
                try find(query, cursor, &sum)
                guard let id = sum.found else {
                    try add(BookRow(new: isbn), cursor)
                    continue
                }
                var bytes: UnsafeRawPointer?
                var size = 0
                try functions.check(functions.get(cursor, id, &bytes, &size))
                buffer.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: size))
                ObjectBoxRecord.toggleAvailable(in: buffer)
                try functions.check(functions.put(cursor, id, buffer.baseAddress, size))
                count += 1
            }
        }
        return .of(count)
    }

    @inline(__always)
    private func find(_ query: OpaquePointer, _ cursor: OpaquePointer, _ sum: inout Sum) throws {
        try functions.check(
            functions.visit(
                query, cursor,
                { bytes, size, sum in
                    let record = UnsafeRawBufferPointer(start: bytes, count: size)
                    let sum = sum?.assumingMemoryBound(to: Sum.self)
                    sum?.pointee.total += Int64(ObjectBoxRecord.year(record))
                    sum?.pointee.found = ObjectBoxRecord.id(record)
                    return false
                }, &sum))
    }

    @inline(__always)
    private func setParameter(_ isbn: String, of query: OpaquePointer) throws {
        try functions.check(
            functions.setParameter(query, Self.book, Property.isbn.rawValue, isbn))
    }

    private func makeQuery(_ isbn: String) throws -> OpaquePointer {
        try makeQuery { functions.equals($0, Property.isbn.rawValue, isbn, true) }
    }

    private func makeQuery(_ add: (OpaquePointer) -> Int32) throws -> OpaquePointer {
        let builder = try functions.check(functions.queryBuilder(store, Self.book))
        defer { _ = functions.closeBuilder(builder) }
        // A condition is numbered from 1.
        guard add(builder) > 0 else { throw functions.failure() }
        return try functions.check(functions.query(builder))
    }
}
