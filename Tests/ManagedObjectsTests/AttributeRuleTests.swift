// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Rules and predicates of attributes, checked at the save.
@Suite struct AttributeRuleTests {
    struct Case: Sendable {
        let type: NSAttributeType
        let rules: [ValidationRule]
        let good: [any Sendable]
        let bad: any Sendable
        let code: Int
    }

    static let cases: [Case] = [
        Case(
            type: .integer16AttributeType, rules: [.minimum(-3)], good: [-3, 0, 32767], bad: -4,
            code: 1620),
        Case(
            type: .integer32AttributeType, rules: [.maximum(10)], good: [10, -7], bad: 11,
            code: 1610),
        Case(
            type: .integer64AttributeType, rules: [.maximum(9_007_199_254_740_993)],
            good: [9_007_199_254_740_993], bad: 9_007_199_254_740_994, code: 1610),
        Case(
            type: .doubleAttributeType, rules: [.minimum(0.1), .maximum(0.5)],
            good: [0.1, 0.25, 0.5], bad: 0.51, code: 1610),
        Case(
            type: .floatAttributeType, rules: [.minimum(0.5)], good: [Float(0.5)],
            bad: Float(0.25), code: 1620),
        Case(
            type: .decimalAttributeType, rules: [.minimum(0.01)], good: [Decimal(1) / 100],
            bad: Decimal(9) / 1000, code: 1620),
        Case(
            type: .dateAttributeType, rules: [.earliest(Date(timeIntervalSince1970: 100))],
            good: [Date(timeIntervalSince1970: 100)], bad: Date(timeIntervalSince1970: 99),
            code: 1640),
        Case(
            type: .dateAttributeType, rules: [.latest(Date(timeIntervalSince1970: 100))],
            good: [Date(timeIntervalSince1970: 100)], bad: Date(timeIntervalSince1970: 101),
            code: 1630),
        Case(
            type: .stringAttributeType, rules: [.minimumLength(2)], good: ["ab", "😀"], bad: "a",
            code: 1670),
        Case(
            type: .stringAttributeType, rules: [.maximumLength(3)], good: ["", "abc"], bad: "abcd",
            code: 1660),
        Case(
            type: .stringAttributeType, rules: [.pattern("[A-Z]{2}[0-9]+")], good: ["AB12"],
            bad: "xAB12", code: 1680),
    ]

    private func stack(_ attributes: NSAttributeDescription...) throws -> Stack {
        try Stack(Build.model(Build.entity("Thing", attributes)))
    }

    private func failure(_ context: NSManagedObjectContext) throws -> CocoaError {
        try #require(#expect(throws: CocoaError.self) { try context.save() })
    }

