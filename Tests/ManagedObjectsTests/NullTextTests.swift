// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Nil and `NSNull` in predicates: one value with two texts.
@Suite struct NullTextTests {
    @Test func an_null_of_a_program_has_the_text_of_foundation() {
        let null = NSPredicate(format: "a == %@ AND b != nil", NSNull())
        #expect(null.description == "a == <null> AND b != nil")
        #expect(NSExpression(forConstantValue: NSNull()).description == "<null>")
        #expect(NSExpression(forConstantValue: nil).description == "nil")
        #expect(NSExpression(forConstantValue: NSNull()).constantValue is NSNull)
        #expect(NSExpression(forConstantValue: nil).constantValue == nil)
        let built = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "a"),
            rightExpression: NSExpression(forConstantValue: NSNull()), modifier: .direct,
            type: .equalTo)
        #expect(built.description == "a == <null>")
        #expect(
            NSPredicate(format: "a == $x").withSubstitutionVariables(["x": NSNull()]).description
                == "a == <null>")
    }

    @Test func both_texts_are_read_and_equal() throws {
        let plain = NSPredicate(format: "a == nil")
        for other in [
            NSPredicate(format: "a == <null>"), NSPredicate(format: "a == <NULL>"),
            NSPredicate(format: "a==<null>"), NSPredicate(format: "a == %@", NSNull()),
            NSPredicate(format: "a == NULL"), NSPredicate(format: "%K == %@", "a", NSNull()),
            NSPredicate(format: NSPredicate(format: "a == %@", NSNull()).description),
        ] {
            #expect(other == plain && plain == other)
            #expect(other.hash == plain.hash)
        }
        #expect(NSPredicate(format: "a != %@", NSNull()) != plain)
        #expect(NSPredicate(format: "a == '<null>'") != plain)
        #expect(throws: (any Error).self) { try NSPredicate.parse("a == <nulls>") }
        #expect(throws: (any Error).self) { try NSPredicate.parse("a == <null") }
    }

    @Test func both_find_the_same() throws {
        let stack = try Stack(PeopleModel.make())
        stack.context.make("Person", ["name": "Ann", "age": 30])
        stack.context.make("Person", ["name": "Bob"])
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            for format in ["parent == %@ AND name == 'Bob'", "%@ == parent AND name == 'Bob'"] {
                #expect(try stack.context.names("Person", format, NSNull()) == ["Bob"])
            }
            #expect(try stack.context.names("Person", "parent != <null>") == [])
        }
        #expect(NSPredicate(format: "a == %@", NSNull()).evaluate(with: ["b": 1]))
        #expect(NSPredicate(format: "a == <null>").evaluate(with: ["a": NSNull()]))
    }

    /// Constants of expressions are equal to those of formats, and so are their hashes.
    @Test func hashes_agree_for_constants_of_all_kinds() {
        for constant in [true, Float(1), NSNumber(value: 3), Data([1]), [1, 2]] as [Any] {
            let built = NSExpression(forConstantValue: constant)
            let parsed = NSExpression(format: "%@", constant)
            #expect(built == parsed && built.hash == parsed.hash, "\(constant)")
        }
    }
}
