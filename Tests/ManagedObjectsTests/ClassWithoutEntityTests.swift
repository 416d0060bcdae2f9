// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A class that no model names.
final class StrangerObject: NSManagedObject {}

/// A class that two entities name.
final class SharedObject: NSManagedObject {}

/// Classes without an entity may be asked for it; objects of them cannot be made.
@Suite struct ClassWithoutEntityTests {
    private static func twins() throws -> Stack {
        try Stack(
            Build.model(
                Build.entity("One", [], class: SharedObject.self),
                Build.entity("Two", [], class: SharedObject.self)
            ))
    }

    @Test func the_entity_of_a_class_without_one_has_no_name() throws {
        let stack = try Self.twins()
        #expect(StrangerObject.entity().name == nil)
        #expect(SharedObject.entity().name == nil)
        #expect(StrangerObject.fetchRequest().entityName == "StrangerObject")
        #expect(try stack.context.count("One") == 0)
    }

    @Test func it_is_said_on_standard_error() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            _ = StrangerObject.entity()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("names the class StrangerObject"))
    }

    @Test func an_object_of_it_cannot_be_made() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(ItemModel.make())
            _ = StrangerObject(context: stack.context)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("no entity names the class StrangerObject"))
    }

    @Test func nor_with_the_entity_without_a_name() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(ItemModel.make())
            _ = StrangerObject(entity: StrangerObject.entity(), insertInto: stack.context)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("entity without a name is not part of the model"))
    }

    @Test func a_fetch_of_it_says_its_name() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(ItemModel.make())
            _ = try stack.context.fetch(StrangerObject.fetchRequest())
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("StrangerObject"))
    }

    @Test func a_class_of_two_entities_is_made_with_one_of_them() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try ClassWithoutEntityTests.twins()
            _ = SharedObject(context: stack.context)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("class SharedObject belongs to the entities One, Two"))
    }
}
