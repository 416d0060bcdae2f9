// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Traps

/// The numbers that a store gave to the names of its model, and every record layout it uses.
///
/// Numbers are never reused, so a name that was removed and comes back does not find the old
/// entries of its namesake.
struct Catalog: Sendable {
    var schema: Schema
    var entityNumbers: [String: EntityNumber] = [:]
    var propertyNumbers: [String: PropertyNumber] = [:]
    var indexNumbers: [String: PropertyNumber] = [:]
    var currentLayouts: [String: UInt16] = [:]
    var layouts = NumberedList<RecordLayout>()
    var nextEntity: UInt16 = 1
    var nextProperty: UInt32 = 1
    var nextIndex: UInt32 = 1
    var nextLayout: UInt16

    /// Gives numbers to all names of a schema.
    ///
    /// - Parameter isNarrow: Whether the layouts are narrow, those of later models too.
    init(schema: Schema, isNarrow: Bool) {
        self.schema = schema
        nextLayout = isNarrow ? RecordLayout.firstNarrowNumber + 1 : 1
        assignNumbers()
    }

    /// The number of a property, which an entity shares with the ancestor that declares it.
    func number(of property: String, in entity: String) -> PropertyNumber {
        let name = Catalog.qualifiedName(property, in: entity, schema)
        guard let number = propertyNumbers[name] else {
            trap("no number for property \(name)")
        }
        return number
    }

    /// The number of an index, which an entity shares with the ancestor that declares it.
    func number(of index: Index, in entity: String) -> PropertyNumber {
        let name = Catalog.qualifiedName(index, in: entity, schema)
        guard let number = indexNumbers[name] else {
            trap("no number for index \(name)")
        }
        return number
    }

    func hasNumber(of property: String, in entity: String) -> Bool {
        propertyNumbers[Catalog.qualifiedName(property, in: entity, schema)] != nil
    }

    func hasNumber(of index: Index, in entity: String) -> Bool {
        indexNumbers[Catalog.qualifiedName(index, in: entity, schema)] != nil
    }

    /// Adopts a compatible schema; new names get new numbers.
    ///
    /// - Returns: The numbers of the indexes that the schema no longer has. They are forgotten: an
    ///   index that comes back must not find the entries of its namesake.
    mutating func adopt(_ schema: Schema) -> [PropertyNumber] {
        self.schema = schema
        assignNumbers()
        var names: Set<String> = []
        for entity in schema.entities {
            for index in entity.indexes {
                names.insert(Catalog.qualifiedName(index, in: entity.name, schema))
            }
        }
        let forgotten = indexNumbers.filter { !names.contains($0.key) }
        for name in forgotten.keys { indexNumbers[name] = nil }
        return forgotten.values.sorted { $0.rawValue < $1.rawValue }
    }

    /// Gives numbers to the names of the schema that have none.
    mutating func assignNumbers() {
        for entity in schema.entities {
            if entityNumbers[entity.name] == nil {
                entityNumbers[entity.name] = EntityNumber(rawValue: nextEntity)
                nextEntity += 1
            }
            let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
            for name in names {
                let qualified = Catalog.qualifiedName(name, in: entity.name, schema)
                guard propertyNumbers[qualified] == nil else { continue }
                propertyNumbers[qualified] = PropertyNumber(rawValue: nextProperty)
                nextProperty += 1
            }
            for index in entity.indexes {
                let qualified = Catalog.qualifiedName(index, in: entity.name, schema)
                guard indexNumbers[qualified] == nil else { continue }
                indexNumbers[qualified] = PropertyNumber(rawValue: nextIndex)
                nextIndex += 1
            }
            assignLayout(of: entity)
        }
    }

    private mutating func assignLayout(of entity: Entity) {
        let fields = entity.storedFields.map {
            (
                number(of: $0.name, in: entity.name), $0.type,
                allowsExternalStorage: $0.allowsExternalStorage
            )
        }
        if let current = currentLayouts[entity.name], let known = layouts[UInt32(current)] {
            // Where large values go is the writer's choice: records of both kinds can be read.
            let layout = RecordLayout(number: current, fields: fields)
            if known.hasSameSlots(as: layout) {
                layouts[UInt32(current)] = layout
                return
            }
        }
        let layout = RecordLayout(number: nextLayout, fields: fields)
        layouts[UInt32(nextLayout)] = layout
        currentLayouts[entity.name] = nextLayout
        nextLayout += 1
    }

