// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Binary data of all sizes, in the record and outside.
@Suite(.serialized) struct BinaryDataTests {
    static let sizes = [0, 1, 1_000, 1_024, 4_000, 5_000, 65_536, 1_048_576]

    private func data(_ count: Int, _ seed: UInt8 = 1) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(seed)) })
    }

    private func stack(external: Bool = true) throws -> Stack {
        let value = Build.attribute("value", .binaryDataAttributeType)
        value.allowsExternalBinaryDataStorage = external
        return try Stack(Build.model(Build.entity("Thing", [Build.attribute("name"), value])))
    }

    private func value(_ object: NSManagedObject) -> Data? {
        object.value(forKey: "value") as? Data
    }

    @Test(arguments: sizes, [true, false])
    func keeps_a_value(_ size: Int, external: Bool) throws {
        let stack = try stack(external: external)
        stack.context.make("Thing", ["value": data(size)])
        try stack.context.save()
        try stack.reopen()
        let read = try #require(try stack.context.all("Thing").first)
        #expect(value(read) == data(size))
    }

    @Test(arguments: sizes) func is_replaced_and_removed(_ size: Int) throws {
        let stack = try stack()
        let object = stack.context.make("Thing", ["value": data(size)])
        try stack.context.save()
        for other in Self.sizes {
            object.setValue(data(other, 2), forKey: "value")
            try stack.context.save()
            #expect(value(object) == data(other, 2))
        }
        object.setValue("kept", forKey: "name")
        try stack.context.save()
        #expect(value(object) == data(1_048_576, 2))
        object.setValue(nil, forKey: "value")
        try stack.context.save()
        #expect(value(object) == nil)
        try stack.reopen()
        let read = try #require(try stack.context.all("Thing").first)
        #expect(value(read) == nil)
        #expect(read.text("name") == "kept")
    }

    @Test func rollback_restores_a_large_value() throws {
        let stack = try stack()
        let object = stack.context.make("Thing", ["value": data(1_048_576)])
        try stack.context.save()
        object.setValue(data(10), forKey: "value")
        stack.context.rollback()
        #expect(value(object) == data(1_048_576))
    }

    @Test func a_realised_object_keeps_its_large_value_when_another_context_replaces_it() throws {
        let stack = try stack()
        let object = stack.context.make("Thing", ["value": data(100_000), "name": "old"])
        try stack.context.save()
        #expect(object.text("name") == "old")
        let other = stack.container.newBackgroundContext()
        let twin = try other.existingObject(with: object.objectID)
        twin.setValue(data(200_000, 2), forKey: "value")
        try other.save()
        #expect(try stack.context.count("Thing") == 1)
        #expect(value(object) == data(100_000))
        stack.context.refresh(object, mergeChanges: false)
        #expect(value(object) == data(200_000, 2))
        twin.setValue(nil, forKey: "value")
        try other.save()
        #expect(try stack.context.count("Thing") == 1)
        #expect(value(object) == data(200_000, 2))
    }
}
