// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// A predicate's text parses to a predicate that equals it, whatever numbers it was made of.
@Suite struct PrintedPredicateTests {
    @Test(
        arguments: [
            ("n == %@", "n == 1"), ("n <= %@", "n <= 1"), ("n < %@", "n < 1"),
            ("n >= %@", "n >= 1"), ("n > %@", "n > 1"), ("n != %@", "n != 1"),
            ("n IN {2, %@}", "n IN {2, 1}"), ("n BETWEEN {%@, 3}", "n BETWEEN {1, 3}"),
            ("SUBQUERY(s, $x, $x.n == %@).@count > 0", "SUBQUERY(s, $x, $x.n == 1).@count > 0"),
            ("TERNARY(n == 1, %@, 0) == 1", "TERNARY(n == 1, 1, 0) == 1"),
            ("n == 2 AND n <= %@", "n == 2 AND n <= 1"),
        ])
    func booleans(_ format: String, _ text: String) {
        let predicate = NSPredicate(format: format, argumentArray: [true])
        #expect(predicate.description == text)
        let parsed = NSPredicate(format: text)
        #expect(predicate == parsed && parsed == predicate)
        #expect(predicate.hash == parsed.hash)
        #expect(predicate != NSPredicate(format: format, argumentArray: [false]))
    }

    @Test func lists_of_booleans_and_floats() {
        let flags = NSPredicate(format: "n IN %@", argumentArray: [[true, false]])
        #expect(flags == NSPredicate(format: "n IN {1, 0}"))
        #expect(flags.hash == NSPredicate(format: "n IN {1, 0}").hash)
        let rate = NSPredicate(format: "n < %@", argumentArray: [Float(0.5)])
        #expect(rate == NSPredicate(format: "n < 0.5"))
        #expect(rate.hash == NSPredicate(format: "n < 0.5").hash)
        #expect(rate != NSPredicate(format: "n < 0"))
        #expect(
            NSExpression(forConstantValue: true) == NSExpression(format: "1"))
    }
}
