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
        let condition = try reader.readFlag() ? try readCondition(from: &reader, depth: 1) : nil
        return Index(
            name: name, properties: properties, descending: descending, condition: condition)
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
        writer.write(index.isPartial)
        if let condition = index.condition { write(condition, to: &writer) }
    }
}

/// The kinds of a condition.
private enum ConditionKind {
    static let all: UInt8 = 1
    static let any: UInt8 = 2
    static let not: UInt8 = 3
    static let isNull: UInt8 = 4
    static let compares: UInt8 = 5
}

extension SchemaCoding {
    private static func write(_ condition: IndexCondition, to writer: inout ByteWriter) {
        switch condition {
        case .all(let members):
            writer.write(ConditionKind.all)
            write(members, to: &writer)
        case .any(let members):
            writer.write(ConditionKind.any)
            write(members, to: &writer)
        case .not(let operand):
            writer.write(ConditionKind.not)
            write(operand, to: &writer)
        case .isNull(let name):
            writer.write(ConditionKind.isNull)
            writer.write(name)
        case .compares(let name, let relation, let value):
            writer.write(ConditionKind.compares)
            writer.write(name)
            writer.write(relation.rawValue)
            writer.write(value)
        }
    }

    private static func write(_ members: [IndexCondition], to writer: inout ByteWriter) {
        writer.write(UInt32(members.count))
        for member in members { write(member, to: &writer) }
    }

    /// - Parameter depth: How many conditions lie around this one, with itself: those of a file
    ///   from elsewhere might use up the stack.
    private static func readCondition(
        from reader: inout ByteReader, depth: Int
    ) throws(RecordFormatError) -> IndexCondition {
        guard depth <= IndexCondition.deepestNesting else {
            throw RecordFormatError(
                .unknownNumber, "the condition of an index has too many parts inside each other")
        }
        let kind = try reader.read(UInt8.self)
        switch kind {
        case ConditionKind.all: return .all(try readMembers(from: &reader, depth: depth))
        case ConditionKind.any: return .any(try readMembers(from: &reader, depth: depth))
        case ConditionKind.not:
            return .not(try readCondition(from: &reader, depth: depth + 1))
        case ConditionKind.isNull: return .isNull(try reader.readText())
        case ConditionKind.compares:
            let name = try reader.readText()
            let number = try reader.read(UInt8.self)
            guard let relation = IndexCondition.Relation(rawValue: number) else {
                throw RecordFormatError(
                    .unknownNumber, "a condition on \(name) has the relation \(number)")
            }
            return .compares(name, relation, try reader.readValue())
        default:
            throw RecordFormatError(.unknownNumber, "\(kind) is no kind of a condition")
        }
    }

    private static func readMembers(
        from reader: inout ByteReader, depth: Int
    ) throws(RecordFormatError) -> [IndexCondition] {
        var members: [IndexCondition] = []
        for _ in 0..<(try reader.readCount()) {
            members.append(try readCondition(from: &reader, depth: depth + 1))
        }
        return members
    }
}
