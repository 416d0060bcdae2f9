// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Values of objects that may leave their context's queue.
@Suite struct ObjectSnapshotTests {
    @Test func it_holds_values_and_ids() async throws {
        let stack = try Stack(PeopleModel.make())
        let context = stack.container.newBackgroundContext()
        let snapshot = try await context.perform {
            let department = context.make("Department", ["name": "d"])
            let tags = Set([context.make("Tag", ["name": "1"]), context.make("Tag", ["name": "2"])])
            let ann = context.make(
                "Person", ["name": "Ann", "age": 30, "department": department, "tags": tags])
            try context.save()
            ann.setValue("unsaved", forKey: "name")
            return ann.snapshot()
        }
        #expect(snapshot.entityName == "Person" && !snapshot.objectID.isTemporaryID)
        #expect(snapshot["name"] == "unsaved")
        #expect(snapshot["age"] == 30 && snapshot["age"] == Int16(30))
        #expect(snapshot["age", as: UInt8.self] == 30)
        #expect(snapshot["age", as: String.self] == nil)
        #expect(snapshot["none", as: Int.self] == nil)
        #expect(snapshot.objectIDs(forRelationshipNamed: "department").count == 1)
        #expect(snapshot.objectIDs(forRelationshipNamed: "tags").count == 2)
        #expect(snapshot.objectIDs(forRelationshipNamed: "passport") == [])
        #expect(snapshot.objectIDs(forRelationshipNamed: "none") == [])
        #expect(snapshot.attributes.keys.sorted() == ["age", "name"])
        let id = snapshot.objectIDs(forRelationshipNamed: "department")[0]
        #expect(stack.context.object(with: id).text("name") == "d")
    }

    @Test func every_type_has_its_swift_value() throws {
        let types: [(String, NSAttributeType, Any)] = [
            ("a", .integer16AttributeType, 1), ("b", .integer64AttributeType, -2),
            ("c", .doubleAttributeType, 1.5), ("d", .floatAttributeType, Float(2.5)),
            ("e", .booleanAttributeType, true),
            ("f", .dateAttributeType, Date(timeIntervalSinceReferenceDate: 3)),
            ("g", .UUIDAttributeType, UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6))),
            ("h", .URIAttributeType, try #require(URL(string: "http://example.org"))),
            ("i", .decimalAttributeType, Decimal(string: "1.25") ?? 0),
            ("j", .binaryDataAttributeType, Data([1, 2])),
        ]
        let entity = Build.entity("All", types.map { Build.attribute($0.0, $0.1) })
        let stack = try Stack(Build.model(entity))
        let object = stack.context.make("All")
        #expect(object.snapshot().attributes.isEmpty)
        for (name, _, value) in types { object.setValue(value, forKey: name) }
        let snapshot = object.snapshot()
        #expect(snapshot["a"] == 1 && snapshot["b"] == Int64(-2) && snapshot["c"] == 1.5)
        #expect(snapshot["d"] == Float(2.5) && snapshot["e"] == true)
        #expect(snapshot["f"] == Date(timeIntervalSinceReferenceDate: 3))
        #expect(snapshot["g"] == types[6].2 as? UUID)
        #expect(snapshot["h"] == URL(string: "http://example.org"))
        #expect(snapshot["i"] == Decimal(string: "1.25") && snapshot["j"] == Data([1, 2]))
        #expect(snapshot["b", as: UInt.self] == nil, "a negative number fits no unsigned type")
    }
}
