// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A refusal that is not Core Data's own.
private struct Refusal: Error, Equatable {
    let key: String
}

/// Overrides the method that a save calls for every property.
class CheckedThing: NSManagedObject {
    // One test at a time reads and writes it: the suite is serialized.
    nonisolated(unsafe) static var calls: [String: Int] = [:]

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        CheckedThing.calls[key, default: 0] += 1
        if key == "name", let text = value as? String { value = text.uppercased() }
        try super.validateValue(&value, forKey: key)
        if key == "number", value as? Int == 13 { throw Refusal(key: key) }
    }
}

final class CheckedThingMore: CheckedThing {}

/// Registers checks of single properties.
class RegisteredThing: NSManagedObject {
    func validateNumber(_ value: inout Any?) throws {
        guard let number = value as? Int else { return }
        if number < 0 { throw Refusal(key: "number") }
        value = number / 10 * 10
    }

    override class var propertyValidators: [PropertyValidator] {
        super.propertyValidators + [PropertyValidator("number", RegisteredThing.validateNumber)]
    }
}

final class RegisteredThingMore: RegisteredThing {
    func validateName(_ value: inout Any?) throws {
        if value == nil { throw Refusal(key: "name") }
    }

    override class var propertyValidators: [PropertyValidator] {
        super.propertyValidators + [PropertyValidator("name", RegisteredThingMore.validateName)]
    }
}

/// Sets values while it is validated.
final class CompletingThing: NSManagedObject {
    override func validateForInsert() throws {
        if value(forKey: "name") == nil { setValue("filled", forKey: "name") }
        try super.validateForInsert()
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        guard value(forKey: "name") as? String != "wrong" else {
            throw Refusal(key: "name")
        }
    }
}

/// Refuses with errors of the program's own domain, as code from elsewhere does.
final class ForeignThing: NSManagedObject {
    override func validateForInsert() throws {
        try super.validateForInsert()
        throw NSError(domain: "program", code: 1610, userInfo: ["place": "whole"])
    }

    func validateNumber(_ value: inout Any?) throws {
        if value as? Int == 13 { throw NSError(domain: "program", code: 1560) }
    }

    override class var propertyValidators: [PropertyValidator] {
        super.propertyValidators + [PropertyValidator("number", ForeignThing.validateNumber)]
    }
}

final class RestlessThing: NSManagedObject {
    override func validateForInsert() throws { setValue("again", forKey: "name") }
}

@Suite(.serialized) struct CustomValidationTests {
    private func stack(_ type: NSManagedObject.Type, isOptional: Bool = true) throws -> Stack {
        let number = Build.attribute("number", .integer64AttributeType)
        number.validationRules = [.maximum(100)]
        let name = Build.attribute("name", isOptional: isOptional)
        let entity = Build.entity("Thing", [name, number], class: type)
        Build.inverse(
            Build.relationship("things", of: entity, to: entity, max: 0),
            Build.relationship("owner", of: entity, to: entity, max: 1))
        return try Stack(Build.model(entity))
    }

    private func failures(_ context: NSManagedObjectContext) throws -> [any Error] {
        let error = try #require(#expect(throws: (any Error).self) { try context.save() })
        return (error as? CocoaError)?.detailedErrors ?? [error]
    }

    @Test(arguments: [CheckedThing.self, CheckedThingMore.self] as [NSManagedObject.Type])
    func an_override_is_called_for_each_property(_ type: NSManagedObject.Type) throws {
        let stack = try stack(type)
        let thing = stack.context.make("Thing", ["name": "a", "number": 1])
        CheckedThing.calls = [:]
        try stack.context.save()
        #expect(Set(CheckedThing.calls.keys) == ["name", "number", "owner", "things"])
        #expect(thing.text("name") == "A")
        try stack.reopen()
        #expect(try stack.context.all("Thing").first?.text("name") == "A")
        let read = try #require(try stack.context.all("Thing").first)
        read.setValue(13, forKey: "number")
        let errors = try failures(stack.context)
        #expect(errors.count == 1 && errors.first as? Refusal == Refusal(key: "number"))
        read.setValue(101, forKey: "number")
        #expect((try failures(stack.context).first as? CocoaError)?.errorCode == 1610)
    }

