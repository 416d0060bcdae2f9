// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

/// Models with more properties or indexes than a file can have databases.
@Suite struct LargeModelTests {
    private static func schema(attributes: Int, indexes: Int) throws -> Schema {
        let properties = (0..<attributes).map { Attribute(name: "a\($0)", type: .boolean) }
        let entries = (0..<indexes).map { Index(name: "i\($0)", properties: ["a\($0)"]) }
        return try Schema(
            entities: (0..<100).map {
                Entity(name: "E\($0)", attributes: properties, indexes: entries)
            })
    }

    /// Attributes have no databases.
    @Test func manyAttributes() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/wide.lode"
            let schema = try Self.schema(attributes: 400, indexes: 0)
            do {
                let store = try openStore(path, schema)
                try store.write { _ = try $0.insert("E99", ["a399": .boolean(true)]) }
            }
            let store = try openStore(path, nil)
            #expect(store.schema.entities.count == 100)
            #expect(try store.makeSnapshot().count(of: store.table("E99")) == 1)
        }
    }

    @Test func tooManyIndexes() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/none.lode"
            let schema = try Self.schema(attributes: 656, indexes: 656)
            let error = refusal(path, schema)
            #expect(error?.code == .incompatibleModel)
            #expect(error?.message.hasPrefix("the model needs 65706 databases") == true)
            #expect(!FileManager.default.fileExists(atPath: path))
            let memory = storeError {
                _ = try Store.openInMemory(schema: schema, uuid: FilmModel.uuid)
            }
            #expect(memory?.code == .incompatibleModel)
        }
    }

    /// Layouts have no more numbers in one half of them, of which each entity takes one.
    @Test func tooManyEntities() throws {
        func schema(_ count: Int) throws -> Schema {
            try Schema(entities: (0..<count).map { Entity(name: "E\($0)") })
        }
        let most = try schema(32_766)
        _ = try most.databaseCapacity("a.lode", orElse: .damaged)
        for (isNarrow, next) in [(true, 65_535), (false, 32_767)] {
            let catalog = Catalog(schema: most, isNarrow: isNarrow)
            #expect(Int(catalog.nextLayout) == next)
            #expect(catalog.layouts.allSatisfy { $0.1.isNarrow == isNarrow })
        }
        try withTemporaryDirectory { directory in
            let error = refusal(directory + "/none.lode", try schema(32_767))
            #expect(error?.code == .incompatibleModel)
            #expect(
                error?.message
                    == "the model has 32767 entities, and a file has at most 32766; use fewer")
        }
    }

    @Test func tooManyIndexesInAFile() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            do { _ = try openStore(path, FilmModel.sample(), .fast.unsealed) }
            let schema = try Self.schema(attributes: 656, indexes: 656)
            try RawFile(path).setMeta("model", SchemaCoding.encode(schema))
            try RawFile(path).setMeta("catalog", Catalog(schema: schema, isNarrow: true).encoded())
            let error = refusal(path)
            #expect(error?.code == .damaged)
            #expect(error?.message.hasPrefix("the model needs 65706 databases") == true)
        }
    }
}
