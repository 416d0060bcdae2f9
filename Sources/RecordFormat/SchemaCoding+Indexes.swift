// SPDX-License-Identifier: Apache-2.0

import Schema

extension SchemaCoding {
    /// The kinds of an index in a file.
    ///
    /// Before version 6 there were the first two only, and readers took any number but 0 for the
    /// second.
    private enum Kind {
        static let plain: UInt8 = 0
        static let unique: UInt8 = 1
        /// A plain index that is followed by its form.
        static let formed: UInt8 = 2
    }

    static func write(_ index: Index, to writer: inout ByteWriter) {
        writer.write(index.name)
        writer.write(index.hasForm ? Kind.formed : index.isUnique ? Kind.unique : Kind.plain)
        writer.write(UInt32(index.properties.count))
        for property in index.properties { writer.write(property) }
        if index.hasForm { writeForm(of: index, to: &writer) }
    }

    static func readIndex(from reader: inout ByteReader) throws(RecordFormatError) -> Index {
        let name = try reader.readText()
        let kind = try reader.read(UInt8.self)
        var properties: [String] = []
        for _ in 0..<(try reader.readCount()) { properties.append(try reader.readText()) }
        guard kind == Kind.formed else {
            return Index(name: name, properties: properties, isUnique: kind != Kind.plain)
        }
        var descending: [Bool] = []
        for _ in 0..<(try reader.readCount()) { descending.append(try reader.readFlag()) }
        return Index(name: name, properties: properties, descending: descending)
    }

    /// The bytes of what an index has besides its properties; empty for a plain one.
    ///
    /// Two indexes over the same properties have the same entries exactly if their forms are equal.
    public static func form(of index: Index) -> [UInt8] {
        guard index.hasForm else { return [] }
        var writer = ByteWriter()
        writeForm(of: index, to: &writer)
        return writer.bytes
    }

    private static func writeForm(of index: Index, to writer: inout ByteWriter) {
        writer.write(UInt32(index.properties.count))
        for place in index.properties.indices { writer.write(index.isDescending(place)) }
    }
}
