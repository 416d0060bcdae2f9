// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

extension RocksDBLibrary {
    /// What an entry is, by the first byte of its key.
    enum Kind: UInt8 {
        case book = 0x62
        case isbn = 0x69
        case shelf = 0x68
        case link = 0x73
        case year = 0x79
    }

    /// A key of one number, or of two; it holds until the next is made.
    @inline(__always)
    func makeKey(
        _ kind: Kind, _ first: UInt64, _ second: UInt64? = nil
    ) -> UnsafeRawBufferPointer {
        key[0] = kind.rawValue
        key.storeBytes(of: first.bigEndian, toByteOffset: 1, as: UInt64.self)
        guard let second else { return UnsafeRawBufferPointer(rebasing: key[..<9]) }
        key.storeBytes(of: second.bigEndian, toByteOffset: 9, as: UInt64.self)
        return UnsafeRawBufferPointer(rebasing: key[..<17])
    }

    /// The key of an ISBN; it holds until the next is made.
    @inline(__always)
    func makeKey(_ isbn: String) -> UnsafeRawBufferPointer {
        key[0] = Kind.isbn.rawValue
        return isbn.withBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: key[1...]).copyMemory(from: bytes)
            return UnsafeRawBufferPointer(rebasing: key[..<(bytes.count + 1)])
        }
    }

    /// The book of an ISBN; nil if there is none.
    @inline(__always)
    func row(ofISBN isbn: String) throws -> UInt64? {
        try get(makeKey(isbn)) { $0.loadUnaligned(as: UInt64.self) }
    }

    /// Does something with the record of a book.
    @inline(__always)
    func book<Result>(
        _ row: UInt64, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard let result = try get(makeKey(.book, row), body) else {
            throw BenchmarkError("book \(row) is missing")
        }
        return result
    }

    @inline(__always)
    private func get<Result>(
        _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
        let slice = try functions.check {
            functions.get(database, reading, key.text, key.count, $0)
        }
        guard let slice else { return nil }
        defer { functions.unpin(slice) }
        var size = 0
        let value = functions.value(slice, &size)
        return try body(UnsafeRawBufferPointer(start: value, count: size))
    }

    /// The key that an iterator is at, if it is of a kind.
    @inline(__always)
    func key(of iterator: OpaquePointer?, _ kind: Kind) -> UnsafeRawBufferPointer? {
        guard functions.isValid(iterator) != 0 else { return nil }
        var size = 0
        let key = UnsafeRawBufferPointer(
            start: functions.iteratorKey(iterator, &size), count: size)
        return key.first == kind.rawValue ? key : nil
    }

    /// Throws what ended an iteration early.
    func check(_ iterator: OpaquePointer?) throws {
        try functions.check { functions.iteratorFailure(iterator, $0) }
    }
}

extension UnsafeRawBufferPointer {
    /// The number in a key at an offset.
    @inline(__always)
    func number(_ offset: Int) -> UInt64 {
        UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
