// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Fetches of an entity with few objects, whose indexes have the many of the entity that it
/// inherits from; and of an attribute that few objects have.
@Suite struct SmallHeirTests {
    private func stack() throws -> Stack {
        let item = Build.entity(
            "Item",
            [
                Build.attribute("name"), Build.attribute("number", .integer32AttributeType),
                Build.attribute("kind", .integer16AttributeType),
                Build.attribute("due", .integer32AttributeType), Build.attribute("mark"),
            ])
        let rare = Build.entity("Rare", [Build.attribute("extra")])
        item.subentities = [rare, Build.entity("Never", [])]
        for key in ["number", "kind", "due", "mark"] { Build.index(item, key) }
        let stack = try Stack(Build.model(item, rare, item.subentities[1]))
        for number in 0..<4_000 {
            let object = stack.context.make(
                number % 400 == 7 ? "Rare" : "Item",
                ["name": "n\(number)", "number": number, "kind": number % 2])
            if number % 200 == 7 {
                object.setValue(number, forKey: "due")
                object.setValue("m\(number)", forKey: "mark")
            }
        }
        try stack.context.save()
        return stack
    }

    private func request(
        _ entity: String, _ format: String?, sortedBy key: String? = nil, limit: Int = 0
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
        request.fetchLimit = limit
        return request
    }

    @Test func few_objects_are_scanned_rather_than_looked_for_among_many() throws {
        let context = try stack().context
        for (format, key, limit, names) in [
            (nil, "number", 3, ["n7", "n407", "n807"]),
            ("kind == 1", "number", 2, ["n7", "n407"]), ("number > 3000", "number", 1, ["n3207"]),
        ] as [(String?, String, Int, [String])] {
            let request = request("Rare", format, sortedBy: key, limit: limit)
            #expect(try context.fetch(request).map { $0.text("name") } == names)
        }
        for (entity, request, count) in [
            ("Rare", request("Rare", nil, sortedBy: "number", limit: 3), 3),
            ("Rare", request("Rare", nil, sortedBy: "number"), 10),
            ("Rare", request("Rare", "kind == 1"), 10), ("Rare", request("Rare", "kind == 0"), 0),
            ("Never", request("Never", "kind == 1"), 0),
            ("Never", request("Never", nil, sortedBy: "number", limit: 3), 0),
        ] {
            let plan = try context.explain(request)
            #expect(plan.contains("scan \(entity) "), "\(plan)")
            #expect(try context.fetch(request).count == count)
        }
        // Where not even few may be scanned, the index has the order.
        let limited = request("Rare", nil, sortedBy: "number", limit: 3)
        limited.scanLimit = 5
        #expect(try context.fetch(limited).map { $0.text("name") } == ["n7", "n407", "n807"])
        // A value that few have in all is found by the index.
        let one = request("Rare", "number == 407")
        #expect(try context.explain(one).contains("index range number"))
        #expect(try context.fetch(one).map { $0.text("name") } == ["n407"])
    }

    @Test func those_that_have_a_value_are_a_range() throws {
        let context = try stack().context
        for key in ["due", "mark"] {
            let request = request("Item", "\(key) != nil")
            #expect(try context.explain(request).contains("index range \(key): \(key) != nil"))
            #expect(try context.fetch(request).count == 20)
            #expect(try context.count(for: request) == 20)
        }
        let narrow = request("Item", "due != nil AND due >= 2000", sortedBy: "due", limit: 2)
        #expect(try context.fetch(narrow).map { $0.text("name") } == ["n2007", "n2207"])
        #expect(try context.fetch(request("Item", "kind != nil")).count == 4_000)
        // What asks for some of the values is the narrower range, whichever is stated first.
        for format in [
            "mark != nil AND mark BEGINSWITH 'm20'", "mark LIKE 'm20*' AND mark != nil",
        ] {
            let prefix = request("Item", format, sortedBy: "name")
            #expect(try !context.explain(prefix).contains("mark: mark != nil"))
            #expect(try context.fetch(prefix).map { $0.text("name") } == ["n2007", "n207"])
            #expect(try context.count(for: prefix) == 2)
        }
        #expect(try context.count(for: request("Item", "due != nil AND due == nil")) == 0)
        #expect(try context.count(for: request("Item", "due IN {nil, 7} AND due != nil")) == 1)
    }
}
