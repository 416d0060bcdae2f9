// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Accessors of its own, registered and not.
class AccessorPerson: NSManagedObject {
    var fullName: String { "\(text("first")) \(text("last"))" }
    var years: Int {
        get { number("age") }
        set { setPrimitiveValue(newValue, forKey: "age") }
    }
    var nick: String? {
        get { (primitiveValue(forKey: "nick") as? String).map { "~\($0)" } }
        set { setPrimitiveValue(newValue, forKey: "nick") }
    }
    var hidden: String { "hidden" }

    override class var keyValueAccessors: [KeyValueAccessor] {
        super.keyValueAccessors + [
            KeyValueAccessor("fullName", \AccessorPerson.fullName),
            KeyValueAccessor("years", \AccessorPerson.years),
            KeyValueAccessor("nick", \AccessorPerson.nick),
        ]
    }

    override func setNilValueForKey(_ key: String) { years = key == "years" ? 0 : -1 }
}

final class LenientPerson: NSManagedObject {
    override func value(forUndefinedKey key: String) -> Any? { "no \(key)" }
    override func setValue(_ value: Any?, forUndefinedKey key: String) {
        setValue("\(key)=\(value ?? "nil")", forKey: "first")
    }
}

@Suite struct KeyValueAccessorTests {
    fileprivate static func stack(_ type: NSManagedObject.Type) throws -> Stack {
        try Stack(
            Build.model(
                Build.entity(
                    "Person",
                    [
                        Build.attribute("first"), Build.attribute("last"),
                        Build.attribute("nick"),
                        Build.attribute("age", .integer32AttributeType),
                    ], class: type)))
    }

    @Test func registered_properties_are_found() throws {
        let stack = try KeyValueAccessorTests.stack(AccessorPerson.self)
        let person = stack.context.make("Person", ["first": "Ada", "last": "King", "age": 36])
        #expect(person.value(forKey: "fullName") as? String == "Ada King")
        #expect(person.value(forKeyPath: "fullName.length") as? Int == 8)
        #expect(person.value(forKey: "years") as? NSNumber == 36)
        person.setValue(Int16(40), forKey: "years")
        #expect(person.number("age") == 40)
        person.setValue(nil, forKey: "years")
        #expect(person.number("age") == 0)
    }

    @Test func an_accessor_comes_before_the_stored_value() throws {
        let stack = try KeyValueAccessorTests.stack(AccessorPerson.self)
        let person = stack.context.make("Person", ["nick": "a"])
        #expect(person.value(forKey: "nick") as? String == "~a")
        #expect(person.primitiveValue(forKey: "nick") as? String == "a")
        person.setValue(nil, forKey: "nick")
        #expect(person.value(forKey: "nick") == nil)
    }

    @Test func undefined_keys_can_be_answered() throws {
        let stack = try KeyValueAccessorTests.stack(LenientPerson.self)
        let object = stack.context.make("Person")
        #expect(object.value(forKey: "colour") as? String == "no colour")
        object.setValue(3, forKey: "colour")
        #expect(object.text("first") == "colour=3")
    }

    /// Whether a trap says a text.
    private func says(_ result: ExitTest.Result?, _ text: String) -> Bool {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
    }

    @Test func a_property_that_is_not_registered_is_unknown() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = try KeyValueAccessorTests.stack(AccessorPerson.self).context.make("Person")
                .value(forKey: "hidden")
        }
        #expect(
            says(
                result, "entity Person has no property hidden; it has age,"))
    }

    @Test func setting_an_unknown_key_names_the_value() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try KeyValueAccessorTests.stack(AccessorPerson.self).context.make("Person")
                .setValue(17, forKey: "colour")
        }
        #expect(
            says(
                result, "entity Person has no property colour to set to 17"))
    }

    @Test func a_value_of_the_wrong_class_is_named() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try KeyValueAccessorTests.stack(AccessorPerson.self).context.make("Person")
                .setValue("x", forKey: "age")
        }
        #expect(
            says(
                result, "Person.age takes integer32, not x of type String"))
    }

    @Test func null_is_no_value() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try KeyValueAccessorTests.stack(AccessorPerson.self).context.make("Person")
                .setValue(NSNull(), forKey: "age")
        }
        #expect(
            says(
                result, "Person.age takes integer32, not <null> of type NSNull"))
    }

    @Test func an_accessor_names_its_type() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try KeyValueAccessorTests.stack(AccessorPerson.self).context.make("Person")
                .setValue("x", forKey: "years")
        }
        #expect(
            says(
                result, "Person.years takes Int, not x of type String"))
    }

    @Test func an_accessor_that_cannot_be_set_says_so() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try KeyValueAccessorTests.stack(AccessorPerson.self).context.make("Person")
                .setValue("x", forKey: "fullName")
        }
        #expect(
            says(
                result, "Person.fullName can only be read, not set to x"))
    }

    @Test func an_unknown_operator_traps() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(PeopleModel.make())
            _ = stack.context.make("Person").value(forKeyPath: "tags.@median.name")
        }
    }
}
