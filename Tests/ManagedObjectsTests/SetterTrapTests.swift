// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What key-value coding says of a value that does not fit: entity, key and value.
@Suite struct SetterTrapTests {
    private static func stack() throws -> Stack {
        let types: [(String, NSAttributeType)] = [
            ("short", .integer16AttributeType), ("number", .integer64AttributeType),
            ("ratio", .doubleAttributeType), ("price", .decimalAttributeType),
            ("flag", .booleanAttributeType), ("text", .stringAttributeType),
            ("date", .dateAttributeType), ("data", .binaryDataAttributeType),
            ("id", .UUIDAttributeType), ("link", .URIAttributeType),
            ("any", .transformableAttributeType),
        ]
        let thing = Build.entity("Thing", types.map { Build.attribute($0, $1) })
        let other = Build.entity("Other", [Build.attribute("name")])
        Build.relationship("one", of: thing, to: other, max: 1)
        Build.relationship("many", of: thing, to: other, max: 0)
        let list = Build.relationship("list", of: thing, to: other, max: 0)
        list.isOrdered = true
        return try Stack(Build.model(thing, other))
    }

    private func expect(
        _ result: ExitTest.Result?, _ words: String...,
        at location: SourceLocation = #_sourceLocation
    ) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for word in words {
            #expect(text.contains(word), "\(text)", sourceLocation: location)
        }
    }

    @Test(arguments: [
        "short=70000", "short=70000.5", "short=abc", "number=abc", "ratio=abc", "price=abc",
        "flag=abc", "text=12.5", "date=abc", "data=abc", "id=abc", "link=abc", "any=abc",
        "one=abc", "many=abc",
    ])
    func a_value_of_the_wrong_kind(_ setting: String) async {
        let parts = setting.split(separator: "=").map(String.init)
        let (key, value) = (parts[0], parts[1])
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [key = key as String, value = value as String] in
            let object = try SetterTrapTests.stack().context.make("Thing")
            object.setValue(Double(value).map { $0 as Any } ?? value, forKey: key)
        }
        expect(result, "Thing.\(key)", value)
    }

    @Test(arguments: ["short", "text", "date", "any", "one", "many"])
    func null_is_no_value(_ key: String) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [key = key as String] in
            let object = try SetterTrapTests.stack().context.make("Thing")
            object.setValue(NSNull(), forKey: key)
        }
        expect(result, "Thing.\(key)", "NSNull")
    }

    @Test(arguments: ["short", "one", "many", "list"])
    func primitive_setters_say_it_too(_ key: String) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [key = key as String] in
            let stack = try SetterTrapTests.stack()
            let object = stack.context.make("Thing")
            let value: Any =
                switch key {
                case "short": "abc"
                case "one": object
                case "list": [object]
                default: Set([object])
                }
            object.setPrimitiveValue(value, forKey: key)
        }
        expect(result, "Thing.\(key)")
    }

    @Test(arguments: ["one", "many", "list"])
    func objects_of_the_wrong_entity(_ key: String) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [key = key as String] in
            let stack = try SetterTrapTests.stack()
            let object = stack.context.make("Thing")
            let value: Any = key == "one" ? object : key == "list" ? [object] : Set([object])
            object.setValue(value, forKey: key)
        }
        expect(result, "Thing.\(key)", "takes objects of Other, not of Thing")
    }

    @Test(arguments: ["exchange", "removeRange", "removeAt", "move", "insert", "sort"])
    func places_that_an_ordered_relationship_does_not_have(_ change: String) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [change = change as String] in
            let stack = try SetterTrapTests.stack()
            let list = stack.context.make("Thing").mutableOrderedSetValue(forKey: "list")
            list.add(stack.context.make("Other"))
            switch change {
            case "exchange": list.exchangeObject(at: 0, withObjectAt: 4)
            case "removeRange": list.removeObjects(in: NSRange(location: 4, length: 1))
            case "removeAt": list.removeObjects(at: IndexSet(integer: 4))
            case "move": list.moveObjects(at: IndexSet(integer: 0), to: 4)
            case "insert": list.insert([stack.context.make("Other")], at: IndexSet(integer: 4))
            default:
                list.sortRange(NSRange(location: 0, length: 4), options: []) { _, _ in .orderedSame
                }
            }
        }
        expect(result, "Thing.list has no", "4", change == "move" ? "0 members" : "1 members")
    }

    @Test(arguments: ["section", "item", "row"])
    func parts_that_an_index_path_does_not_have(_ part: String) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [part = part as String] in
            switch part {
            case "section": _ = IndexPath().section
            case "item": _ = IndexPath(index: 7).item
            default: _ = IndexPath(index: 7).row
            }
        }
        expect(result, part == "section" ? "has no section" : "has no item")
    }

    @Test func limits_and_offsets_of_any_size_are_taken() throws {
        let stack = try Stack(ItemModel.make())
        for number in 0..<5 {
            stack.context.make("Item", ["name": "n\(number)", "number": number])
        }
        try stack.context.save()
        let unsaved = stack.context.make("Item", ["name": "n5", "number": 5])
        for isPending in [true, false] {
            for (limit, offset, expected) in [
                (Int.max, 2, 4), (Int.max, 0, 6), (2, Int.max, 0), (.max, .max, 0), (-1, -1, 6),
                (.min, .min, 6), (3, -4, 3),
            ] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
                (request.fetchLimit, request.fetchOffset) = (limit, offset)
                #expect(try stack.context.fetch(request).count == expected)
                #expect(try stack.context.count(for: request) == expected)
                let rows = NSFetchRequest<NSDictionary>(entityName: "Item")
                rows.resultType = .dictionaryResultType
                rows.sortDescriptors = request.sortDescriptors
                (rows.fetchLimit, rows.fetchOffset) = (limit, offset)
                // Dictionaries ignore what is not saved.
                #expect(
                    try stack.context.fetch(rows).count
                        == (isPending && expected > 3 ? expected - 1 : expected))
            }
            if isPending { try stack.context.save() }
        }
        #expect(!unsaved.hasChanges)
    }
}
