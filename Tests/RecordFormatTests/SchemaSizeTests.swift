// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing

/// Models of a few megabytes that would take minutes to compile.
@Suite struct SchemaSizeTests {
    private func bytes(_ entities: [Entity]) -> [UInt8] {
        // As a program could not make such a model, its bytes are put together.
        var writer = ByteWriter()
        writer.write(UInt32(entities.count))
        for entity in entities {
            writer.write(entity.name)
            writer.write(false)
            writer.write(entity.superentity)
            for _ in 0..<2 { writer.write(nil as String?) }
            writer.write(UInt32(entity.attributes.count))
            for attribute in entity.attributes {
                writer.write(attribute.name)
                writer.write(attribute.type.rawValue)
                for _ in 0..<2 { writer.write(false) }
                writer.write(attribute.defaultValue)
                writer.write(nil as String?)
                writer.write(false)
                writer.write(nil as String?)
            }
            for _ in 0..<2 { writer.write(UInt32(0)) }
        }
        return writer.bytes
    }

    private func entities(inheriting count: Int) -> [Entity] {
        (0..<count).map {
            Entity(name: "E\($0)", superentity: $0 == 0 ? nil : "E\($0 - 1)")
        }
    }

    private func attributes(_ count: Int) -> [Entity] {
        let attributes = (0..<count).map { Attribute(name: "a\($0)", type: .boolean) }
        return [Entity(name: "E", attributes: attributes)]
    }

    @Test func largeModelsAreRead() throws {
        #expect(try SchemaCoding.decode(bytes(entities(inheriting: 200))).entities.count == 200)
        let wide = try SchemaCoding.decode(bytes(attributes(2_000)))
        #expect(wide.entities[0].attributes.count == 2_000)
    }

    @Test func hugeOnesAreRefused() {
        #expect(throws: RecordFormatError.self) {
            try SchemaCoding.decode(bytes(entities(inheriting: 5_000)))
        }
        #expect(throws: RecordFormatError.self) {
            try SchemaCoding.decode(bytes(attributes(20_000)))
        }
    }
}
