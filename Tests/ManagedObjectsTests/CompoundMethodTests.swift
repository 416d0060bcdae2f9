// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Compounds and constants that a program builds with Foundation's initialisers.
@Suite struct CompoundMethodTests {
    private let one = NSPredicate(format: "a == 1")
    private let two = NSPredicate(format: "b == 2")

    private func and(_ members: NSPredicate...) -> NSCompoundPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: members)
    }

    private func or(_ members: NSPredicate...) -> NSCompoundPredicate {
        NSCompoundPredicate(orPredicateWithSubpredicates: members)
    }

    private func not(_ member: NSPredicate) -> NSCompoundPredicate {
        NSCompoundPredicate(notPredicateWithSubpredicate: member)
    }

    @Test func texts_are_those_of_the_format() {
        let block = NSPredicate { _, _ in true }
        let texts: [(NSPredicate, String)] = [
            (and(one, two), "a == 1 AND b == 2"),
            (or(one, two), "a == 1 OR b == 2"),
            (not(one), "NOT a == 1"),
            (not(and(one, two)), "NOT (a == 1 AND b == 2)"),
            (and(one, or(one, two)), "a == 1 AND (a == 1 OR b == 2)"),
            (or(and(one, two), not(two)), "(a == 1 AND b == 2) OR NOT b == 2"),
            (and(and(one, two), one), "(a == 1 AND b == 2) AND a == 1"),
            (and(one), "a == 1"), (and(), "TRUEPREDICATE"), (or(), "FALSEPREDICATE"),
            (and(NSPredicate(value: true), one), "TRUEPREDICATE AND a == 1"),
            (not(NSPredicate(value: false)), "NOT FALSEPREDICATE"),
            (and(one, block), "a == 1 AND BLOCKPREDICATE"),
            (NSPredicate(value: true), "TRUEPREDICATE"),
            (NSPredicate(value: false), "FALSEPREDICATE"),
            (
                and(NSPredicate(format: "t == 'x' OR u > 1"), two),
                "(t == \"x\" OR u > 1) AND b == 2"
            ),
        ]
        for (predicate, text) in texts {
            #expect(predicate.description == text)
            #expect("\(predicate)" == text)
            #expect(text.contains("BLOCK") || format(text) == text)
        }
    }

    private func format(_ text: String) -> String { NSPredicate(format: text).description }

    @Test func copies_say_the_same() throws {
        let compound = and(one, or(two, one))
        let copy = try #require(compound.copy() as? NSCompoundPredicate)
        #expect(copy.compoundPredicateType == .and && copy.subpredicates.count == 2)
        #expect(copy.isEqual(compound) && copy.description == compound.description)
        #expect(copy.evaluate(with: ["a": 1, "b": 2]) && !copy.evaluate(with: ["a": 2, "b": 2]))
        compound.subpredicates = []
        #expect(copy.subpredicates.count == 2)
        let constant = try #require(NSPredicate(value: true).copy() as? NSPredicate)
        #expect(constant.evaluate(with: nil))
    }

    @Test func sets_arrays_and_optionals_tell_them_apart() {
        let format = NSPredicate(format: "a == 1 AND b == 2")
        let others = [
            or(one, two), not(one), and(one), and(two, one), and(one, not(two)),
            NSPredicate(value: false), NSPredicate(value: true), one, and(), or(),
        ]
        for other in others {
            #expect(!and(one, two).isEqual(other) && !other.isEqual(and(one, two)), "\(other)")
            #expect(!format.isEqual(other) && !other.isEqual(format), "\(other)")
            #expect([and(one, two)] as [NSPredicate] != [other])
            #expect(Optional<NSPredicate>(and(one, two)) != Optional(other))
        }
        #expect(Set<NSPredicate>(others).count == others.count)
        #expect(Set<NSPredicate>(others + others.map { $0.copy() as! NSPredicate }).count == 10)
        #expect(Set<NSPredicate>([and(one, two), format, and(one, two)]).count == 1)
        #expect([and(one, two)] as [NSPredicate] == [format])
        for constant in ["TRUEPREDICATE", "FALSEPREDICATE"].map({ NSPredicate(format: $0) }) {
            #expect(!constant.isEqual(and(one)) && !and(one).isEqual(constant))
            #expect(!constant.isEqual(NSPredicate { _, _ in false }))
        }
        #expect(
            Set<NSPredicate>([NSPredicate(value: true), NSPredicate(format: "TRUEPREDICATE")])
                .count == 1)
        let nested = NSPredicate(format: "(a == 1 AND b == 2) OR NOT c == 3")
        let built = or(and(one, two), not(NSPredicate(format: "c == 3")))
        #expect(built.isEqual(nested) && nested.isEqual(built) && built.hash == nested.hash)
        #expect([built: 7][nested] == 7)
    }

    @Test func a_compound_of_one_compound_keeps_its_parentheses() throws {
        let single = try #require(NSPredicate(format: "x == 1 AND y == 2") as? NSCompoundPredicate)
        single.subpredicates = [or(one, two)]
        for inner in [single, and(or(one, two))] {
            let text = and(inner, one).description
            #expect(text == "(a == 1 OR b == 2) AND a == 1")
            #expect(not(inner).description == "NOT (a == 1 OR b == 2)")
        }
    }

    @Test func numbers_of_a_format_equal_booleans_beside_values_of_the_program_too() {
        let formats = [
            NSPredicate(format: "a == %@ AND b == %@", true, NSNull()),
            NSPredicate(format: "a == 1 AND b == %@", NSNull()),
            and(NSPredicate(format: "a == %@", true), NSPredicate(format: "b == %@", NSNull())),
            and(one, NSPredicate(format: "b == %@", NSNull())),
        ]
        for first in formats {
            for second in formats {
                #expect(first.isEqual(second) && first.hash == second.hash)
            }
        }
    }

    @Test func blocks_are_equal_to_themselves_only() {
        let (block, other) = (NSPredicate { _, _ in true }, NSPredicate { _, _ in true })
        #expect(and(block).isEqual(and(block)) && !and(block).isEqual(and(other)))
        #expect(Set<NSPredicate>([block, other, block]).count == 2)
        #expect(block.description == "BLOCKPREDICATE")
    }

    /// A class of a program's keeps the methods that it has.
    @Test func a_subclass_decides_for_itself() {
        let always = AlwaysPredicate(value: false)
        #expect(always.evaluate(with: nil) && !NSPredicate(value: false).isEqual(always))
        #expect(NSPredicate(value: false) != always && always != NSPredicate(value: false))
        let own = OwnCompound(type: .and, subpredicates: [one])
        #expect(
            !and(one).isEqual(own) && own != and(one)
                && own != OwnCompound(type: .or, subpredicates: [one]))
        #expect(own == OwnCompound(type: .and, subpredicates: [one]))
        #expect(and(always).evaluate(with: nil))
    }
}

private final class OwnCompound: NSCompoundPredicate {}

private final class AlwaysPredicate: NSPredicate {
    override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool {
        true
    }
}
