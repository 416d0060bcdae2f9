// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Compound predicates and predicates with variables, evaluated in memory.
@Suite struct CompoundPredicateTests {
    private let yes = NSPredicate(format: "SELF > 0")
    private let no = NSPredicate(format: "SELF > 100")

    @Test func and_or_and_not_ask_their_members() {
        for (first, second) in [(yes, yes), (yes, no), (no, yes), (no, no)] {
            let isFirst = first === yes
            let isSecond = second === yes
            let both = NSCompoundPredicate(andPredicateWithSubpredicates: [first, second])
            let either = NSCompoundPredicate(orPredicateWithSubpredicates: [first, second])
            let negation = NSCompoundPredicate(notPredicateWithSubpredicate: first)
            #expect(both.evaluate(with: 5) == (isFirst && isSecond))
            #expect(either.evaluate(with: 5) == (isFirst || isSecond))
            #expect(negation.evaluate(with: 5) == !isFirst)
            let nested = NSCompoundPredicate(
                notPredicateWithSubpredicate: NSCompoundPredicate(
                    andPredicateWithSubpredicates: [
                        either, NSCompoundPredicate(notPredicateWithSubpredicate: both),
                    ]))
            #expect(nested.evaluate(with: 5) == (isFirst == isSecond))
        }
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: []).evaluate(with: 5))
        #expect(!NSCompoundPredicate(orPredicateWithSubpredicates: []).evaluate(with: 5))
    }

    @Test func built_compounds_are_equal_by_their_members() throws {
        func and(_ members: NSPredicate...) -> NSPredicate {
            NSCompoundPredicate(andPredicateWithSubpredicates: members)
        }
        let (a, b) = (NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2"))
        #expect(and(a, b) == and(NSPredicate(format: "a == 1"), b))
        #expect(and(a, b) == NSPredicate(format: "a == 1 AND b == 2"))
        #expect(NSPredicate(format: "a == 1 AND b == 2") == and(a, b))
        #expect(and(a, b) != and(b, a))
        #expect(and(a, b) != and(a))
        #expect(and(a, b) != NSPredicate(value: false))
        #expect(and(a, b) != NSCompoundPredicate(orPredicateWithSubpredicates: [a, b]))
        #expect(and(a, and(a, b)) == and(a, and(a, b)))
        #expect(and(a, and(a, b)) != and(a, and(a, a)))
        let block = NSPredicate { _, _ in true }
        #expect(and(a, block) == and(a, block))
        let first = try #require(and(a) as? NSCompoundPredicate)
        let second = try #require(and(b) as? NSCompoundPredicate)
        #expect(first != second)
    }

    @Test func blocks_and_formats_mix() {
        let even = NSPredicate { object, _ in (object as? Int ?? 1) % 2 == 0 }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [even, yes])
        #expect([4, 5, -4].map { both.evaluate(with: $0) } == [true, false, false])
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: [yes, even])
        #expect([5, -4, -5].map { either.evaluate(with: $0) } == [true, true, false])
    }

    @Test func managed_objects_are_asked_saved_and_unsaved() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann", "age": 30])
        let bob = stack.context.make("Person", ["name": "Bob", "age": 40])
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "age > 20"), NSPredicate(format: "name BEGINSWITH 'A'"),
        ])
        for _ in 0..<2 {
            #expect(predicate.evaluate(with: ann))
            #expect(!predicate.evaluate(with: bob))
            #expect(try stack.context.all("Person", predicate) == [ann])
            try stack.context.save()
        }
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = stack.context
        #expect(predicate.evaluate(with: child.object(with: ann.objectID)))
        #expect(!predicate.evaluate(with: child.object(with: bob.objectID)))
    }

    @Test func all_collections_filter_by_compounds() {
        let small = NSPredicate(format: "SELF < 4")
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            small,
            NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "SELF == 2")),
        ])
        let numbers = [1, 2, 3, 4, 5]
        #expect(NSArray(array: numbers).filtered(using: predicate) as? [Int] == [1, 3])
        #expect(
            NSSet(array: numbers).filtered(using: predicate).compactMap { $0.base as? Int }.sorted()
                == [1, 3])
        #expect(
            NSOrderedSet(array: numbers).filtered(using: predicate) == NSOrderedSet(array: [1, 3]))
        let array = NSMutableArray(array: numbers)
        array.filter(using: predicate)
        #expect(array as? [Int] == [1, 3])
        let set = NSMutableSet(array: numbers)
        set.filter(using: predicate)
        #expect(set == NSSet(array: [1, 3]))
        let ordered = NSMutableOrderedSet(array: numbers)
        ordered.filter(using: predicate)
        #expect(ordered.array as? [Int] == [1, 3])
    }

    @Test func variables_are_bound_when_evaluated() {
        let predicate = NSPredicate(format: "age > $least AND name IN $names")
        let ann: [String: Any] = ["name": "Ann", "age": 30]
        let names: [String: Any] = ["least": 20, "names": ["Ann"]]
        #expect(predicate.evaluate(with: ann, substitutionVariables: names))
        #expect(
            !predicate.evaluate(with: ann, substitutionVariables: ["least": 30, "names": ["Ann"]]))
        let negation = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
        #expect(!negation.evaluate(with: ann, substitutionVariables: names))
        let block = NSPredicate { _, bindings in bindings?["least"] as? Int == 20 }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, block])
        #expect(both.evaluate(with: ann, substitutionVariables: names))
    }

    @Test func variables_may_be_objects() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann", "age": 30])
        let bob = stack.context.make("Person", ["name": "Bob", "parent": ann])
        let predicate = NSPredicate(format: "parent == $one AND $one.age == 30")
        #expect(predicate.evaluate(with: bob, substitutionVariables: ["one": ann]))
        #expect(!predicate.evaluate(with: ann, substitutionVariables: ["one": ann]))
    }

    @Test func substitution_makes_a_predicate_for_memory_and_stores() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann", "age": 30])
        let bob = stack.context.make("Person", ["name": "Bob", "age": 40, "parent": ann])
        let template = NSPredicate(format: "age > $least OR parent == $parent")
        let bound = template.withSubstitutionVariables(["least": 35, "parent": ann])
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
            template, NSPredicate(value: true),
        ]).withSubstitutionVariables(["least": 50]).withSubstitutionVariables(["parent": ann])
        for _ in 0..<2 {
            for predicate in [bound, compound] {
                #expect(predicate.evaluate(with: bob))
                #expect(!predicate.evaluate(with: ann))
                #expect(try stack.context.all("Person", predicate) == [bob])
            }
            // The second round has permanent IDs, which the predicate has to follow.
            try stack.context.save()
        }
        #expect(
            NSPredicate(format: "a == $x").withSubstitutionVariables(["y": 1]).description
                == "a == $x")
    }

    @Test func a_variable_without_a_value_traps() async {
        await #expect(processExitsWith: .failure) {
            _ = NSPredicate(format: "SELF == $none").evaluate(with: 1)
        }
    }

    @Test func the_answer_is_of_the_object_not_of_the_last_entity_asked() throws {
        let stack = try Stack(PeopleModel.make())
        let person = stack.context.make("Person", ["name": "1"])
        let team = stack.context.make("Department", ["name": "1"])
        let predicate = NSPredicate(format: "name == 1")
        let dictionary: [String: Any] = ["name": "1"]
        for _ in 0..<2 {
            #expect(predicate.evaluate(with: person))
            #expect(predicate.evaluate(with: team))
            // A dictionary has no types to convert to.
            #expect(!predicate.evaluate(with: dictionary))
        }
    }
}
