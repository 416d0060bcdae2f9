// SPDX-License-Identifier: Apache-2.0

import Schema

/// A schema as the bytes of the `model` entry of the `meta` database.
///
/// It makes a file self-describing: the command-line tool opens a store without a model.
public enum SchemaCoding {
    /// Encodes a schema.
    public static func encode(_ schema: Schema) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(UInt32(schema.entities.count))
        for entity in schema.entities { write(entity, to: &writer) }
        return writer.bytes
    }

    /// Decodes a schema and validates it.
    ///
    /// - Throws: ``RecordFormatError`` for bytes that ``encode(_:)`` did not write.
    public static func decode(_ bytes: [UInt8]) throws(RecordFormatError) -> Schema {
        var reader = ByteReader(bytes)
        var entities: [Entity] = []
        for _ in 0..<(try reader.readCount()) { entities.append(try readEntity(from: &reader)) }
        try reader.expectEnd(of: "the model")
        try checkSize(entities)
        do {
            return try Schema(entities: entities)
        } catch {
            throw RecordFormatError(.unknownNumber, "the stored model is not valid: \(error)")
        }
    }

    private static func write(_ entity: Entity, to writer: inout ByteWriter) {
        writer.write(entity.name)
        writer.write(entity.isAbstract)
        writer.write(entity.superentity)
        writer.write(entity.renamingIdentifier)
        writer.write(entity.className)
        writer.write(UInt32(entity.attributes.count))
        for attribute in entity.attributes { write(attribute, to: &writer) }
        writer.write(UInt32(entity.relationships.count))
        for relationship in entity.relationships { write(relationship, to: &writer) }
        writer.write(UInt32(entity.indexes.count))
        for index in entity.indexes { write(index, to: &writer) }
    }

    private static func write(_ attribute: Attribute, to writer: inout ByteWriter) {
        writer.write(attribute.name)
        writer.write(attribute.type.rawValue)
        writer.write(attribute.isOptional)
        writer.write(attribute.isTransient)
        writer.write(attribute.defaultValue)
        writer.write(attribute.transformerName)
        writer.write(attribute.allowsExternalStorage)
        writer.write(attribute.renamingIdentifier)
    }

    private static func write(_ relationship: Relationship, to writer: inout ByteWriter) {
        writer.write(relationship.name)
        writer.write(relationship.destination)
        writer.write(relationship.inverse)
        writer.write(relationship.isToMany)
        writer.write(relationship.isOrdered)
        writer.write(UInt32(relationship.minCount))
        writer.write(UInt32(relationship.maxCount))
        writer.write(relationship.isOptional)
        writer.write(relationship.isTransient)
        writer.write(relationship.deleteRule.rawValue)
        writer.write(relationship.renamingIdentifier)
    }

    private static func readEntity(
        from reader: inout ByteReader
    ) throws(RecordFormatError) -> Entity {
        var entity = Entity(name: try reader.readText())
        entity.isAbstract = try reader.readFlag()
        entity.superentity = try reader.readOptionalText()
        entity.renamingIdentifier = try reader.readOptionalText()
        entity.className = try reader.readOptionalText()
        for _ in 0..<(try reader.readCount()) {
            entity.attributes.append(try readAttribute(from: &reader))
        }
        for _ in 0..<(try reader.readCount()) {
            entity.relationships.append(try readRelationship(from: &reader))
        }
        for _ in 0..<(try reader.readCount()) {
            entity.indexes.append(try readIndex(from: &reader))
        }
        return entity
    }

    private static func readAttribute(
        from reader: inout ByteReader
    ) throws(RecordFormatError) -> Attribute {
        let name = try reader.readText()
        let number = try reader.read(UInt16.self)
        guard let type = AttributeType(rawValue: number) else {
            throw RecordFormatError(.unknownNumber, "attribute \(name) has type \(number)")
        }
        return Attribute(
            name: name, type: type, isOptional: try reader.readFlag(),
            isTransient: try reader.readFlag(), defaultValue: try reader.readValue(),
            transformerName: try reader.readOptionalText(),
            allowsExternalStorage: try reader.readFlag(),
            renamingIdentifier: try reader.readOptionalText())
    }

    private static func readRelationship(
        from reader: inout ByteReader
    ) throws(RecordFormatError) -> Relationship {
        var relationship = Relationship(
            name: try reader.readText(), destination: try reader.readText(),
            inverse: try reader.readOptionalText(), isToMany: try reader.readFlag(),
            isOrdered: try reader.readFlag(), minCount: Int(try reader.read(UInt32.self)),
            maxCount: Int(try reader.read(UInt32.self)), isOptional: try reader.readFlag(),
            isTransient: try reader.readFlag())
        let number = try reader.read(UInt8.self)
        guard let rule = DeleteRule(rawValue: number) else {
            throw RecordFormatError(
                .unknownNumber, "relationship \(relationship.name) has delete rule \(number)")
        }
        relationship.deleteRule = rule
        relationship.renamingIdentifier = try reader.readOptionalText()
        return relationship
    }
}
