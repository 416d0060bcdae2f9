// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Predicates that templates become with the values of their variables.
@Suite struct FilledTemplateTests {
    private let template = NSPredicate(format: "name == $name")

    /// The tree is made when it is asked for, by whichever of its uses comes first.
    @Test(arguments: 0..<7)
    func an_equality_made_of_a_template_is_that_of_a_format(use: Int) throws {
        let made = template.withSubstitutionVariables(["name": "a"])
        let stated = NSPredicate(format: "name == 'a'")
        let comparison = try #require(made as? NSComparisonPredicate)
        switch use {
        case 0: #expect(made == stated && stated == made && made.hash == stated.hash)
        case 1: #expect(made.description == "name == \"a\"")
        case 2:
            #expect(comparison.leftExpression.keyPath == "name")
            #expect(comparison.rightExpression.constantValue as? String == "a")
            #expect(comparison.predicateOperatorType == .equalTo)
        case 3:
            #expect(made.evaluate(with: ["name": "a"]) && !made.evaluate(with: ["name": "b"]))
        case 4:
            let both = NSCompoundPredicate(notPredicateWithSubpredicate: made)
            #expect(both == NSCompoundPredicate(notPredicateWithSubpredicate: stated))
            #expect(both.evaluate(with: ["name": "b"]))
        case 5:
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: made, requiringSecureCoding: true)
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
            #expect(read == stated)
        default:
            #expect(made.withSubstitutionVariables(["name": "b"]) == stated)
            #expect(made != NSPredicate(format: "name == 'b'"))
        }
    }

    @Test func values_of_other_kinds_fill_a_template() throws {
        let id = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 5)
        for (value, text) in [
            (3, "name == 3"), (Int32(3), "name == 3"), (1.5, "name == 1.5"), (true, "name == 1"),
            (id, "name == CAST(\"\(id)\", \"NSUUID\")"),
            (date, "name == CAST(5.000000, \"NSDate\")"), (NSNull(), "name == <null>"),
            (["a", "b"], "name == {\"a\", \"b\"}"), (NSNumber(value: 4), "name == 4"),
            (String?.some("a") as Any, "name == \"a\""),
        ] as [(Any, String)] {
            let made = template.withSubstitutionVariables(["name": value])
            #expect(made.description == text)
            #expect(made == NSPredicate(format: "name == %@", value))
        }
        let kept = template.withSubstitutionVariables(["other": "a"])
        #expect(kept.description == "name == $name")
        let both = template.withSubstitutionVariables(["other": "a", "name": "b"])
        #expect(both.description == "name == \"b\"")
    }

    @Test func an_equality_is_evaluated_by_several_threads() {
        for _ in 0..<50 {
            // SAFETY: a predicate may be used from any thread.
            nonisolated(unsafe) let made = template.withSubstitutionVariables(["name": "a"])
            DispatchQueue.concurrentPerform(iterations: 4) { index in
                let name = index < 2 ? "a" : "b"
                #expect(made.evaluate(with: ["name": name]) == (index < 2))
                #expect(made.description == "name == \"a\"")
            }
        }
    }
}
