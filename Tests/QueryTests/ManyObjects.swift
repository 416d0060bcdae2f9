// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import RecordFormat
import Schema
import Store

import class Foundation.FileManager
import func Foundation.NSTemporaryDirectory
import struct Foundation.UUID

/// A store of many small objects, in which the ways of finding some of them cost differently.
///
/// Made once for all tests, which only read it.
final class ManyObjects: Sendable {
    let store: Store

    static let count = 20_000

    /// With indexes, and the same objects without.
    static let indexed = Result { try ManyObjects(isIndexed: true) }
    static let plain = Result { try ManyObjects(isIndexed: false) }

    private init(isIndexed: Bool) throws {
        let directory = NSTemporaryDirectory() + "lode-many-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        var options = StoreOptions()
        options.durability = .none
        store = try Store.open(
            at: directory + "/many.lode", schema: try ManyObjects.schema(isIndexed),
            uuid: UUIDValue(high: 1, low: 2), options: options)
        let tables = store.tables.filter { !$0.entity.isAbstract }
        try store.write { save in
            for table in tables { try ManyObjects.fill(table, save) }
        }
        // The open file can be read without its name.
        try FileManager.default.removeItem(atPath: directory)
    }

    private static let attributes = [
        Attribute(name: "serial", type: .integer64), Attribute(name: "mixed", type: .integer32),
        Attribute(name: "group", type: .integer16), Attribute(name: "side", type: .boolean),
        Attribute(name: "part", type: .double), Attribute(name: "text", type: .string),
        Attribute(name: "plain", type: .integer32),
    ]

    private static func schema(_ isIndexed: Bool) throws -> Schema {
        let names = ["mixed", "group", "side", "part", "text"]
        var indexes = names.map { Index(name: "by_\($0)", properties: [$0]) }
        indexes.append(Index(name: "by_serial", properties: ["serial"], isUnique: true))
        if !isIndexed { indexes = [] }
        return try Schema(entities: [
            Entity(name: "Dot", attributes: attributes, indexes: indexes),
            Entity(name: "Mark", superentity: "Dot", attributes: attributes, indexes: indexes),
        ])
    }

    /// Three quarters of the objects are dots, the others are marks.
    private static func fill(_ table: EntityTable, _ save: SaveTransaction) throws {
        let isMark = table.entity.name == "Mark"
        let numbers = (0..<count).filter { ($0 % 4 == 3) == isMark }
        let first = try save.allocateRows(numbers.count, in: table)
        var encoder = RecordEncoder()
        for (index, number) in numbers.enumerated() {
            let draft = RecordDraft.make(fieldCount: table.fields.count)
            for (position, field) in table.fields.enumerated() {
                draft[position] = value(field.name, number)
            }
            let bytes = encoder.encode(
                layout: table.layout, version: 1, base: nil, draft: draft, resolve: { $0 })
            let key = ObjectKey(entity: table.number, row: first + UInt64(index))
            try save.insert(bytes, for: key, in: table)
        }
    }

    private static func value(_ name: String, _ number: Int) -> Value {
        let mixed = number * 7_919 % count
        return switch name {
        case "serial": .integer64(Int64(number))
        case "mixed": .integer32(Int32(mixed))
        case "group": number % 7 == 0 ? .null : .integer16(Int16(mixed % 100))
        case "side": .boolean(mixed % 2 == 0)
        case "part": number % 11 == 0 ? .double(.nan) : .double(Double(mixed) / 4)
        case "text": number % 13 == 0 ? .null : .string(text(mixed))
        default: .integer32(Int32(mixed % 1_000))
        }
    }

    /// Every tenth text is so long that its key is cut.
    static func text(_ number: Int) -> String {
        let digits = String(100_000 + number)
        return number % 10 == 0 ? String(repeating: "x", count: 520) + digits : "t" + digits
    }
}
