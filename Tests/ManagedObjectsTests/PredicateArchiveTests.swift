// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Keyed archives of predicates, expressions and sort descriptors.
@Suite struct PredicateArchiveTests {
    private func copy<Object: NSObject & NSCoding>(_ object: Object) throws -> Object? {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: object, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
    }

    static let formats = [
        "name == 'a\"b' AND age > 3", "TRUEPREDICATE", "FALSEPREDICATE", "NOT a == nil",
        "a == 1 OR (b == 2 AND NOT c IN {1, 'x', nil})", "flags & ~4 << 1 != 0",
        "SUBQUERY(items, $x, $x.price > 5).@count > 0", "ANY items.price == $price",
        "TERNARY(a == 1, b, c) == 2", "name LIKE[cd] 'ß*'", "a BETWEEN {1.5, 2}",
        "#\"odd key\".b == sum(c, 2)", "{} == a", "a == 9223372036854775808",
    ]

    @Test(arguments: formats) func predicates_come_back_equal(format: String) throws {
        let predicate = NSPredicate(format: format)
        let back = try copy(predicate)
        #expect(back == predicate)
        #expect(back?.hash == predicate.hash)
        #expect(back?.description == predicate.description)
    }

    @Test func constants_keep_their_types() throws {
        let constants: [Any] = [
            true, false, 1, -2.5, Float(0.1), "text", Date(timeIntervalSinceReferenceDate: 0.1),
            Data([0, 255]), UUID(), Decimal(string: "1.10") ?? 0, NSNull(), NSNumber(value: 7),
            URL(fileURLWithPath: "/a b"), [1, true, Float(2)] as [Any],
            ["a", NSNull()] as [Any], [] as [Any], Double.infinity, Int64.min, Double.nan,
            -Double.nan, -Float.nan, Decimal.nan, NSDecimalNumber.notANumber,
            [Decimal.nan] as [Any], Date(timeIntervalSinceReferenceDate: -.nan),
        ]
        for constant in constants {
            let predicate = NSPredicate(format: "a == %@ AND b IN %@", constant, [constant])
            #expect(try copy(predicate) == predicate, "\(constant)")
            let expression = NSExpression(forConstantValue: constant)
            let back = try copy(expression)
            #expect(back == expression, "\(constant)")
            #expect(back?.hash == expression.hash, "\(constant)")
        }
    }

    @Test func lists_with_empty_lists_in_them_keep_their_hash() throws {
        let empty = NSExpression(forConstantValue: [] as [Int])
        let key = NSExpression(forKeyPath: "a")
        for last in [NSExpression(forConstantValue: 1.5), key] {
            let list = NSExpression(forAggregate: [empty, last])
            let predicate = NSComparisonPredicate(
                leftExpression: key, rightExpression: list, modifier: .direct, type: .in)
            let back = try #require(try copy(predicate))
            #expect(back == predicate)
            #expect(back.hash == predicate.hash)
            #expect([predicate: 1][back] == 1)
        }
    }

