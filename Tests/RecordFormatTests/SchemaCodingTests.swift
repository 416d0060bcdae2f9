// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

/// A model that uses every property of every description.
private func fullSchema() throws -> Schema {
    let title = Attribute(
        name: "title", type: .string, isOptional: false, defaultValue: .string("ohne"),
        renamingIdentifier: "name")
    let extras = AttributeType.allCases.map {
        Attribute(name: "a\($0.rawValue)", type: $0, defaultValue: $0.extremes.last ?? .null)
    }
    return try Schema(entities: [
        Entity(name: "Work", isAbstract: true, attributes: [title]),
        Entity(
            name: "Film", superentity: "Work",
            attributes: [
                title, Attribute(name: "mood", type: .boolean, isTransient: true),
                Attribute(
                    name: "poster", type: .transformable, transformerName: "Image",
                    allowsExternalStorage: true),
            ] + extras,
            relationships: [
                Relationship(
                    name: "actors", destination: "Person", inverse: "films", isToMany: true,
                    isOrdered: true, minCount: 1, maxCount: 4_294_967_295, isOptional: false,
                    deleteRule: .deny, renamingIdentifier: "cast"),
                Relationship(
                    name: "fleeting", destination: "Film", isTransient: true, deleteRule: .cascade),
            ],
            indexes: [
                Index(name: "byTitle", properties: ["title", "a700"]),
                Index(name: "once", properties: ["a1100"], isUnique: true),
            ], renamingIdentifier: "Movie", className: "Film"),
        Entity(
            name: "Person",
            relationships: [
                Relationship(
                    name: "films", destination: "Film", inverse: "actors", isToMany: true,
                    deleteRule: .noAction)
            ]),
    ])
}

@Suite struct SchemaCodingTests {
    @Test func schemasRoundTrip() throws {
        let schema = try fullSchema()
        #expect(try SchemaCoding.decode(SchemaCoding.encode(schema)) == schema)
        let empty = try Schema(entities: [])
        #expect(SchemaCoding.encode(empty) == [0, 0, 0, 0])
        #expect(try SchemaCoding.decode([0, 0, 0, 0]) == empty)
    }

    @Test func eachPrefixThrows() throws {
        let bytes = SchemaCoding.encode(try fullSchema())
        for count in bytes.indices {
            #expect(throws: RecordFormatError.self, "\(count) bytes") {
                try SchemaCoding.decode(Array(bytes.prefix(count)))
            }
        }
    }

    @Test func trailingBytesThrow() throws {
        let bytes = SchemaCoding.encode(try fullSchema()) + [0]
        #expect(throws: RecordFormatError(.trailingBytes, "1 bytes follow the end of the model")) {
            try SchemaCoding.decode(bytes)
        }
    }

    @Test func randomDamageNeverCrashes() throws {
        var random = SeededGenerator(seed: 41)
        let bytes = SchemaCoding.encode(try fullSchema())
        for _ in 0..<3_000 {
            var damaged = bytes
            for _ in 0...random.next() % 3 {
                damaged[Int(random.next() % UInt64(bytes.count))] =
                    random.pick([0, 1, 0x7F, 0xFF, UInt8(random.next() % 256)])
            }
            do throws(RecordFormatError) {
                let schema = try SchemaCoding.decode(damaged)
                // What can be read can be written.
                _ = SchemaCoding.encode(schema)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test func invalidModelIsRefused() throws {
        var writer = ByteWriter()
        writer.write(UInt32(1))
        writer.write("Film")
        writer.write(false)
        writer.write(String?.some("Work"))
        writer.write(String?.none)
        writer.write(String?.none)
        for _ in 0..<3 { writer.write(UInt32(0)) }
        #expect(
            throws: RecordFormatError(
                .unknownNumber,
                "the stored model is not valid: Film inherits from Work, which is no entity")
        ) { try SchemaCoding.decode(writer.bytes) }
    }
}
