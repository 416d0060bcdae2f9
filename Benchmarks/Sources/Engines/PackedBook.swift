// SPDX-License-Identifier: Apache-2.0

/// The layout of a book in the raw LMDB store: what a C program would write from a packed struct.
///
/// Numbers at fixed offsets, then the sizes of the three texts, then their bytes.
enum PackedBook {
    private static let ratingOffset = 0
    private static let shelfOffset = 8
    private static let yearOffset = 16
    private static let titleSizeOffset = 20
    private static let authorSizeOffset = 22
    private static let isbnSizeOffset = 24
    private static let availableOffset = 26
    private static let headByteCount = 27

    /// The largest record: three texts of the largest size.
    static let byteLimit = headByteCount + 3 * Int(UInt16.max)

    /// Writes a book and returns its size.
    @inline(__always)
    static func encode(_ book: BookRow, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        buffer.storeBytes(of: book.rating, toByteOffset: ratingOffset, as: Double.self)
        buffer.storeBytes(of: book.shelf, toByteOffset: shelfOffset, as: Int64.self)
        buffer.storeBytes(of: book.year, toByteOffset: yearOffset, as: Int32.self)
        buffer[availableOffset] = book.available ? 1 : 0
        var end = headByteCount
        append(book.title, titleSizeOffset, buffer, &end)
        append(book.author, authorSizeOffset, buffer, &end)
        append(book.isbn, isbnSizeOffset, buffer, &end)
        return end
    }

    @inline(__always)
    private static func append(
        _ text: String, _ sizeOffset: Int, _ buffer: UnsafeMutableRawBufferPointer, _ end: inout Int
    ) {
        var text = text
        text.withUTF8 { bytes in
            buffer.storeBytes(
                of: UInt16(bytes.count), toByteOffset: sizeOffset, as: UInt16.self)
            UnsafeMutableRawBufferPointer(rebasing: buffer[end...]).copyMemory(
                from: UnsafeRawBufferPointer(bytes))
            end += bytes.count
        }
    }

    /// Replaces the year.
    @inline(__always)
    static func setYear(_ year: Int32, in record: UnsafeMutableRawBufferPointer) {
        record.storeBytes(of: year, toByteOffset: yearOffset, as: Int32.self)
    }

    /// Makes a book one that can be lent, or one that cannot be.
    @inline(__always)
    static func toggleAvailable(in record: UnsafeMutableRawBufferPointer) {
        record[availableOffset] ^= 1
    }

    /// The year alone.
    @inline(__always)
    static func year(_ record: UnsafeRawBufferPointer) -> Int32 {
        record.loadUnaligned(fromByteOffset: yearOffset, as: Int32.self)
    }

    /// All values.
    @inline(__always)
    static func decode(_ record: UnsafeRawBufferPointer) -> BookRow {
        var end = headByteCount
        let title = text(record, titleSizeOffset, &end)
        let author = text(record, authorSizeOffset, &end)
        let isbn = text(record, isbnSizeOffset, &end)
        return BookRow(
            title: title, author: author, year: year(record),
            rating: record.loadUnaligned(fromByteOffset: ratingOffset, as: Double.self),
            isbn: isbn, available: record[availableOffset] != 0,
            shelf: record.loadUnaligned(fromByteOffset: shelfOffset, as: Int64.self))
    }

    @inline(__always)
    private static func text(
        _ record: UnsafeRawBufferPointer, _ sizeOffset: Int, _ end: inout Int
    ) -> String {
        let size = Int(record.loadUnaligned(fromByteOffset: sizeOffset, as: UInt16.self))
        defer { end += size }
        return String(
            decoding: UnsafeRawBufferPointer(rebasing: record[end..<end + size]), as: UTF8.self)
    }
}
