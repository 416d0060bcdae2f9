// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Values of variables: `evaluate(with:substitutionVariables:)` answers as the predicate with its
/// values, and as a fetch with that.
@Suite struct VariableValueTests {
    private func stack() throws -> (stack: Stack, thing: NSManagedObject) {
        let thing = Build.entity(
            "Thing",
            [
                Build.attribute("name"), Build.attribute("number", .integer32AttributeType),
                Build.attribute("day", .dateAttributeType),
                Build.attribute("code", .UUIDAttributeType),
                Build.attribute("isOpen", .booleanAttributeType),
            ])
        let part = Build.relationship("parts", of: thing, to: thing, max: 0)
        Build.inverse(part, Build.relationship("whole", of: thing, to: thing, max: 1))
        let stack = try Stack(Build.model(thing))
        let made = stack.context.make(
            "Thing",
            [
                "name": "12", "number": 15, "day": Date(timeIntervalSinceReferenceDate: 86_400),
                "code": UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!, "isOpen": false,
            ])
        stack.context.make("Thing", ["name": "part", "number": 3, "whole": made])
        return (stack, made)
    }

    private let questions: [(String, Any, Bool)] = [
        ("number == $x", "15", true), ("number == $x", "15.5", false), ("number > $x", "9", true),
        ("number IN $x", ["15", "16"], true), ("number BETWEEN $x", ["9", "20"], true),
        ("number BETWEEN $x", 10...20, true), ("$x == number", "15", true),
        ("number == $x", NSExpression(format: "10 + 5"), true),
        ("ANY parts.name == $x", NSExpression(format: "'part'"), true),
        ("ANY parts.number == $x", "3", true),
        ("SUBQUERY(parts, $p, $p.number == $x).@count == 1", "3", true),
        ("SUBQUERY(parts, $x, $x.number == 3).@count == 1", "4", true),
        ("day == $x", "2001-01-02", true), ("day > $x", "2001-01-02", false),
        ("code == $x", "00000000-0000-0000-0000-00000000000a", true),
        ("isOpen == $x", "no", true), ("name == $x", 12, true), ("name != $x", 12, false),
        ("name == $x", NSNumber(value: 12), true), ("number == $x", NSNull(), false),
        ("number == $x", NSString("15"), true),
    ]

    @Test func constants_are_coerced_as_in_a_format() throws {
        let (stack, thing) = try stack()
        for _ in 0..<2 {
            for (format, value, wanted) in questions {
                let template = NSPredicate(format: format)
                let filled = template.withSubstitutionVariables(["x": value])
                let text = "\(format), \(value)"
                #expect(
                    template.evaluate(with: thing, substitutionVariables: ["x": value]) == wanted,
                    "\(text)")
                #expect(filled.evaluate(with: thing) == wanted, "\(text)")
                let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
                    filled, NSPredicate(format: "SELF == %@", thing),
                ])
                #expect(try stack.context.all("Thing", both) == (wanted ? [thing] : []), "\(text)")
            }
            try stack.context.save()
        }
    }

    @Test func objects_and_dictionaries_have_their_keys_and_blocks_all_values() throws {
        let (_, thing) = try stack()
        func holds(_ format: String, _ values: [String: Any]) -> Bool {
            NSPredicate(format: format).evaluate(with: thing, substitutionVariables: values)
        }
        #expect(holds("$x.name == name AND number == $y", ["x": thing, "y": "15"]))
        #expect(holds("ANY $x.name == $y", ["x": [thing], "y": "12"]))
        #expect(holds("$x.width == $y", ["x": ["width": 3], "y": 3]))
        #expect(holds("$x.length == 2", ["x": "ab"]))
        let block = NSExpression(block: { _, _, values in values?["y"] as Any }, arguments: nil)
        let predicate = NSPredicate(format: "number == $y AND %@ == 15", block)
        #expect(predicate.evaluate(with: thing, substitutionVariables: ["y": 15]))
        #expect(!predicate.evaluate(with: thing, substitutionVariables: ["y": 14]))
    }
}
