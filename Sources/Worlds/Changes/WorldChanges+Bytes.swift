// SPDX-License-Identifier: Apache-2.0

import Contents

/// Changes as bytes, to be kept or sent.
///
/// The form is that of one version of the library, and for the same kind of machine; it is not a
/// file format. Numbers are little-endian.
extension WorldChanges {
    private static var magic: UInt64 { 0x3347_4843_4544_4F4C }

    /// The changes as bytes.
    ///
    /// - Complexity: O(values)
    public var bytes: [UInt8] {
        var writer = ChangeWriter()
        writer.write(WorldChanges.magic)
        writer.write(UInt64(entity))
        writer.write(UInt64(parts.count))
        for part in parts {
            writer.write(part.type.name)
            writer.write(part.type.fields)
            for number in [part.type.size, part.type.stride, part.type.alignment] {
                writer.write(UInt64(number))
            }
            writer.write(UInt64(part.type.kindCode))
            writer.write(part.removed)
            if part.type.hasRowsOfLinks {
                writer.write(UInt64(part.removedEnds.count))
                for (row, ends) in part.removedEnds.sorted(by: { $0.key < $1.key }) {
                    writer.write(UInt64(row))
                    writer.write(UInt64(ends.count))
                    for ends in ends {
                        writer.write(UInt64(ends.source))
                        writer.write(UInt64(ends.target))
                    }
                }
            }
            writer.write(part.rows)
            writer.bytes += part.values
            guard part.type.isCoded else { continue }
            writer.write(UInt64(part.contents.count))
            for (_, bytes) in part.contents.sorted(by: { $0.key < $1.key }) {
                writer.write(UInt64(bytes.count))
                writer.bytes += bytes
            }
        }
        return writer.bytes
    }

    /// Reads bytes of ``bytes``.
    ///
    /// - Throws: ``WorldChangesError/damaged(_:)`` for other bytes.
    public init(bytes: some Collection<UInt8>) throws(WorldChangesError) {
        var reader = ChangeReader(Array(bytes))
        guard try reader.read() == WorldChanges.magic else {
            throw WorldChangesError.damaged("they begin with something else")
        }
        guard let entity = UInt16(exactly: try reader.read()) else {
            throw WorldChangesError.damaged("the entity has no number")
        }
        self.init(entity: entity)
        var names: Set<String> = []
        for _ in 0..<(try reader.readCount(atLeast: 40)) {
            let part = try Part(&reader)
            guard names.insert(part.type.name).inserted else {
                throw WorldChangesError.damaged("\(part.type.name) comes twice")
            }
            guard part.type.kind.rules == nil || part.rows.first != 0 else {
                throw WorldChangesError.damaged("\(part.type.name) has a link 0")
            }
            guard part.relatesOnly(entity) else {
                throw WorldChangesError.damaged("\(part.type.name) leads to another entity")
            }
            parts.append(part)
        }
        guard reader.isAtEnd else { throw WorldChangesError.damaged("there are more of them") }
    }
}

extension WorldChanges.Part {
    fileprivate init(_ reader: inout ChangeReader) throws(WorldChangesError) {
        let (name, fields) = (try reader.readText(), try reader.readText())
        let (size, stride, alignment) = (
            try reader.readNumber(), try reader.readNumber(), try reader.readNumber()
        )
        let code = try reader.readNumber()
        guard stride <= ChunkLayout.greatestStride, size <= stride, (size == 0) == (stride == 0),
            alignment.nonzeroBitCount == 1, stride.isMultiple(of: alignment),
            let kind = UInt16(exactly: code).flatMap(ComponentType.kind(ofCode:)),
            !kind.isCoded || stride == ContentKey.byteCount && fields.isEmpty,
            kind.kind.rules == nil || stride == 16,
            name != World.aliveName || kind.kind == .component && stride == 0
        else { throw WorldChangesError.damaged("\(name) is no component") }
        self.init(
            type: ComponentType(
                name: name, size: size, stride: stride, alignment: alignment, fields: fields,
                kind: kind.kind, isCoded: kind.isCoded))
        removed = try reader.readRows()
        if type.hasRowsOfLinks {
            for _ in 0..<(try reader.readCount(atLeast: 32)) {
                let row = try reader.readNumber()
                for _ in 0..<(try reader.readCount(atLeast: 16)) {
                    removedEnds[row, default: []].append(
                        LinkTable.Ends(try reader.readNumber(), try reader.readNumber()))
                }
            }
        }
        rows = try reader.readRows()
        values = try reader.readBytes(rows.count * stride)
        try readContents(&reader)
        let references = type.references
        guard references.allSatisfy({ $0.offset + ($0.isOptional ? 9 : 8) <= size }) else {
            throw WorldChangesError.damaged("\(name) has fields beyond its end")
        }
    }
}