    @Test(arguments: cases.indices)
    func rules(_ index: Int) throws {
        let sample = Self.cases[index]
        let attribute = Build.attribute("value", sample.type)
        attribute.validationRules = sample.rules
        let stack = try stack(attribute)
        let thing = stack.context.make("Thing")
        try stack.context.save()
        for value in sample.good {
            thing.setValue(value, forKey: "value")
            try stack.context.save()
        }
        thing.setValue(sample.bad, forKey: "value")
        let error = try failure(stack.context)
        #expect(error.errorCode == sample.code)
        #expect(error.validationObject as? NSManagedObject === thing)
        #expect(error.validationKey == "value")
        #expect(error.validationPredicate != nil)
        let value = try #require(
            error.validationValue as? NSObject ?? thing.value(forKey: "value")
                as? NSObject)
        #expect("\(value)" == "\(thing.value(forKey: "value") ?? "")")
        thing.setValue(nil, forKey: "value")
        try stack.context.save()
        #expect(stack.context.make("Thing", ["value": sample.bad]).isInserted)
        #expect(try failure(stack.context).errorCode == sample.code)
    }

    @Test func two_broken_rules_are_two_errors() throws {
        let attribute = Build.attribute("value")
        attribute.validationRules = [.minimumLength(3), .pattern("[a-z]*"), .maximumLength(9)]
        let stack = try stack(attribute)
        stack.context.make("Thing", ["value": "A"])
        let error = try failure(stack.context)
        #expect(error.errorCode == 1560)
        #expect(error.detailedErrors.map { ($0 as? CocoaError)?.errorCode } == [1670, 1680])
    }

    @Test func predicates_with_messages_and_codes() throws {
        let attribute = Build.attribute("value", .integer64AttributeType)
        let small = NSPredicate(format: "SELF < 100")
        let even = NSPredicate(format: "modulus:by:(SELF, 2) == 0")
        attribute.setValidationPredicates(
            [small, even], withValidationWarnings: ["too much", 1620])
        #expect(attribute.validationPredicates == [small, even])
        #expect(attribute.validationWarnings.map { "\($0)" } == ["too much", "1620"])
        let stack = try stack(attribute)
        let thing = stack.context.make("Thing", ["value": 101])
        let errors = try failure(stack.context).detailedErrors.compactMap { $0 as? CocoaError }
        #expect(errors.map(\.errorCode) == [1550, 1620])
        #expect(errors.first?.message.hasSuffix("too much") == true)
        #expect(errors.map(\.validationPredicate) == [small, even])
        #expect(errors.first?.validationValue as? Int == 101)
        thing.setValue(98, forKey: "value")
        try stack.context.save()
    }

    @Test func a_predicate_of_a_block() throws {
        let attribute = Build.attribute("value")
        attribute.setValidationPredicates(
            [NSPredicate(block: { value, _ in (value as? String)?.hasPrefix("x") == true })],
            withValidationWarnings: nil)
        let stack = try stack(attribute)
        let thing = stack.context.make("Thing", ["value": "y"])
        #expect(try failure(stack.context).errorCode == 1550)
        thing.setValue("xy", forKey: "value")
        try stack.context.save()
    }

    @Test(arguments: [
        "SELF MATCHES '(a+)+$'", "SELF MATCHES '('", "SELF MATCHES 'b' OR SELF + 1 > 2",
    ])
    func a_predicate_that_cannot_be_evaluated_with_a_value(format: String) throws {
        let attribute = Build.attribute("value")
        let predicate = NSPredicate(format: format)
        attribute.setValidationPredicates([predicate], withValidationWarnings: ["bad"])
        let stack = try stack(attribute)
        let text = String(repeating: "a", count: 60) + "!"
        let thing = stack.context.make("Thing", ["value": text])
        let error = try failure(stack.context)
        #expect(error.errorCode == 1550)
        #expect(error.validationPredicate == predicate)
        #expect(error.validationValue as? String == text)
        #expect(error.message.contains("cannot be evaluated"))
        thing.setValue(nil, forKey: "value")
        try stack.context.save()
    }

    @Test func a_compound_with_a_block_that_cannot_be_evaluated_with_a_value() throws {
        let attribute = Build.attribute("value")
        attribute.setValidationPredicates(
            [
                NSCompoundPredicate(andPredicateWithSubpredicates: [
                    NSPredicate(block: { _, _ in true }),
                    NSPredicate(format: "SELF MATCHES '(a+)+$'"),
                ])
            ], withValidationWarnings: nil)
        let stack = try stack(attribute)
        stack.context.make("Thing", ["value": String(repeating: "a", count: 60) + "!"])
        #expect(try failure(stack.context).errorCode == 1550)
    }

    @Test func predicates_of_relationships() throws {
        let owner = Build.entity("Owner", [Build.attribute("name")])
        let thing = Build.entity("Thing", [Build.attribute("name")])
        let one = Build.relationship("owner", of: thing, to: owner, max: 1)
        let many = Build.relationship("things", of: owner, to: thing, max: 0)
        Build.inverse(one, many)
        one.setValidationPredicates(
            [NSPredicate(format: "name != 'nobody'")], withValidationWarnings: nil)
        many.setValidationPredicates(
            [NSPredicate(format: "ALL SELF.name BEGINSWITH 't'")], withValidationWarnings: [1600])
        let stack = try Stack(Build.model(owner, thing))
        let nobody = stack.context.make("Owner", ["name": "nobody"])
        let item = stack.context.make("Thing", ["name": "t1", "owner": nobody])
        #expect(try failure(stack.context).validationKey == "owner")
        nobody.setValue("somebody", forKey: "name")
        try stack.context.save()
        item.setValue("u", forKey: "name")
        nobody.setValue([item] as Set, forKey: "things")
        stack.context.make("Thing", ["name": "v", "owner": nobody])
        let error = try failure(stack.context)
        #expect(error.errorCode == 1600 && error.validationKey == "things")
    }

    @Test func defaults_and_transient_values_are_checked() throws {
        let counted = Build.attribute("count", .integer32AttributeType, default: 5)
        counted.isOptional = false
        counted.validationRules = [.minimum(5)]
        let cache = Build.attribute("cache", isOptional: false)
        cache.isTransient = true
        cache.validationRules = [.maximumLength(1)]
        let stack = try stack(counted, cache)
        let thing = stack.context.make("Thing")
        let error = try failure(stack.context)
        #expect(error.errorCode == 1570 && error.validationKey == "cache")
        thing.setValue("ab", forKey: "cache")
        #expect(try failure(stack.context).errorCode == 1660)
        thing.setValue("a", forKey: "cache")
        try stack.context.save()
    }

    @Test func rules_are_inherited() throws {
        let name = Build.attribute("name")
        name.validationRules = [.minimumLength(2)]
        let base = Build.entity("Base", [name])
        let derived = Build.entity("Derived", [])
        base.subentities = [derived]
        let stack = try Stack(Build.model(base, derived))
        stack.context.make("Derived", ["name": "a"])
        #expect(try failure(stack.context).errorCode == 1670)
    }

    @Test func setting_predicates_replaces_the_rules() {
        let attribute = Build.attribute("value")
        attribute.validationRules = [.minimumLength(2), .pattern("a*")]
        #expect(attribute.validationPredicates.count == 2)
        #expect(attribute.validationWarnings.map { $0 as? Int } == [1670, 1680])
        let copy = attribute.copy() as? NSAttributeDescription
        attribute.setValidationPredicates(nil, withValidationWarnings: nil)
        #expect(attribute.validationPredicates.isEmpty && attribute.validationRules.isEmpty)
        #expect(copy?.validationRules == [.minimumLength(2), .pattern("a*")])
    }

    @Test func a_rule_of_another_type_is_refused() async {
        await #expect(processExitsWith: .failure) {
            let attribute = Build.attribute("value", .integer32AttributeType)
            attribute.validationRules = [.minimumLength(2)]
            _ = try Stack(Build.model(Build.entity("Thing", [attribute])))
        }
    }

    @Test func rules_of_a_model_in_use_cannot_be_edited() async {
        await #expect(processExitsWith: .failure) {
            let attribute = Build.attribute("value")
            _ = try Stack(Build.model(Build.entity("Thing", [attribute])))
            attribute.validationRules = [.minimumLength(2)]
        }
        await #expect(processExitsWith: .failure) {
            let attribute = Build.attribute("value")
            _ = try Stack(Build.model(Build.entity("Thing", [attribute])))
            attribute.setValidationPredicates(nil, withValidationWarnings: nil)
        }
    }
}
