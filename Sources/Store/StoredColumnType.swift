// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// A type of value components, as a file describes it.
public struct StoredColumnType: Sendable, Hashable {
    /// The number in the keys of the type's chunks, which no other type of the file has.
    public let number: UInt32
    /// The name that programs find it by.
    public let name: String
    /// The bytes of a value without padding at its end.
    public let size: UInt32
    /// The distance of two values in bytes; 0 for a tag.
    public let stride: UInt32
    /// The alignment of a value in bytes.
    public let alignment: UInt32
    /// What the rows stand for, and the rules of relationships.
    public let kind: ColumnKindCode
    /// The fields with their offsets and types.
    public let fields: String

    /// Makes a description.
    public init(
        number: UInt32, name: String, size: UInt32, stride: UInt32, alignment: UInt32,
        kind: ColumnKindCode = .component, fields: String
    ) {
        self.number = number
        self.name = name
        self.size = size
        self.stride = stride
        self.alignment = alignment
        self.kind = kind
        self.fields = fields
    }
}

extension StoredColumnType {
    /// Where the chunks of the type have what.
    public var format: ChunkFormat {
        ChunkFormat(stride: Int(stride), isSingle: kind.isResource)
    }

    /// The header of a chunk, all of whose bytes are compared with it.
    ///
    /// - Throws: ``RecordFormatError`` for a damaged chunk, or for one of other numbers.
    public func header(
        of bytes: UnsafeRawBufferPointer, _ chunk: UInt32
    ) throws(RecordFormatError) -> ChunkHeader {
        try ChunkHeader(checking: bytes, of: name, type: number, chunk: chunk, format)
    }

    /// The greatest number; so there is always a next one.
    private static let greatestNumber: UInt32 = 1 << 31 - 1

    /// Throws unless a chunk has a row that a game object can have.
    ///
    /// - Parameter end: The first row that none can have.
    func checkPlace(of chunk: UInt32, _ end: UInt64) throws(RecordFormatError) {
        guard format.firstRow(of: chunk) < end else {
            throw RecordFormatError(
                .unknownNumber,
                "chunk \(chunk) of the component \(name) is behind all game objects")
        }
    }

    /// Throws unless the links of a chunk lead from and to rows that game objects can have.
    ///
    /// - Parameter end: The first row that none can have.
    func checkLinks(
        of bytes: UnsafeRawBufferPointer, _ chunk: UInt32, _ entity: EntityNumber, end: UInt64
    ) throws(RecordFormatError) {
        for row in 0..<format.rows where format.has(row, in: bytes) {
            let own = format.firstRow(of: chunk) + UInt64(row)
            let link = format.link(row, in: bytes)
            let ends = [link.source, link.target]
            guard own > 0, ends.allSatisfy({ $0.entity == entity && $0.row > 0 && $0.row < end }),
                !kind.hasRowsOfObjects || ends[0].row == own
            else {
                throw RecordFormatError(
                    .unknownNumber,
                    "the link \(own) of the relationship \(name) leads from \(ends[0]) to "
                        + "\(ends[1]), which cannot be")
            }
        }
    }

    /// Reads the entry of `meta`; no types without one.
    ///
    /// - Throws: ``RecordFormatError`` for a list that no writer makes.
    static func list(_ bytes: UnsafeRawBufferPointer?) throws(RecordFormatError)
        -> [StoredColumnType]
    {
        guard let bytes else { return [] }
        var reader = ByteReader(Array(bytes))
        var types: [StoredColumnType] = []
        var names: Set<String> = []
        var numbers: Set<UInt32> = []
        for _ in 0..<(try reader.readCount()) {
            let type = StoredColumnType(
                number: try reader.read(), name: try reader.readText(), size: try reader.read(),
                stride: try reader.read(), alignment: UInt32(try reader.read() as UInt16),
                kind: ColumnKindCode(rawValue: try reader.read()), fields: try reader.readText())
            try type.check()
            guard names.insert(type.name).inserted, numbers.insert(type.number).inserted else {
                throw RecordFormatError(
                    .unknownNumber,
                    "the component \(type.name) or its number \(type.number) is listed twice")
            }
            types.append(type)
        }
        try reader.expectEnd(of: "the list of components")
        return types
    }

    /// Throws unless the numbers are some that a Swift type can have.
    private func check() throws(RecordFormatError) {
        let isTag = stride == 0
        guard number > 0, number <= StoredColumnType.greatestNumber,
            stride <= ChunkFormat.greatestStride, size <= stride, (size == 0) == isTag,
            alignment.nonzeroBitCount == 1, stride.isMultiple(of: alignment),
            isTag || name != ChunkFormat.aliveName, kind.isKnown,
            kind == .component || name != ChunkFormat.aliveName,
            !kind.isRelationship || stride == 16, !kind.isCoded || stride == 16 && size == 16
        else {
            throw RecordFormatError(
                .unknownNumber,
                "the component \(name) has number \(number), size \(size), stride \(stride), "
                    + "alignment \(alignment) and kind \(kind.rawValue), which cannot be")
        }
    }

    static func encode(_ types: [StoredColumnType]) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(UInt32(types.count))
        for type in types {
            writer.write(type.number)
            writer.write(type.name)
            writer.write(type.size)
            writer.write(type.stride)
            writer.write(UInt16(truncatingIfNeeded: type.alignment))
            writer.write(type.kind.rawValue)
            writer.write(type.fields)
        }
        return writer.bytes
    }
}
