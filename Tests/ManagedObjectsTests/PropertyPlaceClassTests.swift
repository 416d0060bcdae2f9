// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Testing

/// Access by place calls what a class overrides or registers for access by key, and converts and
/// refuses values as that does.
@Suite struct PropertyPlaceClassTests {
    @Test(arguments: [ShoutingThing.self, LoudThing.self] as [NSManagedObject.Type])
    func an_overridden_setter_is_called(_ type: NSManagedObject.Type) throws {
        let stack = try Stack(ThingModel.make(type))
        let thing = stack.context.make("Thing")
        #expect(Swift.type(of: thing) == type && !thing.isCodedPlainly)
        thing.setValue(.string("abc"), at: thing.attribute("text"))
        thing.setValue(.integer64(3), at: thing.attribute("number"))
        #expect(thing.value(at: thing.attribute("text")) == .string("ABC"))
        #expect(thing.number("number") == 3)
        let other = stack.context.make("Other")
        thing.setDestination(other, at: thing.toOne("one"))
        #expect(thing.addDestinations([other], at: thing.toMany("many")) == 1)
        #expect(thing.addDestinations([other], at: thing.toMany("list")) == 1)
        #expect(thing.addDestinations([other], at: thing.toMany("list")) == 0)
        #expect(other.many("things") == [thing] && other.many("owners") == [thing])
        #expect(other.one("lister") === thing)
        thing.setDestination(nil, at: thing.toOne("one"))
        thing.setValue(.null, at: thing.attribute("text"))
        #expect(thing.one("one") == nil && thing.value(forKey: "text") == nil)
    }

    @Test func an_overridden_getter_is_called() throws {
        let stack = try Stack(ThingModel.make(WhisperingThing.self))
        let thing = stack.context.make("Thing")
        thing.setValue(.string("ABC"), at: thing.attribute("text"))
        thing.setValue(.date(5), at: thing.attribute("date"))
        #expect(thing.value(at: thing.attribute("text")) == .string("abc"))
        #expect(thing.primitiveValue(forKey: "text") as? String == "ABC")
        #expect(thing.value(at: thing.attribute("date")) == .date(5))
    }

    @Test func a_registered_accessor_is_called() throws {
        let stack = try Stack(ThingModel.make(NumberedThing.self))
        let thing = stack.context.make("Thing")
        thing.setValue(.integer64(10), at: thing.attribute("number"))
        #expect(thing.primitiveValue(forKey: "number") as? Int == 9)
        #expect(thing.value(at: thing.attribute("number")) == .integer64(10))
    }

    @Test func other_overrides_change_nothing() throws {
        let stack = try Stack(ThingModel.make(BusyThing.self))
        let thing = stack.context.make("Thing")
        #expect(thing.isCodedPlainly)
        #expect(thing.value(at: thing.attribute("text")) == .string("busy"))
        thing.setValue(.string("abc"), at: thing.attribute("text"))
        #expect(thing.text("text") == "abc")
        try stack.context.save()
    }

    @Test(arguments: [nil, ShoutingThing.self] as [NSManagedObject.Type?])
    func values_of_other_types_are_converted(_ type: NSManagedObject.Type?) throws {
        let stack = try Stack(ThingModel.make(type))
        defer { withExtendedLifetime(stack) {} }
        let thing = stack.context.make("Thing")
        for (name, value, expected) in [
            ("short", .double(3.75), .integer16(3)), ("short", .integer64(70), .integer16(70)),
            ("ratio", .integer16(3), .double(3)), ("flag", .integer64(2), .boolean(true)),
            ("number", .boolean(true), .integer64(1)), ("part", .double(0.1), .float(0.1)),
            ("link", .uri("http://e.org/a b"), .uri("http://e.org/a%20b")),
        ] as [(String, Value, Value)] {
            thing.setValue(value, at: thing.attribute(name))
            #expect(thing.value(at: thing.attribute(name)) == expected)
            let twin = thing.managedObjectContext?.make("Thing", [name: value.plainObject ?? 0])
            #expect(twin?.value(at: thing.attribute(name)) == expected)
        }
    }

    private func expect(
        _ result: ExitTest.Result?, _ text: String, at location: SourceLocation = #_sourceLocation
    ) {
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains(text), "\(output)", sourceLocation: location)
    }

    @Test func a_number_out_of_range_is_refused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(ThingModel.make())
            defer { withExtendedLifetime(stack) {} }
            let thing = stack.context.make("Thing")
            thing.setValue(.integer64(70000), at: thing.attribute("short"))
        }
        expect(result, "Thing.short takes integer16, not 70000 of type Int")
    }

    @Test func a_value_of_the_wrong_type_is_refused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(ThingModel.make(ShoutingThing.self))
            defer { withExtendedLifetime(stack) {} }
            let thing = stack.context.make("Thing")
            thing.setValue(.string("abc"), at: thing.attribute("number"))
        }
        expect(result, "Thing.number takes integer64, not ABC of type String")
    }

    @Test(arguments: [false, true]) func what_is_no_url_is_refused(isOverridden: Bool) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [isOverridden = isOverridden as Bool] in
            let type = isOverridden ? ShoutingThing.self : nil
            let stack = try Stack(ThingModel.make(type))
            defer { withExtendedLifetime(stack) {} }
            let thing = stack.context.make("Thing")
            thing.setValue(.uri("http://["), at: thing.attribute("link"))
        }
        expect(result, "Thing.link takes uri, not uri(\"http://[\")")
    }

    @Test func an_object_of_the_wrong_entity_is_refused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(ThingModel.make())
            defer { withExtendedLifetime(stack) {} }
            let thing = stack.context.make("Thing")
            thing.setDestination(thing, at: thing.toOne("one"))
        }
        expect(result, "Thing.one takes objects of Other, not of Thing")
    }

    @Test func a_place_of_another_entity_is_refused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(ThingModel.make())
            defer { withExtendedLifetime(stack) {} }
            let thing = stack.context.make("Thing")
            _ = thing.value(at: thing.attribute("name", of: "Other"))
        }
        expect(result, "an object of Thing was asked for a property by its place in another entity")
    }
}