    @Test func comparisons_and_expressions_are_of_their_classes() throws {
        let comparison = NSComparisonPredicate(
            leftExpression: NSExpression(forFunction: "sum:", arguments: [1, 2]),
            rightExpression: NSExpression(forVariable: "x"), modifier: .direct,
            type: .greaterThan, options: .caseInsensitive)
        let back = try copy(comparison)
        #expect(back == comparison)
        #expect(back?.rightExpression.variable == "x")
        let expressions = [
            NSExpression(format: "a.b + 2 * c"), .expressionForEvaluatedObject(),
            .expressionForAnyKey(),
            NSExpression(forAggregate: [1, NSExpression(forKeyPath: "a")]),
        ]
        for expression in expressions { #expect(try copy(expression) == expression) }
    }

    @Test func compounds_that_a_program_builds_mean_the_same() throws {
        let (one, two) = (NSPredicate(format: "SELF > 1"), NSPredicate(format: "SELF < 5"))
        let single = NSCompoundPredicate(orPredicateWithSubpredicates: [one])
        let compounds = [
            NSCompoundPredicate(andPredicateWithSubpredicates: [one, two]), single,
            NSCompoundPredicate(notPredicateWithSubpredicate: two),
            NSCompoundPredicate(andPredicateWithSubpredicates: []),
            NSCompoundPredicate(orPredicateWithSubpredicates: []),
            NSCompoundPredicate(andPredicateWithSubpredicates: [single, two]),
        ]
        for compound in compounds {
            let back = try #require(try copy(compound))
            #expect(back.compoundPredicateType == compound.compoundPredicateType)
            #expect(back.subpredicates.count == compound.subpredicates.count)
            for number in 0..<7 {
                #expect(back.evaluate(with: number) == compound.evaluate(with: number))
            }
        }
        // The copy compares its members; a compound of Foundation's does not.
        let back = try #require(try copy(compounds[0]))
        #expect(back.isEqual(compounds[0]))
    }

    @Test func compounds_inside_of_expressions_mean_the_same() throws {
        let large = NSPredicate(format: "$x > 3")
        let single = NSCompoundPredicate(andPredicateWithSubpredicates: [large])
        let condition = NSCompoundPredicate(notPredicateWithSubpredicate: single)
        let numbers = NSExpression.expressionForEvaluatedObject()
        let subquery = NSExpression(
            forSubquery: numbers, usingIteratorVariable: "x", predicate: condition)
        let empty = NSCompoundPredicate(orPredicateWithSubpredicates: [])
        let count = NSExpression(forFunction: "count:", arguments: [subquery])
        let chosen = NSExpression(
            forConditional: empty, trueExpression: NSExpression(forConstantValue: 0),
            falseExpression: count)
        for expression in [count, chosen] {
            let back = try #require(try copy(expression))
            #expect(back.expressionValue(with: [1, 5, 2], context: nil) as? Int == 2)
            let predicate = NSComparisonPredicate(
                leftExpression: expression, rightExpression: NSExpression(forConstantValue: 2),
                modifier: .direct, type: .equalTo)
            #expect(try copy(predicate)?.evaluate(with: [1, 5, 2]) == true)
            #expect(try copy(predicate)?.evaluate(with: [1, 5]) == false)
        }
    }

    @Test func sort_descriptors_come_back_equal() throws {
        let descriptors = [
            NSSortDescriptor(key: "name", ascending: true),
            NSSortDescriptor(key: "team.name", ascending: false),
            NSSortDescriptor(
                key: "name", ascending: true, selector: "localizedStandardCompare:"),
            NSSortDescriptor(key: nil, ascending: false),
        ]
        for descriptor in descriptors {
            let back = try copy(descriptor)
            #expect(back == descriptor)
            #expect(back?.key == descriptor.key && back?.selector == descriptor.selector)
        }
    }

    /// What formats refuse, but a program can build: the fetch refuses it.
    @Test func comparisons_that_no_object_satisfies_come_back_equal() throws {
        func key(_ path: String) -> NSExpression { NSExpression(forKeyPath: path) }
        func constant(_ value: Any) -> NSExpression { NSExpression(forConstantValue: value) }
        func comparison(
            _ left: NSExpression, _ right: NSExpression,
            _ modifier: NSComparisonPredicate.Modifier,
            _ type: NSComparisonPredicate.Operator
        ) -> NSComparisonPredicate {
            NSComparisonPredicate(
                leftExpression: left, rightExpression: right, modifier: modifier, type: type,
                options: [])
        }
        let built: [(NSComparisonPredicate, String)] = [
            (comparison(key("age"), constant(5), .direct, .in), "age IN 5"),
            (
                comparison(key("age"), constant([1, 2, 3]), .direct, .between),
                "age BETWEEN {1, 2, 3}"
            ),
            (
                comparison(key("children.@count"), constant(1), .any, .greaterThan),
                "ANY children.@count > 1"
            ),
            (comparison(constant(3), key("age"), .all, .equalTo), "ALL 3 == age"),
        ]
        let stack = try Stack(PeopleModel.make())
        for (predicate, text) in built {
            let back = try #require(try copy(predicate))
            #expect(back == predicate)
            #expect(back.description == text)
            let not = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
            #expect(try copy(not)?.subpredicates as? [NSPredicate] == [predicate])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = back
            #expect(code { _ = try stack.context.fetch(request) } == 134070)
        }
    }

    @Test func archives_of_what_formats_took_earlier_are_read() throws {
        let texts = [
            "nosuch:(age) == 1", "uppercase() == name", "modulus:by:(age) == 1",
            "name IN 3", "age BETWEEN 1", "NOT ANY age + 1 == 2",
        ]
        let stack = try Stack(PeopleModel.make())
        for text in texts {
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            archiver.encode(Odd(text), forKey: NSKeyedArchiveRootObjectKey)
            archiver.finishEncoding()
            let back = try NSKeyedUnarchiver.unarchivedObject(
                ofClass: NSPredicate.self, from: archiver.encodedData)
            let read = try #require(back)
            #expect(try copy(read) == read)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = read
            #expect(code { _ = try stack.context.fetch(request) } == 134070, "\(text)")
            #expect(throws: PredicateSyntaxError.self) { try NSPredicate.parse(text) }
        }
    }

    @Test func archives_that_others_wrote_are_errors() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(Odd("a == "), forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        let data = archiver.encodedData
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        }
    }

    /// Writes any text as a predicate's.
    private final class Odd: NSObject, NSSecureCoding {
        let text: String
        init(_ text: String) { self.text = text }
        required init?(coder: NSCoder) { nil }
        static var supportsSecureCoding: Bool { true }
        override var classForCoder: AnyClass { NSPredicate.self }
        func encode(with coder: NSCoder) {
            coder.encode(text as NSString, forKey: "Lode.format")
        }
    }

    @Test func blocks_and_objects_are_refused() async {
        await #expect(processExitsWith: .failure) {
            try PredicateArchiveTests.archive(NSPredicate { _, _ in true })
        }
        await #expect(processExitsWith: .failure) {
            let block = NSExpression(block: { _, _, _ in 1 }, arguments: nil)
            try PredicateArchiveTests.archive(NSPredicate(format: "a == %@", block))
        }
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(PeopleModel.make())
            let ann = stack.context.make("Person", ["name": "Ann"])
            try PredicateArchiveTests.archive(NSPredicate(format: "parent == %@", ann))
        }
        await #expect(processExitsWith: .failure) {
            try PredicateArchiveTests.archive(
                NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame })
        }
    }

    private static func archive(_ object: Any) throws {
        _ = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }
}
