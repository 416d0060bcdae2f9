// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Predicates as programs take them apart, rebuild and print them.
@Suite struct PredicateClassTests {
    private func compare(
        _ key: String, _ type: NSComparisonPredicate.Operator, _ value: Any?,
        _ modifier: NSComparisonPredicate.Modifier = .direct,
        _ options: NSComparisonPredicate.Options = []
    ) -> NSComparisonPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: key),
            rightExpression: NSExpression(forConstantValue: value), modifier: modifier, type: type,
            options: options)
    }

    @Test func a_format_gives_the_class_of_what_it_says() throws {
        let one = NSPredicate(format: "age > 3")
        let comparison = try #require(one as? NSComparisonPredicate)
        #expect(comparison.leftExpression.keyPath == "age")
        #expect(comparison.rightExpression.constantValue as? Int == 3)
        #expect(comparison.predicateOperatorType == .greaterThan)
        #expect(comparison.comparisonPredicateModifier == .direct)
        #expect(comparison.options == [])
        let both = try #require(
            NSPredicate(format: "age > 3 AND NOT ANY tags.name LIKE[cd] 'x*'")
                as? NSCompoundPredicate)
        #expect(both.compoundPredicateType == .and)
        #expect(both.subpredicates.count == 2)
        #expect(both.subpredicates[0] == one)
        let not = try #require(both.subpredicates[1] as? NSCompoundPredicate)
        #expect(not.compoundPredicateType == .not)
        let like = try #require(not.subpredicates.first as? NSComparisonPredicate)
        #expect(like.predicateOperatorType == .like)
        #expect(like.comparisonPredicateModifier == .any)
        #expect(like.options == [.caseInsensitive, .diacriticInsensitive])
        #expect(!(one is NSCompoundPredicate) && !((both as NSPredicate) is NSComparisonPredicate))
    }

    @Test(
        arguments: [
            ("<", .lessThan), ("<=", .lessThanOrEqualTo), (">", .greaterThan),
            (">=", .greaterThanOrEqualTo), ("==", .equalTo), ("!=", .notEqualTo),
            ("MATCHES", .matches), ("LIKE", .like), ("BEGINSWITH", .beginsWith),
            ("ENDSWITH", .endsWith), ("IN", .in), ("CONTAINS", .contains),
        ] as [(String, NSComparisonPredicate.Operator)])
    func built_comparisons_equal_those_of_formats(
        _ text: String, _ type: NSComparisonPredicate.Operator
    ) {
        let format = NSPredicate(format: "name \(text) %@", "a")
        let built = compare("name", type, "a")
        #expect(built == format)
        #expect(format == built)
        #expect(built.hash == format.hash)
        #expect(built.predicateOperatorType == type)
        #expect("\(built)" == "name \(text) \"a\"")
    }

    @Test func bounds_and_modifiers() {
        let between = compare("age", .between, [1, 5])
        #expect(between == NSPredicate(format: "age BETWEEN {1, 5}"))
        #expect(between == compare("age", .between, 1...5))
        #expect(compare("age", .in, 1...5) == between)
        #expect(
            compare("tags.name", .equalTo, "a", .all, .caseInsensitive)
                == NSPredicate(format: "ALL tags.name ==[c] 'a'"))
    }

    @Test func foundations_constants_equal_only_themselves() {
        let comparison = NSPredicate(format: "age > 3")
        let compound = NSPredicate(format: "age > 3 AND age < 5")
        for constant in [NSPredicate(value: true), NSPredicate(value: false)] {
            #expect(constant != comparison && comparison != constant)
            #expect(constant != compound && compound != constant)
        }
        #expect(NSPredicate(format: "TRUEPREDICATE") == NSPredicate(value: true))
        #expect(NSPredicate(value: false) == NSPredicate(format: "FALSEPREDICATE"))
        #expect(NSPredicate(format: "TRUEPREDICATE") != NSPredicate(value: false))
        #expect("\(NSPredicate(format: "FALSEPREDICATE"))" == "FALSEPREDICATE")
    }

    @Test func copies_say_the_same() throws {
        for format in ["age > 3", "age > 3 AND age < 5", "NOT age > 3", "TRUEPREDICATE"] {
            let predicate = NSPredicate(format: format)
            let copy = try #require(predicate.copy() as? NSPredicate)
            #expect(copy == predicate)
            #expect("\(copy)" == format)
        }
    }

    @Test func a_tree_is_rewritten_by_its_parts() throws {
        /// As query libraries do it: each key path gets a prefix.
        func prefixed(_ predicate: NSPredicate) -> NSPredicate {
            switch predicate {
            case let compound as NSCompoundPredicate:
                return NSCompoundPredicate(
                    type: compound.compoundPredicateType,
                    subpredicates: compound.subpredicates.map(prefixed))
            case let comparison as NSComparisonPredicate:
                func prefixed(_ expression: NSExpression) -> NSExpression {
                    expression.expressionType == .keyPath
                        ? NSExpression(forKeyPath: "parent." + expression.keyPath) : expression
                }
                return NSComparisonPredicate(
                    leftExpression: prefixed(comparison.leftExpression),
                    rightExpression: prefixed(comparison.rightExpression),
                    modifier: comparison.comparisonPredicateModifier,
                    type: comparison.predicateOperatorType, options: comparison.options)
            default: return predicate
            }
        }
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann", "age": 40])
        let bob = stack.context.make("Person", ["name": "Bob", "age": 9, "parent": ann])
        try stack.context.save()
        let old = NSPredicate(format: "age > 30 AND NOT name ==[c] %@", "zoe")
        let new = prefixed(old)
        #expect(try stack.context.all("Person", old) == [ann])
        #expect(try stack.context.all("Person", new) == [bob])
        #expect(new.evaluate(with: bob) && !new.evaluate(with: ann))
    }

    @Test func constants_that_are_objects_come_out_as_they_went_in() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann", "age": 40])
        let bob = stack.context.make("Person", ["name": "Bob", "age": 9, "parent": ann])
        let format = NSPredicate(format: "parent == %@ AND age < %d", ann, 10)
        let members = try #require(format as? NSCompoundPredicate).subpredicates
        let first = try #require(members.first as? NSComparisonPredicate)
        #expect(first.rightExpression.constantValue as? NSManagedObject === ann)
        #expect(first == NSPredicate(format: "parent == %@", ann))
        #expect(first == compare("parent", .equalTo, ann))
        #expect(try stack.context.all("Person", first) == [bob])
        // The key of the object changes with the save; the predicate and its parts follow.
        try stack.context.save()
        #expect(try stack.context.all("Person", first) == [bob])
        #expect(try stack.context.all("Person", format) == [bob])
        #expect(try stack.context.all("Person", compare("parent", .equalTo, ann)) == [bob])
        #expect(try stack.context.all("Person", compare("self", .in, [ann, bob])).count == 2)
        #expect(first.evaluate(with: bob) && !first.evaluate(with: ann))
        #expect(first == NSPredicate(format: "parent == %@", ann.objectID))
    }

    @Test func variables_take_values_in_formats_and_in_built_predicates() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann", "age": 40])
        let bob = stack.context.make("Person", ["name": "Bob", "age": 9, "parent": ann])
        let built = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "parent"),
            rightExpression: NSExpression(forVariable: "who"), modifier: .direct, type: .equalTo)
        let whole = NSCompoundPredicate(andPredicateWithSubpredicates: [
            built, NSPredicate(format: "age IN $ages"),
        ])
        let filled = whole.withSubstitutionVariables(["who": ann, "ages": 5...10])
        #expect(try stack.context.all("Person", filled) == [bob])
        #expect(filled.evaluate(with: bob) && !filled.evaluate(with: ann))
        let bindings: [String: Any] = ["who": ann, "ages": [9]]
        #expect(whole.evaluate(with: bob, substitutionVariables: bindings))
        #expect(!whole.evaluate(with: ann, substitutionVariables: bindings))
    }

    @Test func predicates_joined_one_by_one_are_one_compound() throws {
        let stack = try Stack(PeopleModel.make())
        for age in 0..<20 { stack.context.make("Person", ["age": age]) }
        try stack.context.save()
        var joined = NSPredicate(format: "age == 3")
        for age in 4..<2_000 {
            joined = NSCompoundPredicate(orPredicateWithSubpredicates: [
                joined, NSPredicate(format: "age == %d", age),
            ])
        }
        #expect(try stack.context.all("Person", joined).count == 17)
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                NSPredicate(format: "age > 4"),
                NSCompoundPredicate(andPredicateWithSubpredicates: []),
            ]),
            NSCompoundPredicate(orPredicateWithSubpredicates: [
                NSPredicate(format: "age < 7"),
                NSCompoundPredicate(orPredicateWithSubpredicates: []),
            ]),
        ])
        #expect(try stack.context.all("Person", both).map { $0.number("age") }.sorted() == [5, 6])
    }

    @Test func compounds_too_deep_in_each_other_are_an_error() throws {
        var deep = NSPredicate(format: "age == 3")
        let stack = try Stack(PeopleModel.make())
        for _ in 0..<1_001 { deep = NSCompoundPredicate(notPredicateWithSubpredicate: deep) }
        #expect(code { _ = try stack.context.all("Person", deep) } == 134070)
    }

    @Test func members_of_a_formats_compound_may_be_replaced() throws {
        let compound = try #require(
            NSPredicate(format: "age > 3 AND age < 5") as? NSCompoundPredicate)
        compound.subpredicates = [NSPredicate(format: "age == 4"), NSPredicate(format: "b == 1")]
        compound.compoundPredicateType = .or
        #expect("\(compound)" == "age == 4 OR b == 1")
        #expect(compound.evaluate(with: ["age": 4, "b": 0]))
        #expect(!compound.evaluate(with: ["age": 3, "b": 0]))
    }
}
