// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Unsaved objects that fetches find by some of their values, however the condition says it.
@Suite struct PendingChoiceTests {
    private static func model() -> NSManagedObjectModel {
        let item = Build.entity(
            "Item",
            [
                Build.attribute("name"), Build.attribute("kind"), Build.attribute("note"),
                Build.attribute("number", .integer32AttributeType),
            ])
        let special = Build.entity("Special", [])
        item.subentities = [special]
        let group = Build.entity("Group", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("group", of: item, to: group, max: 1),
            Build.relationship("items", of: group, to: item, max: 0))
        return Build.model(item, special, group)
    }

    private static func request(
        _ format: String, _ arguments: [Any], in entity: String = "Item"
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        request.fetchLimit = 1
        return request
    }

    /// As many unsaved objects are looked at for each of the last objects as for the first ones.
    private func expectLinear(
        _ context: NSManagedObjectContext, _ body: (Int) throws -> Void
    ) throws {
        func visits(_ numbers: Range<Int>) throws -> Int {
            let before = context.unsavedVisitCount
            for number in numbers { try body(number) }
            return context.unsavedVisitCount - before
        }
        _ = try visits(0..<300)
        let few = try visits(300..<600)
        _ = try visits(600..<3_000)
        let many = try visits(3_000..<3_300)
        #expect(many > 0 && many <= 2 * few, "\(many) after \(few)")
    }

    @Test(arguments: [
        "%@ == name", "name IN {%@}", "name == %@ OR name == 'x'", "name == %@ OR number == -1",
        "kind == 'k' AND name == %@", "kind == 'k' AND (note == nil AND name == %@)",
        "group.name != 'x' AND group == nil AND kind IN {'k', 'l'} AND name == %@",
    ])
    func finding_or_creating_takes_no_longer_for_more_objects(format: String) throws {
        let context = try Stack(Self.model()).context
        try expectLinear(context) { number in
            let found = try context.fetch(Self.request(format, ["n\(number / 2)"]))
            #expect(found.count == number % 2)
            if found.isEmpty { context.make("Item", ["name": "n\(number / 2)", "kind": "k"]) }
        }
    }

    enum Keys: CaseIterable { case temporary, reserved, permanent, ofAParent }

    @Test(arguments: Keys.allCases)
    func what_leads_to_an_object_is_found(keys: Keys) throws {
        let context = try Stack(Self.model()).context
        let groups = (0..<1_700).map { context.make("Group", ["name": "g\($0)"]) }
        if keys == .permanent { try context.save() }
        if keys == .reserved { try context.obtainPermanentIDs(for: groups) }
        let child = keys == .ofAParent ? Stack.child(of: context) : nil
        defer { withExtendedLifetime(child) {} }
        try expectLinear(context) { number in
            let group = groups[number / 2]
            let found = try context.fetch(Self.request("kind == 'k' AND group == %@", [group]))
            #expect(found.count == number % 2)
            if found.isEmpty { context.make("Item", ["group": group, "kind": "k"]) }
        }
    }

    @Test func what_many_new_objects_lead_to_is_found() throws {
        let context = try Stack(Self.model()).context
        context.make("Group", ["name": "g"])
        try context.save()
        try expectLinear(context) { number in
            let group = try context.fetch(Self.request("name == 'g'", [], in: "Group"))
            for _ in 0..<3 { context.make("Item", ["group": group[0], "name": "n\(number)"]) }
        }
    }

    @Test func unsaved_objects_of_other_entities_are_not_looked_at() throws {
        let context = try Stack(Self.model()).context
        context.make("Group", ["name": "a"])
        try expectLinear(context) { number in
            for _ in 0..<4 { context.make("Item", ["name": "n\(number)"]) }
            let found = try context.fetch(Self.request("name < 'b'", [], in: "Group"))
            #expect(found.count == 1)
        }
    }

    /// With many conditions, and with changes, new keys and deletions between the fetches.
    @Test(arguments: 0..<6 as Range<UInt64>, [false, true])
    func choices_agree_with_each_objects_values(seed: UInt64, isChild: Bool) throws {
        var random = SplitMix64(state: seed)
        let stack = try Stack(Self.model())
        let context = isChild ? Stack.child(of: stack.context) : stack.context
        try context.performAndWait {
            var groups = (0..<4).map { context.make("Group", ["name": "g\($0)"]) }
            if seed % 3 == 0 { try context.save() }
            if seed % 3 == 1 { try context.obtainPermanentIDs(for: groups) }
            groups += (4..<6).map { context.make("Group", ["name": "g\($0)"]) }
            func value(_ key: String) -> Any? {
                switch key {
                case "name": random.below(6) == 0 ? nil : "n\(random.below(9))"
                case "kind": "k\(random.below(2))"
                case "number": random.below(5) == 0 ? nil : random.below(6)
                default: random.below(4) == 0 ? nil : groups[random.below(groups.count)]
                }
            }
            let keys = ["name", "kind", "number", "group"]
            func condition(_ depth: Int) -> (String, [Any]) {
                let key = keys[random.below(keys.count)]
                let constant = value(key) ?? NSNull()
                switch random.below(depth > 2 ? 4 : 7) {
                case 0, 1: return ("\(key) == %@", [constant])
                case 2: return ("%@ == \(key)", [constant])
                case 3:
                    return ("\(key) IN %@", [(0..<random.below(4)).compactMap { _ in value(key) }])
                case 4: return ("NOT (\(key) == %@)", [constant])
                default:
                    let members = (0...random.below(3)).map { _ in condition(depth + 1) }
                    let word = random.below(3) == 0 ? " OR " : " AND "
                    return (
                        members.map { "(\($0.0))" }.joined(separator: word),
                        members.flatMap(\.1)
                    )
                }
            }
            var items: [NSManagedObject] = []
            for round in 0..<250 {
                for _ in 0..<random.below(4) {
                    let item = context.make(random.below(4) == 0 ? "Special" : "Item")
                    for key in keys { item.setValue(value(key), forKey: key) }
                    items.append(item)
                }
                if let item = items.isEmpty ? nil : items[random.below(items.count)] {
                    let key = keys[random.below(keys.count)]
                    item.setValue(value(key), forKey: key)
                }
                if random.below(12) == 0, !items.isEmpty {
                    context.delete(items.remove(at: random.below(items.count)))
                }
                if random.below(60) == 0 { try context.save() }
                if random.below(40) == 0 { try context.obtainPermanentIDs(for: groups) }
                let (format, arguments) = condition(0)
                let predicate = NSPredicate(format: format, argumentArray: arguments)
                let entity = random.below(4) == 0 ? "Special" : "Item"
                let wanted = items.filter {
                    predicate.evaluate(with: $0)
                        && (entity == "Item" || $0.entity.name == "Special")
                }
                let found = try context.all(entity, predicate)
                #expect(found.count == wanted.count, "seed \(seed), round \(round): \(format)")
                #expect(Set(found) == Set(wanted), "seed \(seed), round \(round): \(format)")
            }
        }
    }
}