    @Test func a_class_without_override_is_not_asked() throws {
        let stack = try stack(RegisteredThing.self)
        CheckedThing.calls = [:]
        stack.context.make("Thing", ["number": 5])
        try stack.context.save()
        #expect(CheckedThing.calls.isEmpty)
    }

    @Test func registered_checks_run_and_replace_values() throws {
        let stack = try stack(RegisteredThing.self)
        let thing = stack.context.make("Thing", ["number": 57])
        try stack.context.save()
        #expect(thing.number("number") == 50)
        #expect(!thing.hasChanges)
        thing.setValue(-1, forKey: "number")
        #expect(try failures(stack.context).first as? Refusal == Refusal(key: "number"))
        thing.setValue(101, forKey: "number")
        #expect((try failures(stack.context).first as? CocoaError)?.errorCode == 1610)
    }

    @Test func a_subclass_adds_checks() throws {
        let stack = try stack(RegisteredThingMore.self)
        stack.context.make("Thing", ["number": -5])
        let errors = try failures(stack.context).compactMap { $0 as? Refusal }
        #expect(errors.map(\.key).sorted() == ["name", "number"])
    }

    @Test func values_are_checked_without_a_save() throws {
        let stack = try stack(RegisteredThing.self, isOptional: false)
        let thing = stack.context.make("Thing")
        var value: Any? = 57
        try thing.validateValue(&value, forKey: "number")
        #expect(value as? Int == 50)
        #expect(thing.value(forKey: "number") == nil)
        #expect(code { try self.check(thing, 101, "number") } == 1610)
        #expect(code { try self.check(thing, "text", "number") } == 1550)
        #expect(code { try self.check(thing, nil, "name") } == 1570)
        #expect(code { try self.check(thing, thing, "owner") } == nil)
        #expect(code { try self.check(thing, 1, "things") } == nil)
        #expect(code { try self.check(thing, 1, "unknown") } == nil)
    }

    private func check(_ thing: NSManagedObject, _ proposal: Any?, _ key: String) throws {
        var value = proposal
        try thing.validateValue(&value, forKey: key)
    }

    @Test func values_set_while_validating_are_validated_and_saved() throws {
        let stack = try stack(CompletingThing.self, isOptional: false)
        let thing = stack.context.make("Thing")
        try stack.context.save()
        #expect(thing.text("name") == "filled" && !thing.hasChanges)
        try stack.reopen()
        let read = try #require(try stack.context.all("Thing").first)
        #expect(read.text("name") == "filled")
        read.setValue("wrong", forKey: "name")
        #expect(try failures(stack.context).first as? Refusal == Refusal(key: "name"))
        #expect(read.isUpdated)
        stack.context.rollback()
        #expect(read.text("name") == "filled")
    }

    @Test func errors_of_other_domains_are_thrown_as_they_are() throws {
        let stack = try stack(ForeignThing.self)
        let first = stack.context.make("Thing", ["number": 1])
        let error = try #require(#expect(throws: (any Error).self) { try stack.context.save() })
        let whole = error as NSError
        #expect(whole.domain == "program" && whole.code == 1610)
        #expect(whole.userInfo["place"] as? String == "whole")
        first.setValue(13, forKey: "number")
        stack.context.make("Thing", ["number": 101])
        stack.context.make("Thing", ["number": 2])
        let details = try failures(stack.context).map { $0 as NSError }
        let texts = details.map { "\($0.domain) \($0.code)" }
        #expect(texts == ["program 1560", "NSCocoaErrorDomain 1610", "program 1610"])
    }

    @Test func validation_without_end_traps() async {
        await #expect(processExitsWith: .failure) {
            let entity = Build.entity(
                "Thing", [Build.attribute("name")], class: RestlessThing.self)
            let stack = try Stack(Build.model(entity))
            stack.context.make("Thing")
            try stack.context.save()
        }
    }
}