    static func qualifiedName(
        _ property: String, in entity: String, _ schema: Schema
    ) -> String {
        "\(schema.declaringEntity(of: property, in: entity)).\(property)"
    }

    static func qualifiedName(
        _ index: Index, in entity: String, _ schema: Schema
    ) -> String {
        let owner = declarer(of: index, in: entity, schema)
        return "\(owner).\(index.name)(\(index.properties.joined(separator: ",")))"
            + (index.isUnique ? "!" : "") + formText(of: index)
    }

    /// What tells indexes over the same properties apart: a form that changes makes another index.
    private static func formText(of index: Index) -> String {
        let digits = SchemaCoding.form(of: index).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return digits.isEmpty ? "" : " " + digits.joined()
    }
}

extension Catalog {
    /// The bytes of the `catalog` entry.
    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.write(nextEntity)
        writer.write(nextProperty)
        writer.write(nextIndex)
        writer.write(nextLayout)
        writer.write(UInt32(entityNumbers.count))
        for (name, number) in entityNumbers.sorted(by: { $0.value.rawValue < $1.value.rawValue }) {
            writer.write(name)
            writer.write(number.rawValue)
            writer.write(currentLayouts[name] ?? 0)
        }
        for numbers in [propertyNumbers, indexNumbers] {
            writer.write(UInt32(numbers.count))
            for (name, number) in numbers.sorted(by: { $0.value.rawValue < $1.value.rawValue }) {
                writer.write(name)
                writer.write(number.rawValue)
            }
        }
        writer.write(UInt32(layouts.count))
        for (number, layout) in layouts {
            writer.write(UInt16(number))
            writer.write(UInt32(layout.fields.count))
            for field in layout.fields {
                writer.write(field.number.rawValue)
                writer.write(field.type.rawValue)
                writer.write(field.allowsExternalStorage)
            }
        }
        return writer.bytes
    }

    /// Reads the `model` and `catalog` entries.
    init(model: [UInt8], catalog: [UInt8]) throws(RecordFormatError) {
        schema = try SchemaCoding.decode(model)
        var reader = ByteReader(catalog)
        nextEntity = try reader.read()
        nextProperty = try reader.read()
        nextIndex = try reader.read()
        nextLayout = try reader.read()
        for _ in 0..<(try reader.readCount()) {
            let name = try reader.readText()
            entityNumbers[name] = EntityNumber(rawValue: try reader.read())
            currentLayouts[name] = try reader.read(UInt16.self)
        }
        propertyNumbers = try Catalog.readNumbers(&reader)
        indexNumbers = try Catalog.readNumbers(&reader)
        for _ in 0..<(try reader.readCount()) {
            let number = try reader.read(UInt16.self)
            layouts[UInt32(number)] = RecordLayout(
                number: number, fields: try Catalog.readFields(&reader))
        }
        try reader.expectEnd(of: "the catalog")
        try validate()
    }

    private static func readNumbers(
        _ reader: inout ByteReader
    ) throws(RecordFormatError) -> [String: PropertyNumber] {
        var numbers: [String: PropertyNumber] = [:]
        for _ in 0..<(try reader.readCount()) {
            let name = try reader.readText()
            numbers[name] = PropertyNumber(rawValue: try reader.read())
        }
        return numbers
    }

    private static func readFields(
        _ reader: inout ByteReader
    ) throws(RecordFormatError) -> [(PropertyNumber, AttributeType, allowsExternalStorage: Bool)] {
        var fields: [(PropertyNumber, AttributeType, allowsExternalStorage: Bool)] = []
        for _ in 0..<(try reader.readCount()) {
            let property = PropertyNumber(rawValue: try reader.read())
            let raw = try reader.read(UInt16.self)
            guard let type = AttributeType(rawValue: raw) else {
                throw RecordFormatError(.unknownNumber, "property \(property) has type \(raw)")
            }
            fields.append((property, type, try reader.readFlag()))
        }
        return fields
    }
}
