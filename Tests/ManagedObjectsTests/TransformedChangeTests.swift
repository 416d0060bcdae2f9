// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Synchronization
import Testing

/// Writes words behind a number that differs each time, as encryption does.
private final class SaltedTransformer: ManagedObjects.ValueTransformer {
    private let count = Mutex(100_000)

    override func transformedValue(_ value: Any?) -> Any? {
        guard let words = value as? [String] else { return nil }
        let salt = count.withLock { count in
            count += 1
            return count
        }
        return Data("\(salt) \(words.joined(separator: " "))".utf8)
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { data in
            String(decoding: data, as: UTF8.self).split(separator: " ").dropFirst().map(String.init)
        }
    }
}

/// Says that it equals another one of its identifier, whatever else it has.
private struct Revision: Codable, Equatable {
    var id: Int
    var text: String

    static func == (left: Revision, right: Revision) -> Bool { left.id == right.id }
}

/// An equal value is no change, whatever bytes its transformer makes of it.
@Suite(.inBothPlaces) struct TransformedChangeTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        ManagedObjects.ValueTransformer.setValueTransformer(
            SaltedTransformer(), forName: NSValueTransformerName("TransformedChangeTests.salt"))
        ManagedObjects.ValueTransformer.setValueTransformer(
            CodableValueTransformer<Set<String>>(),
            forName: NSValueTransformerName("TransformedChangeTests.set"))
        ManagedObjects.ValueTransformer.setValueTransformer(
            CodableValueTransformer<Revision>(),
            forName: NSValueTransformerName("TransformedChangeTests.revision"))
        ManagedObjects.ValueTransformer.setValueTransformer(
            CodableValueTransformer<[UInt128]>(),
            forName: NSValueTransformerName("TransformedChangeTests.wide"))
        func attribute(_ name: String, _ transformer: String) -> NSAttributeDescription {
            let made = Build.attribute(name, .transformableAttributeType)
            made.valueTransformerName = transformer
            return made
        }
        stack = try Stack(
            Build.model(
                Build.entity(
                    "Thing",
                    [
                        attribute("tags", "NSSecureUnarchiveFromData"),
                        attribute("words", "TransformedChangeTests.set"),
                        attribute("secret", "TransformedChangeTests.salt"),
                        attribute("revision", "TransformedChangeTests.revision"),
                        attribute("wide", "TransformedChangeTests.wide"),
                        Build.attribute("name"),
                    ])))
    }

    /// The same members in the orders of two hash tables.
    private static func sets() -> (Set<String>, Set<String>) {
        let members = (0..<40).map { "member \($0)" }
        var wide = Set<String>(minimumCapacity: 4000)
        wide.formUnion(members)
        return (Set(members), wide)
    }

    private static func bytes(_ value: Any) throws -> Data {
        let transformer = try #require(
            ManagedObjects.ValueTransformer.transformer(
                forName: .secureUnarchiveFromDataTransformerName))
        return try #require(transformer.transformedValue(value) as? Data)
    }

    private func saved(_ values: [String: Any]) throws -> NSManagedObject {
        let thing = context.make("Thing", values)
        try context.save()
        return thing
    }

    private func checkUnchanged(_ thing: NSManagedObject) throws {
        #expect(!thing.hasPersistentChangedValues)
        #expect(thing.changedValues().isEmpty)
        // Nothing to write, and so nothing that another save could conflict with.
        let other = stack.container.newBackgroundContext()
        try other.existingObject(with: thing.objectID).setValue("other", forKey: "name")
        try other.save()
        context.mergePolicy = NSErrorMergePolicy
        try context.save()
        #expect(!context.hasChanges)
        context.refresh(thing, mergeChanges: true)
        #expect(thing.text("name") == "other")
    }

    @Test func a_set_of_another_order() throws {
        let (one, other) = Self.sets()
        #expect(try Self.bytes(one) != Self.bytes(other))
        let thing = try saved(["tags": one, "name": "a"])
        thing.setValue(other, forKey: "tags")
        try checkUnchanged(thing)
    }

    @Test func a_set_within_a_dictionary() throws {
        let (one, other) = Self.sets()
        let thing = try saved(["tags": ["a": one, "b": [one]] as [String: Any], "name": "a"])
        thing.setValue(["b": [other], "a": other] as [String: Any], forKey: "tags")
        try checkUnchanged(thing)
        thing.setValue(["b": [other], "a": other.union(["x"])] as [String: Any], forKey: "tags")
        #expect(thing.changedValues().keys.sorted() == ["tags"])
    }

    @Test func a_set_of_a_codable_type() throws {
        let (one, other) = Self.sets()
        let thing = try saved(["words": one, "name": "a"])
        thing.setValue(other, forKey: "words")
        try checkUnchanged(thing)
    }

    @Test func a_transformer_that_makes_other_bytes_each_time() throws {
        let thing = try saved(["secret": ["x"], "name": "a"])
        thing.setValue(["x"], forKey: "secret")
        try checkUnchanged(thing)
        thing.setValue(["y"], forKey: "secret")
        #expect(thing.changedValues()["secret"] as? [String] == ["y"])
        thing.setValue(["x"], forKey: "secret")
        #expect(!thing.hasPersistentChangedValues)
        try stack.reopen()
        let read = try #require(try context.all("Thing").first)
        context.refresh(read, mergeChanges: false)
        #expect(read.isFault)
        read.setValue(["x"], forKey: "secret")
        #expect(!read.hasPersistentChangedValues)
    }

    @Test func the_event_does_not_name_an_equal_value() throws {
        let thing = try saved(["secret": ["x"], "name": "a"])
        _ = thing.changedValuesForCurrentEvent()
        thing.setValue(["y"], forKey: "secret")
        context.processPendingChanges()
        thing.setValue("b", forKey: "name")
        thing.setValue(["y"], forKey: "secret")
        #expect(thing.changedValuesForCurrentEvent().keys.sorted() == ["name"])
        #expect(thing.changedValues().keys.sorted() == ["name", "secret"])
    }

    @Test func a_primitive_setter() throws {
        let thing = try saved(["secret": ["x"], "name": "a"])
        thing.willChangeValue(forKey: "secret")
        thing.setPrimitiveValue(["x"], forKey: "secret")
        thing.didChangeValue(forKey: "secret")
        try checkUnchanged(thing)
    }

    @Test func a_child_that_sets_an_equal_value() throws {
        let (one, other) = Self.sets()
        let thing = try saved(["tags": one, "secret": ["x"], "name": "a"])
        let child = Stack.child(of: context)
        try child.performAndWait {
            let own = child.object(with: thing.objectID)
            own.setValue(["y"], forKey: "secret")
            try child.save()
            own.setValue(["x"], forKey: "secret")
            own.setValue(other, forKey: "tags")
            #expect(own.changedValues().keys.sorted() == ["secret"])
            try child.save()
        }
        try checkUnchanged(thing)
    }

    @Test func the_instance_that_was_set_comes_back() throws {
        let first = NSMutableArray(array: ["a"])
        let thing = try saved(["tags": first, "name": "a"])
        let second = NSMutableArray(array: ["a"])
        thing.setValue(second, forKey: "tags")
        #expect(thing.value(forKey: "tags") as? NSMutableArray === second)
        #expect(!thing.hasPersistentChangedValues)
    }

    @Test func an_instance_that_was_changed_in_place_is_a_change() throws {
        let list = NSMutableArray(array: ["a"])
        let thing = try saved(["tags": list, "name": "a"])
        list.add("b")
        #expect(!thing.hasPersistentChangedValues)
        thing.setValue(list, forKey: "tags")
        #expect(thing.hasPersistentChangedValues)
        try context.save()
        try stack.reopen()
        let read = try #require(try context.all("Thing").first)
        #expect(read.value(forKey: "tags") as? [String] == ["a", "b"])
    }

    @Test func what_only_looks_equal_is_a_change() throws {
        let pairs: [(Any, Any)] = [
            (["\u{E9}"], ["e\u{301}"]), (["\u{E9}": 1], ["e\u{301}": 1]), ([1], [1.5]),
            ([0.0], [-0.0]), (["a": 1], ["a": 1, "b": 2]), ([["a"]], [["b"]]),
            (Set(["a"]), ["a"]), ([NSNull()], ["null"]), ([Data([1])], [Data([2])]), ([1], [true]),
        ]
        for (one, other) in pairs {
            let thing = try saved(["tags": one])
            thing.setValue(one, forKey: "tags")
            #expect(!thing.hasPersistentChangedValues, "\(one)")
            thing.setValue(other, forKey: "tags")
            #expect(thing.hasPersistentChangedValues, "\(other)")
            context.rollback()
        }
    }

    @Test func what_a_type_calls_equal_is_a_change_where_its_bytes_differ() throws {
        let thing = try saved(["revision": Revision(id: 1, text: "a")])
        thing.setValue(Revision(id: 1, text: "a"), forKey: "revision")
        #expect(!thing.hasPersistentChangedValues)
        thing.setValue(Revision(id: 1, text: "b"), forKey: "revision")
        #expect(thing.hasPersistentChangedValues)
        try context.save()
        try stack.reopen()
        let read = try #require(try context.all("Thing").first)
        #expect((read.value(forKey: "revision") as? Revision)?.text == "b")
    }

    /// Numbers beyond 64 bits, which are no members that are compared.
    @Test func wide_numbers() throws {
        let first = UInt128(1) << 100
        let thing = try saved(["wide": [first]])
        thing.setValue([first], forKey: "wide")
        #expect(!thing.hasPersistentChangedValues)
        thing.setValue([first + 1], forKey: "wide")
        #expect(thing.hasPersistentChangedValues)
    }
}