extension WorldChanges.Part {
    /// Whether all links lead from and to game objects of an entity, as those of a world do.
    fileprivate func relatesOnly(_ entity: UInt16) -> Bool {
        guard type.kind.rules != nil else { return true }
        return values.withUnsafeBytes { values in
            stride(from: 0, to: values.count, by: 8).allSatisfy {
                values.loadUnaligned(fromByteOffset: $0, as: GameObjectID.self).entity == entity
            }
        }
    }

    private mutating func readContents(_ reader: inout ChangeReader) throws(WorldChangesError) {
        guard type.isCoded else { return }
        for _ in 0..<(try reader.readCount(atLeast: 8)) {
            let bytes = try reader.readBytes(try reader.readCount(atLeast: 1))
            do throws(ContentDamage) { _ = try ContentBytes.read(bytes) } catch {
                throw WorldChangesError.damaged("a value of \(type.name): \(error)")
            }
            contents[ContentKey(of: bytes)] = bytes
        }
        guard CodedValues.keys(values).allSatisfy({ contents[$0] != nil }) else {
            throw WorldChangesError.damaged("\(type.name) lacks values")
        }
    }
}

extension ComponentType {
    /// Whether the values are links that have rows of their own.
    fileprivate var hasRowsOfLinks: Bool { kind.rules?.isExclusive == false }
}

private struct ChangeWriter {
    var bytes: [UInt8] = []

    mutating func write(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    mutating func write(_ text: String) {
        write(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    mutating func write(_ rows: [Int]) {
        write(UInt64(rows.count))
        for row in rows { write(UInt64(row)) }
    }
}

private struct ChangeReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    mutating func read() throws(WorldChangesError) -> UInt64 {
        try readBytes(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func readBytes(_ count: Int) throws(WorldChangesError) -> [UInt8] {
        guard count <= bytes.count - place else {
            throw WorldChangesError.damaged("they end too early")
        }
        defer { place += count }
        return Array(bytes[place..<place + count])
    }

    /// A number of a size that anything in a world can have.
    mutating func readNumber() throws(WorldChangesError) -> Int {
        let number = try read()
        guard number < 1 << 47 else { throw WorldChangesError.damaged("\(number) is too great") }
        return Int(number)
    }

    /// The number of elements that follow, each of which has some bytes.
    mutating func readCount(atLeast size: Int) throws(WorldChangesError) -> Int {
        let count = try readNumber()
        guard count <= (bytes.count - place) / size else {
            throw WorldChangesError.damaged("they end too early")
        }
        return count
    }

    mutating func readText() throws(WorldChangesError) -> String {
        let bytes = try readBytes(try readCount(atLeast: 1))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw WorldChangesError.damaged("a name is no text")
        }
        return text
    }

    mutating func readRows() throws(WorldChangesError) -> [Int] {
        var rows: [Int] = []
        for _ in 0..<(try readCount(atLeast: 8)) {
            let row = try readNumber()
            guard row > rows.last ?? -1 else {
                throw WorldChangesError.damaged("rows are not in order")
            }
            rows.append(row)
        }
        return rows
    }
}
