// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A value with identity, which changes in place.
private final class Box: NSObject {
    var number: Int
    init(_ number: Int) { self.number = number }
}

/// Turns boxes into the text of their numbers.
private final class BoxTransformer: ManagedObjects.ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Box).map { Data("\($0.number)".utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { Int(String(decoding: $0, as: UTF8.self)) }.map { Box($0) }
    }
}

@Suite struct TransformableTests {
    private func boxes() throws -> Stack {
        ManagedObjects.ValueTransformer.setValueTransformer(
            BoxTransformer(), forName: NSValueTransformerName("TransformableTests.box"))
        let box = Build.attribute("box", .transformableAttributeType)
        box.valueTransformerName = "TransformableTests.box"
        return try Stack(Build.model(Build.entity("Thing", [box, Build.attribute("name")])))
    }

    private func box(_ object: NSManagedObject) -> Box? { object.value(forKey: "box") as? Box }

    @Test func the_instance_that_was_set_comes_back() throws {
        let stack = try boxes()
        let object = stack.context.make("Thing")
        let first = Box(1)
        object.setValue(first, forKey: "box")
        #expect(box(object) === first && object.primitiveValue(forKey: "box") as? Box === first)
        first.number = 5
        #expect(box(object)?.number == 5)
        try stack.context.save()
        #expect(box(object) === first)
        let second = Box(2)
        object.setPrimitiveValue(second, forKey: "box")
        #expect(box(object) === second)
        object.setValue(nil, forKey: "box")
        #expect(box(object) == nil)
    }

    @Test func the_instance_that_was_read_comes_back_until_the_object_is_a_fault() throws {
        let stack = try boxes()
        stack.context.make("Thing", ["box": Box(1), "name": "a"])
        try stack.context.save()
        try stack.reopen()
        let object = try #require(try stack.context.all("Thing").first)
        let read = try #require(box(object))
        #expect(read.number == 1 && box(object) === read)
        read.number = 7
        // In place: no change that the context knows of.
        #expect(!stack.context.hasChanges && box(object)?.number == 7)
        stack.context.refresh(object, mergeChanges: false)
        #expect(box(object)?.number == 1)
    }

    @Test func other_bytes_are_another_instance() throws {
        let stack = try boxes()
        let object = stack.context.make("Thing", ["box": Box(1), "name": "a"])
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        try other.existingObject(with: object.objectID).setValue(Box(2), forKey: "box")
        try other.save()
        stack.context.refresh(object, mergeChanges: true)
        #expect(box(object)?.number == 2)
        object.setValue(Box(3), forKey: "box")
        #expect((object.committedValues(forKeys: ["box"])["box"] as? Box)?.number == 2)
        stack.context.rollback()
        #expect(box(object)?.number == 2)
    }

    private func stack() throws -> Stack {
        ManagedObjects.ValueTransformer.setValueTransformer(
            WordsTransformer(), forName: NSValueTransformerName("TransformableTests.words"))
        let words = Build.attribute("words", .transformableAttributeType)
        words.valueTransformerName = "TransformableTests.words"
        let raw = Build.attribute("raw", .transformableAttributeType)
        return try Stack(Build.model(Build.entity("Thing", [words, raw])))
    }

    @Test func a_named_transformer_converts_both_ways() throws {
        let stack = try stack()
        let object = stack.context.make("Thing", ["words": ["a", "list"], "raw": Data([1, 2])])
        #expect(object.value(forKey: "words") as? [String] == ["a", "list"])
        try stack.context.save()
        try stack.reopen()
        let read = try #require(try stack.context.all("Thing").first)
        #expect(read.value(forKey: "words") as? [String] == ["a", "list"])
        #expect(read.value(forKey: "raw") as? Data == Data([1, 2]))
        read.setValue(nil, forKey: "words")
        try stack.context.save()
        #expect(read.value(forKey: "words") == nil)
    }

    @Test func a_value_that_makes_no_data_traps() async {
        await #expect(processExitsWith: .failure) {
            let raw = Build.attribute("raw", .transformableAttributeType)
            let stack = try Stack(Build.model(Build.entity("Thing", [raw])))
            stack.context.make("Thing", ["raw": 7])
        }
    }
}
