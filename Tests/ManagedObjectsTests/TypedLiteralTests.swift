// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Every type of attribute against every kind of constant, in stores, unsaved, and in memory.
@Suite struct TypedLiteralTests {
    private struct Case {
        let place: String
        let predicate: NSPredicate
        /// The names of the objects that satisfy; `nil` where the comparison is refused.
        let names: [String]?
    }

    private static let mirrored = [
        "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
    ]

    /// A comparison with a literal, its meaning for each object included.
    private func cases() -> [Case] {
        var cases: [Case] = []
        for (name, type) in TypedLiterals.types {
            for literal in TypedLiterals.literals {
                for relation in ["==", "!=", "<", "<=", ">", ">="] {
                    let isOrdered = relation != "==" && relation != "!="
                    let meaning = TypedLiterals.meaning(
                        of: literal, for: type, isOrdered: isOrdered)
                    let names = matches(name, meaning) {
                        TypedLiterals.holds($0, relation, $1)
                    }
                    let place = "\(name) \(relation) \(literal ?? "nil")"
                    cases.append(
                        Case(
                            place: place,
                            predicate: NSPredicate(format: "%K \(relation) %@", name, literal),
                            names: names))
                    let mirrored = TypedLiteralTests.mirrored[relation] ?? ""
                    cases.append(
                        Case(
                            place: "mirrored " + place,
                            predicate: NSPredicate(format: "%@ \(mirrored) %K", literal, name),
                            names: names))
                }
                cases += lists(name, type, literal)
            }
        }
        return cases
    }

    private func lists(_ name: String, _ type: NSAttributeType, _ literal: Any?) -> [Case] {
        let member = TypedLiterals.meaning(of: literal, for: type, isOrdered: false)
        let bound = TypedLiterals.meaning(of: literal, for: type, isOrdered: true)
        let list: [Any] = [literal ?? NSNull()]
        return [
            Case(
                place: "\(name) IN \(list)", predicate: NSPredicate(format: "%K IN %@", name, list),
                names: matches(name, member) { $0 == $1 }),
            Case(
                place: "\(name) BETWEEN \(list)",
                predicate: NSPredicate(format: "%K BETWEEN %@", name, list + list),
                names: matches(name, bound) {
                    TypedLiterals.holds($0, ">=", $1) && TypedLiterals.holds($0, "<=", $1)
                        && $0 != .null
                }),
        ]
    }

    private func matches(
        _ key: String, _ constant: TypedLiterals.Meaning?,
        _ holds: (TypedLiterals.Meaning, TypedLiterals.Meaning) -> Bool
    ) -> [String]? {
        guard let constant else { return nil }
        return TypedLiterals.objects.filter {
            holds(TypedLiterals.meaning(of: $0.values[key]), constant)
        }.map(\.name).sorted()
    }

    private func found(_ predicate: NSPredicate, _ context: NSManagedObjectContext) -> [String]? {
        do {
            return try context.all("Thing", predicate).map { $0.text("name") }.sorted()
        } catch {
            #expect((error as? CocoaError)?.errorCode == 134_070)
            return nil
        }
    }

    private func fill(_ context: NSManagedObjectContext) {
        for (name, values) in TypedLiterals.objects {
            context.make("Thing", (values as [String: Any]).merging(["name": name]) { $1 })
        }
    }

    @Test(arguments: [false, true]) func stores_and_memory_agree_with_the_table(
        isIndexed: Bool
    ) throws {
        let stack = try Stack(TypedLiterals.model(isIndexed: isIndexed))
        fill(stack.context)
        let cases = cases()
        var refused = 0
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            let objects = try stack.context.all("Thing")
            for test in cases {
                #expect(found(test.predicate, stack.context) == test.names, "\(test.place)")
                guard let names = test.names else {
                    refused += 1
                    continue
                }
                let filtered = NSArray(array: objects).filtered(using: test.predicate)
                #expect(
                    filtered.compactMap { ($0 as? NSManagedObject)?.text("name") }.sorted()
                        == names, "\(test.place) in memory")
            }
        }
        #expect(cases.count == 9 * 34 * 14)
        #expect(refused > 2_000)
    }

    @Test func a_child_agrees_with_the_table() throws {
        let stack = try Stack(TypedLiterals.model(isIndexed: true))
        fill(stack.context)
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = stack.context
        for (number, test) in cases().enumerated() where number % 5 == 0 {
            #expect(found(test.predicate, child) == test.names, "\(test.place)")
        }
    }
}
