// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Testing

@testable import ManagedObjects

/// Entities that inherit one from another.
@Suite struct DeepInheritanceTests {
    private func chain(_ count: Int) -> NSManagedObjectModel {
        var entities: [NSEntityDescription] = []
        for number in 0..<count {
            let attribute = NSAttributeDescription(name: "a\(number)", type: .integer32)
            let entity = NSEntityDescription(name: "E\(number)", properties: [attribute])
            entities.last?.subentities = [entity]
            entities.append(entity)
        }
        return NSManagedObjectModel(entities: entities)
    }

    @Test func manyLevelsAreFine() throws {
        let model = try chain(Schema.deepestInheritance).compile()
        #expect(model.runtimes.map(\.fields.count).max() == Schema.deepestInheritance)
    }

    @Test(arguments: [Schema.deepestInheritance + 1, 3000])
    func moreLevelsAreRefused(count: Int) {
        let error = #expect(throws: ModelError.self) { _ = try chain(count).compile() }
        #expect(error?.description.contains("more than 255 entities above it") == true)
    }

    @Test func aSchemaRefusesThemToo() throws {
        let entities = { (count: Int) in
            (0..<count).map { Entity(name: "E\($0)", superentity: $0 == 0 ? nil : "E\($0 - 1)") }
        }
        _ = try Schema(entities: entities(Schema.deepestInheritance))
        let error = #expect(throws: SchemaError.self) {
            _ = try Schema(entities: entities(3000))
        }
        #expect(error?.code == .inheritanceTooDeep)
    }
}
