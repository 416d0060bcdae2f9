// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

private enum Rank: Int {
    case low = 10
    case high = 20
}

private enum Letter: String { case a, b }

private enum Level: Int8 {
    case ground = 20
    case cellar = -2
}

private struct Choice: OptionSet { let rawValue: Int }

/// What may stand for `%@`, in memory and in stores.
@Suite struct PredicateArgumentTests {
    private func stack() throws -> Stack {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "a", "age": 10])
        stack.context.make("Person", ["name": "b", "age": 20, "parent": ann])
        stack.context.make("Person", ["name": "c", "age": 3, "parent": ann])
        return stack
    }

    private func names(
        _ context: NSManagedObjectContext, _ format: String, _ arguments: Any?...
    ) throws -> String {
        let predicate = NSPredicate(format: format, argumentArray: arguments)
        let found = try context.all("Person", predicate).map { $0.text("name") }.sorted().joined()
        let filtered = NSArray(array: try context.all("Person")).filtered(using: predicate)
            .compactMap { ($0 as? NSManagedObject)?.text("name") }.sorted().joined()
        #expect(found == filtered, "\(format)")
        return found
    }

    @Test("A set of decimal numbers, whose hash as Foundation's objects never ends")
    func sets_of_decimals() throws {
        let context = try stack().context
        let tenth = try #require(Decimal(string: "0.1"))
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            #expect(try names(context, "age IN %@", Set([tenth, 3, 20])) == "bc")
            #expect(try names(context, "age IN %@", [tenth, 10]) == "a")
            let optional: Set<Decimal>? = [tenth, 3]
            #expect(try names(context, "age IN %@", optional as Any) == "c")
        }
        #expect(NSPredicate(format: "%@ IN %@", tenth, Set([tenth])).evaluate(with: nil))
        let constant = NSExpression(forConstantValue: Set([tenth, 3]))
        #expect((constant.constantValue as? Set<Decimal>)?.contains(tenth) == true)
        let built = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "age"), rightExpression: constant,
            modifier: .direct, type: .in, options: [])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = built
        #expect(try context.fetch(request).map { $0.text("name") } == ["c"])
    }

    @Test func values_of_many_types() throws {
        let context = try stack().context
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            #expect(try names(context, "age == %@", Rank.low) == "a")
            #expect(try names(context, "age IN %@", [Rank.low, .high]) == "ab")
            #expect(try names(context, "age == %@", Choice(rawValue: 3)) == "c")
            #expect(try names(context, "name == %@", Letter.b) == "b")
            #expect(try names(context, "name == %@", "xb".suffix(1)) == "b")
            #expect(try names(context, "name == %@", Character("c")) == "c")
            #expect(try names(context, "name == %@", NSString("c")) == "c")
            #expect(try names(context, "age == %@", UInt8(3)) == "c")
            #expect(try names(context, "age < %@", UInt64.max) == "abc")
            #expect(try names(context, "age < %@", NSNumber(value: UInt64.max)) == "abc")
            #expect(try names(context, "age > %@", CGFloat(9.5)) == "ab")
            let nested: Int?? = .some(.some(3))
            #expect(try names(context, "age == %@", nested as Any) == "c")
            let empty: Int?? = .some(nil)
            #expect(try names(context, "parent == %@", empty as Any) == "a")
            #expect(try names(context, "parent == %@", NSNull()) == "a")
            #expect(try names(context, "name IN %@", NSOrderedSet(array: ["a", "c"])) == "ac")
            #expect(try names(context, "name IN %@", NSSet(array: ["a", "c"])) == "ac")
            #expect(try names(context, "name IN %@", ["a": 1, "c": 2].keys) == "ac")
            #expect(try names(context, "age IN %@", 2..<11) == "ac")
        }
    }

    /// Foundation gives most numbers of an `Int8` the type of a boolean.
    @Test func small_integers_are_no_booleans() throws {
        let context = try stack().context
        context.make("Person", ["name": "d", "age": -2])
        context.make("Person", ["name": "e", "age": 1])
        context.make("Person", ["name": "f", "age": 200])
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            #expect(try names(context, "age == %@", NSNumber(value: Int8(20))) == "b")
            #expect(try names(context, "age == %@", NSNumber(value: Int8(-2))) == "d")
            #expect(try names(context, "age == %@", NSNumber(value: Int8(1))) == "e")
            #expect(try names(context, "age == %@", Int8(20)) == "b")
            #expect(try names(context, "age == %@", Int8(-2)) == "d")
            #expect(try names(context, "age == %@", NSNumber(value: UInt8(200))) == "f")
            #expect(try names(context, "age == %@", UInt8(200)) == "f")
            #expect(try names(context, "age == %@", NSNumber(value: Int16(200))) == "f")
            #expect(try names(context, "age == %@", Int16(-2)) == "d")
            #expect(try names(context, "age == %@", Level.ground) == "b")
            #expect(try names(context, "age IN %@", [Level.ground, .cellar]) == "bd")
            #expect(try names(context, "age > %@", NSNumber(value: Int8(19))) == "bf")
            #expect(try names(context, "age == %@", NSNumber(value: true)) == "e")
            #expect(try names(context, "age == %@", true) == "e")
            #expect(try names(context, "%@ == TRUE AND age < 0", NSNumber(value: true)) == "d")
        }
    }

    @Test func ranges_are_bounds() throws {
        let context = try stack().context
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            #expect(try names(context, "age BETWEEN %@", 4...20) == "ab")
            #expect(try names(context, "age IN %@", 4...20) == "ab")
            #expect(try names(context, "age IN %@ AND age IN {4, 20}", 4...20) == "b")
            #expect(try names(context, "NOT age IN %@", 4.5...19.5) == "bc")
            #expect(try names(context, "age IN %@", 3..<Int.max) == "abc")
            #expect(try names(context, "age IN %@", 10..<10) == "")
            let number = NSPredicate(
                format: "SELF IN $range AND SELF BETWEEN $range AND SELF < $top")
            #expect(
                number.evaluate(with: 3, substitutionVariables: ["range": 2...4, "top": 9]))
            #expect(
                !number.evaluate(with: 5, substitutionVariables: ["range": 2...4, "top": 9]))
            let template = NSPredicate(format: "age BETWEEN $range")
            #expect(
                try context.all("Person", template.withSubstitutionVariables(["range": 4...10]))
                    .map { $0.text("name") } == ["a"])
            #expect(
                try names(context, "SUBQUERY(children, $c, $c.age IN %@).@count == 1", 1...5)
                    == "a")
        }
    }

    @Test func values_of_foundation() throws {
        let stack = try Stack(TypedLiterals.model(isIndexed: false))
        let object = stack.context.make(
            "Thing",
            [
                "name": "x", "date": TypedLiterals.dates[1], "mark": TypedLiterals.marks[0],
                "bytes": Data([1, 2]),
            ])
        let date = NSDate(timeIntervalSinceReferenceDate: 86_400)
        let mark = NSUUID(uuidString: "00000000-0000-0000-0000-000000000001")
        for (format, argument) in [
            ("date == %@", date), ("mark == %@", mark),
            ("bytes == %@", NSData(data: Data([1, 2]))),
        ] as [(String, Any?)] {
            let predicate = NSPredicate(format: format, argumentArray: [argument])
            #expect(predicate.evaluate(with: object))
            #expect(try stack.context.all("Thing", predicate) == [object])
        }
        let url = NSPredicate(format: "SELF == %@", NSURL(string: "a:b"))
        #expect(url.evaluate(with: URL(string: "a:b")))
    }

    @Test func expressions_stand_for_themselves() throws {
        let context = try stack().context
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            #expect(
                try names(context, "%@ == 10", NSExpression(forKeyPath: "parent.age")) == "bc")
            #expect(try names(context, "age == %@", NSExpression(forConstantValue: 3)) == "c")
            let sum = NSExpression(
                forFunction: "add:to:", arguments: [NSExpression(forKeyPath: "age"), 1])
            #expect(try names(context, "%@ > 10", sum) == "ab")
            let ann = try #require(try context.named("a", "Person"))
            #expect(
                try names(context, "parent == %@", NSExpression(forConstantValue: ann)) == "bc")
        }
    }

    @Test func an_expression_follows_the_objects_that_it_names() throws {
        let context = try stack().context
        let ann = try #require(try context.named("a", "Person"))
        let same = NSExpression(
            forFunction: "noindex:", arguments: [NSExpression(forConstantValue: ann)])
        let predicate = NSPredicate(format: "parent == %@", same)
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let found = try context.all("Person", predicate)
            #expect(found.map { $0.text("name") }.sorted() == ["b", "c"])
            #expect(found.allSatisfy { predicate.evaluate(with: $0) })
            #expect(!predicate.evaluate(with: ann))
        }
    }

    @Test func entities_compare_by_name() throws {
        let base = Build.entity("Base", [Build.attribute("name")])
        let leaf = Build.entity("Leaf", [])
        base.subentities = [leaf]
        let owner = Build.entity("Owner", [Build.attribute("name")])
        Build.relationship("one", of: owner, to: base, max: 1)
        Build.relationship("many", of: owner, to: base, max: 0)
        let stack = try Stack(Build.model(base, leaf, owner))
        let context = stack.context
        context.make("Base", ["name": "b"])
        let l = context.make("Leaf", ["name": "l"])
        context.make("Owner", ["name": "o", "one": l, "many": Set([l])])
        let entity = try #require(stack.model.entitiesByName["Leaf"])
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = context
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            for place in [context, child] {
                #expect(try place.names("Base", "entity == %@", entity) == ["l"])
                #expect(try place.names("Base", "entity != %@", entity) == ["b"])
                #expect(try place.names("Base", "SELF.entity IN %@", [entity]) == ["l"])
                #expect(try place.names("Base", "entity.name == 'Base'") == ["b"])
                #expect(try place.names("Base", "entity.name BEGINSWITH 'L'") == ["l"])
                #expect(try place.names("Owner", "one.entity == %@", entity) == ["o"])
                #expect(try place.names("Owner", "ANY many.entity.name == 'Leaf'") == ["o"])
            }
            #expect(NSPredicate(format: "entity == %@", entity).evaluate(with: l))
            #expect(NSPredicate(format: "entity.name == 'Leaf'").evaluate(with: l))
        }
        let wrong = NSPredicate(format: "entity.isAbstract == 1")
        #expect(code { _ = try context.all("Base", wrong) } == 134_070)
    }

    @Test func whatever_cannot_be_held_is_refused_by_name() throws {
        let values: [(Any, String)] = [
            (NSPredicate(value: true), "predicate"), (NSObject.self, "type NSObject"),
            (NSExpression(forConstantValue: NSPredicate(value: true)), "predicate"),
        ]
        for (value, text) in values {
            let error = #expect(throws: (any Error).self) {
                try NSPredicate.parse("age > 1 AND a == %@", arguments: [value])
            }
            let message = error.map { "\($0)" } ?? ""
            #expect(message.contains("at offset 17") && message.contains(text), "\(message)")
        }
    }

    @Test func any_other_value_is_held_and_compared_in_memory() throws {
        let thing = NSObject()
        let table: [String: Any] = ["info": ["a": 1], "thing": thing, "choice": Choice.self]
        func holds(_ format: String, _ arguments: Any?...) -> Bool {
            NSPredicate(format: format, argumentArray: arguments).evaluate(with: table)
        }
        #expect(holds("%@ == info", ["a": 1]))
        #expect(holds("info == %@", ["a": 1] as NSDictionary))
        #expect(!holds("info == %@", ["a": 2]))
        #expect(holds("info != %@", ["b": 1]))
        #expect(holds("thing == %@", thing) && !holds("thing == %@", NSObject()))
        #expect(holds("thing IN %@", [NSObject(), thing]))
        #expect(holds("info.a IN %@", ["x": 1, "y": 2]))
        #expect(!holds("info.a IN %@", ["x": 3] as NSDictionary))
        let predicate = NSPredicate(format: "info == %@ AND a == 1", ["a": 1])
        #expect(predicate.description == "info == <[\"a\": 1]> AND a == 1")
        #expect(predicate == NSPredicate(format: "info == %@ AND a == 1", ["a": 1]))
        #expect(predicate != NSPredicate(format: "info == %@ AND a == 1", ["a": 2]))
    }

    @Test func the_values_of_a_dictionary_are_a_list() throws {
        let context = try stack().context
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            #expect(try names(context, "name IN %@", ["x": "a", "y": "c"]) == "ac")
            #expect(try names(context, "age IN %@", ["x": "20"] as NSDictionary) == "b")
            let equal = NSPredicate(format: "name == %@", ["x": "a"])
            #expect(code { _ = try context.all("Person", equal) } == 134_070)
        }
    }

    @Test func transformable_values() throws {
        let raw = Build.attribute("raw", .transformableAttributeType)
        let stack = try Stack(Build.model(Build.entity("Thing", [Build.attribute("name"), raw])))
        let object = stack.context.make("Thing", ["name": "x", "raw": Data([1, 2])])
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            #expect(try stack.context.names("Thing", "raw == %@", Data([1, 2])) == ["x"])
            #expect(try stack.context.names("Thing", "raw == %@", Data([1])) == [])
            #expect(try stack.context.names("Thing", "raw != nil") == ["x"])
            #expect(NSPredicate(format: "raw == %@", Data([1, 2])).evaluate(with: object))
            #expect(!NSPredicate(format: "raw == %@", Data([1])).evaluate(with: object))
            #expect(NSPredicate(format: "raw.length == 2").evaluate(with: object))
            #expect(try stack.context.names("Thing", "raw == 'text'") == [])
            let wrong = NSPredicate(format: "raw BEGINSWITH 'text'")
            #expect(code { _ = try stack.context.all("Thing", wrong) } == 134_070)
        }
    }
}
