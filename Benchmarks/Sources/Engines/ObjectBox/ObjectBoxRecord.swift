// SPDX-License-Identifier: Apache-2.0

/// A book as a FlatBuffers table, whose fields lie always at the same places.
///
/// The root's offset, the table of fields, the table, then the three texts, each with its size
/// before it and a zero behind it.
enum ObjectBoxRecord {
    // The table begins where its numbers of eight bytes are aligned.
    private static let table = 28
    private static let tableSize = 52
    private static let id = table + 4
    private static let rating = table + 12
    private static let shelf = table + 20
    private static let title = table + 28
    private static let author = table + 32
    private static let isbn = table + 36
    private static let year = table + 40
    private static let available = table + 44

    /// Writes a book with its ID and its shelf's, and returns the size.
    static func encode(
        _ book: BookRow, _ number: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        let places = [id, title, author, year, rating, isbn, available, shelf]
        writeHead(places, buffer)
        buffer.storeBytes(of: number, toByteOffset: id, as: UInt64.self)
        buffer.storeBytes(of: book.rating, toByteOffset: rating, as: Double.self)
        buffer.storeBytes(of: UInt64(book.shelf + 1), toByteOffset: shelf, as: UInt64.self)
        buffer.storeBytes(of: book.year, toByteOffset: year, as: Int32.self)
        buffer.storeBytes(
            of: book.available ? 1 : 0, toByteOffset: available, as: UInt32.self)
        var end = table + tableSize
        append(book.title, title, buffer, &end)
        append(book.author, author, buffer, &end)
        append(book.isbn, isbn, buffer, &end)
        return end
    }

    /// Writes a shelf: its ID and its name.
    static func encodeShelf(
        _ name: String, _ number: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        writeHead([id, title], buffer)
        buffer.storeBytes(of: number, toByteOffset: id, as: UInt64.self)
        var end = table + tableSize
        append(name, title, buffer, &end)
        return end
    }

    /// Writes the root's offset, and the table of fields: sizes, and where each field is.
    @inline(__always)
    private static func writeHead(_ places: [Int], _ buffer: UnsafeMutableRawBufferPointer) {
        let fields = table - 4 - 2 * places.count
        buffer.storeBytes(of: UInt32(table), toByteOffset: 0, as: UInt32.self)
        buffer.storeBytes(of: 0, toByteOffset: 4, as: UInt32.self)
        buffer.storeBytes(
            of: UInt16(4 + 2 * places.count), toByteOffset: fields, as: UInt16.self)
        buffer.storeBytes(of: UInt16(tableSize), toByteOffset: fields + 2, as: UInt16.self)
        for (index, place) in places.enumerated() {
            buffer.storeBytes(
                of: UInt16(place - table), toByteOffset: fields + 4 + 2 * index, as: UInt16.self)
        }
        buffer.storeBytes(of: Int32(table - fields), toByteOffset: table, as: Int32.self)
    }

    @inline(__always)
    private static func append(
        _ text: String, _ place: Int, _ buffer: UnsafeMutableRawBufferPointer, _ end: inout Int
    ) {
        buffer.storeBytes(of: UInt32(end - place), toByteOffset: place, as: UInt32.self)
        text.withBytes { bytes in
            buffer.storeBytes(of: UInt32(bytes.count), toByteOffset: end, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: buffer[(end + 4)...]).copyMemory(from: bytes)
            end += 4 + bytes.count
        }
        // A zero, and as many more as the next size has to be aligned by.
        repeat {
            buffer[end] = 0
            end += 1
        } while end % 4 != 0
    }

    @inline(__always)
    static func setYear(_ value: Int32, in record: UnsafeMutableRawBufferPointer) {
        record.storeBytes(of: value, toByteOffset: year, as: Int32.self)
    }

    @inline(__always)
    static func toggleAvailable(in record: UnsafeMutableRawBufferPointer) {
        record[available] ^= 1
    }

    @inline(__always)
    static func id(_ record: UnsafeRawBufferPointer) -> UInt64 {
        record.loadUnaligned(fromByteOffset: id, as: UInt64.self)
    }

    @inline(__always)
    static func year(_ record: UnsafeRawBufferPointer) -> Int32 {
        record.loadUnaligned(fromByteOffset: year, as: Int32.self)
    }

    /// The name of a shelf.
    static func name(_ record: UnsafeRawBufferPointer) -> String { text(record, title) }

    /// All values of a book.
    @inline(__always)
    static func decode(_ record: UnsafeRawBufferPointer) -> BookRow {
        let shelf = record.loadUnaligned(fromByteOffset: shelf, as: UInt64.self)
        return BookRow(
            title: text(record, title), author: text(record, author), year: year(record),
            rating: record.loadUnaligned(fromByteOffset: rating, as: Double.self),
            isbn: text(record, isbn), available: record[available] != 0,
            shelf: Int64(shelf) - 1)
    }

    @inline(__always)
    private static func text(_ record: UnsafeRawBufferPointer, _ place: Int) -> String {
        let start = place + Int(record.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        let size = Int(record.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        return String(
            decoding: UnsafeRawBufferPointer(rebasing: record[start + 4..<start + 4 + size]),
            as: UTF8.self)
    }
}
