// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Thousands of predicates against an answer computed without the library: on dictionaries, on
/// managed objects in memory, and by stores, saved and not.
@Suite struct RandomPredicateTests {
    private static func model() -> NSManagedObjectModel {
        let values = [
            ("num", NSAttributeType.doubleAttributeType), ("text", .stringAttributeType),
        ]
        func attributes() -> [NSAttributeDescription] {
            values.map { Build.attribute($0.0, $0.1) }
        }
        let whole = Build.entity(
            "Whole",
            attributes() + [
                Build.attribute("name"), Build.attribute("flag", .booleanAttributeType),
            ])
        let part = Build.entity("Part", attributes())
        Build.inverse(
            Build.relationship("inner", of: whole, to: part, max: 1),
            Build.relationship("outer", of: part, to: whole, max: 0))
        Build.inverse(
            Build.relationship("items", of: whole, to: part, max: 0),
            Build.relationship("wholes", of: part, to: whole, max: 0))
        Build.index(whole, "num")
        Build.index(whole, "text")
        Build.index(part, "num")
        return Build.model(whole, part)
    }

    private func insert(
        _ tables: [[String: Any]], _ context: NSManagedObjectContext
    ) -> [NSManagedObject] {
        tables.enumerated().map { number, table in
            let object = context.make("Whole", ["name": "\(number)"])
            for key in ["num", "text", "flag"] { object.setValue(table[key], forKey: key) }
            if let inner = table["inner"] as? [String: Any] {
                object.setValue(context.make("Part", inner), forKey: "inner")
            }
            let items = table["items"] as? [[String: Any]] ?? []
            object.setValue(Set(items.map { context.make("Part", $0) }), forKey: "items")
            return object
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func memory_and_stores_agree_with_an_oracle(
        seed: UInt64
    ) throws {
        var random = RandomConditions(seed)
        let tables = (0..<12).map { _ in random.object() }
        let stack = try Stack(RandomPredicateTests.model())
        let objects = insert(tables, stack.context)
        var matchCount = 0
        for round in 0..<600 {
            if round == 300 { try stack.context.save() }
            let condition = random.condition()
            let predicate = NSPredicate(format: condition.format)
            let wanted = tables.map { condition.holds($0) }
            matchCount += wanted.count { $0 }
            let place = "seed \(seed), round \(round): \(condition.format)"
            #expect(tables.map { predicate.evaluate(with: $0) } == wanted, "\(place) dictionaries")
            #expect(objects.map { predicate.evaluate(with: $0) } == wanted, "\(place) objects")
            let names = zip(objects, wanted).filter { $1 }.map { $0.0.text("name") }
            let found = try stack.context.all("Whole", predicate).map { $0.text("name") }
            #expect(Set(found) == Set(names), "\(place) fetched")
            let negation = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
            #expect(tables.map { negation.evaluate(with: $0) } == wanted.map { !$0 }, "\(place)")
        }
        #expect(1_000..<6_200 ~= matchCount)
    }
}
