// SPDX-License-Identifier: Apache-2.0

import Schema

/// The value of a `history` entry: what one transaction changed, when, and who did it.
public struct HistoryChangeSet: Sendable, Equatable {
    /// Seconds since 2001, never less than those of the transaction before.
    public var timestamp: Double
    /// The number of the first change, among the changes of all transactions.
    public var firstChange: UInt64
    /// How many changes there are.
    public var changeCount: Int
    /// The author that the context named.
    public var author: String?
    /// The name of the context.
    public var contextName: String?
    /// The process that committed.
    public var processID: String
    /// The program that the process ran.
    public var bundleID: String
    /// The encoded changes; ``forEachChange(_:)`` reads them.
    public var changes: [UInt8]

    /// Makes a change set of changes that are encoded already.
    public init(
        timestamp: Double, firstChange: UInt64, changeCount: Int, author: String?,
        contextName: String?, processID: String, bundleID: String, changes: [UInt8]
    ) {
        self.timestamp = timestamp
        self.firstChange = firstChange
        self.changeCount = changeCount
        self.author = author
        self.contextName = contextName
        self.processID = processID
        self.bundleID = bundleID
        self.changes = changes
    }

    /// Writes the beginning of an entry; the names and the encoded changes follow.
    public static func writeHead(
        _ writer: inout ByteWriter, timestamp: Double, firstChange: UInt64, changeCount: Int,
        author: String?, contextName: String?
    ) {
        writer.write(timestamp.bitPattern)
        writer.writeVarint(firstChange)
        writer.writeVarint(UInt64(changeCount))
        writer.writeShort(author)
        writer.writeShort(contextName)
    }

    /// The names of process and program as an entry has them.
    public static func encodeNames(processID: String, bundleID: String) -> [UInt8] {
        var writer = ByteWriter()
        for text in [processID, bundleID] {
            writer.writeVarint(UInt64(text.utf8.count))
            writer.append(text)
        }
        return writer.bytes
    }

    /// The bytes of the entry.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(reserving: changes.count + 128)
        Self.writeHead(
            &writer, timestamp: timestamp, firstChange: firstChange, changeCount: changeCount,
            author: author, contextName: contextName)
        writer.append(Self.encodeNames(processID: processID, bundleID: bundleID))
        writer.append(changes)
        return writer.bytes
    }

    /// Reads an entry; ``forEachChange(_:)`` decodes the changes.
    public init(_ bytes: [UInt8]) throws(RecordFormatError) {
        var reader = ByteReader(bytes)
        let head = try HistoryHead(&reader)
        timestamp = head.timestamp
        firstChange = head.firstChange
        changeCount = head.changeCount
        author = try reader.readShortText(isOptional: true)
        contextName = try reader.readShortText(isOptional: true)
        processID = try reader.readShortText(isOptional: false) ?? ""
        bundleID = try reader.readShortText(isOptional: false) ?? ""
        changes = reader.readRest()
    }
}

/// The beginning of a change set, from which the next transaction continues.
public struct HistoryHead: Sendable, Equatable {
    /// When the transaction was committed.
    public let timestamp: Double
    /// The number of its first change.
    public let firstChange: UInt64
    /// How many changes it has.
    public let changeCount: Int
    /// The number of the first change of the next transaction.
    public var nextChange: UInt64 { firstChange + UInt64(changeCount) }

    /// Reads the beginning of an entry.
    public init(_ bytes: UnsafeRawBufferPointer) throws(RecordFormatError) {
        guard bytes.count > 8 else {
            throw RecordFormatError(.truncated, "a change set has \(bytes.count) bytes")
        }
        timestamp = Double(
            bitPattern: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
        var offset = 8
        firstChange = try HistoryHead.varint(bytes, &offset)
        changeCount = try HistoryHead.count(try HistoryHead.varint(bytes, &offset), firstChange)
    }

    /// Checks a count of changes: all of them have numbers.
    private static func count(
        _ count: UInt64, _ firstChange: UInt64
    ) throws(RecordFormatError) -> Int {
        let (next, isTooFar) = firstChange.addingReportingOverflow(count)
        guard !isTooFar, next <= UInt64(Int64.max) else {
            throw RecordFormatError(
                .unknownNumber, "a change set has \(count) changes from \(firstChange) on")
        }
        return Int(count)
    }

    /// Reads in place: each commit looks at the entry before.
    private static func varint(
        _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(RecordFormatError) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count, shift < 64 {
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        throw RecordFormatError(.truncated, "the head of a change set ends too early")
    }

    init(_ reader: inout ByteReader) throws(RecordFormatError) {
        timestamp = Double(bitPattern: try reader.read())
        firstChange = try reader.readVarint()
        changeCount = try HistoryHead.count(try reader.readVarint(), firstChange)
    }
}

extension ByteWriter {
    fileprivate mutating func writeShort(_ text: String?) {
        guard let text else { return writeVarint(0) }
        writeVarint(UInt64(text.utf8.count) + 1)
        append(text)
    }
}

extension ByteReader {
    fileprivate mutating func readShortText(
        isOptional: Bool
    ) throws(RecordFormatError) -> String? {
        var count = try readVarint()
        if isOptional {
            if count == 0 { return nil }
            count -= 1
        }
        let bytes = try take(Int(clamping: count))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw RecordFormatError(.badText, "a text of a change set is not UTF-8")
        }
        return text
    }
}
