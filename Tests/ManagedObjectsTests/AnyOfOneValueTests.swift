// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// `ANY`, `ALL` and `NONE` of an attribute or an object ask the same as without them, as code
/// written for Core Data's SQLite store expects.
@Suite(.inBothPlaces) struct AnyOfOneValueTests {
    private static let formats: [(String, [String])] = [
        ("ANY name IN {'a', 'c', 'x'}", ["a", "c"]),
        ("ANY name == 'a'", ["a"]),
        ("SOME name BEGINSWITH[c] 'B'", ["b"]),
        ("ANY age == '10'", ["a"]),
        ("ALL age > 15", ["b", "c"]),
        ("NONE age > 15", ["a", "d"]),
        ("NOT (ANY age IN {10, 20})", ["c", "d"]),
        ("ANY age == nil", ["d"]),
        ("ALL age != nil", ["a", "b", "c"]),
        ("ANY parent.name IN {'a'}", ["b", "c"]),
        ("ALL parent.age > 3", ["b", "c"]),
        ("SOME parent != nil", ["b", "c"]),
        ("ANY SELF IN %@", ["b"]),
        ("ANY parent IN %@", []),
        ("ANY TERNARY(age > 15, parent, children).name == 'a'", ["b", "c"]),
        ("ANY TERNARY(age > 15, name, children.name) == 'b'", ["a", "b"]),
        ("ANY SUBQUERY(parent, $p, $p.age > 3) IN %@", []),
        ("SUBQUERY(children, $c, ANY $c.name IN {'b'}).@count == 1", ["a"]),
    ]

    @Test(arguments: formats)
    func it_is_as_without(_ format: String, _ wanted: [String]) throws {
        let stack = try Stack(PeopleModel.make())
        let moc = stack.context
        let boss = moc.make("Person", ["name": "a", "age": 10])
        let second = moc.make("Person", ["name": "b", "age": 20, "parent": boss])
        moc.make("Person", ["name": "c", "age": 30, "parent": boss])
        moc.make("Person", ["name": "d"]).setValue(nil, forKey: "age")
        let predicate = NSPredicate(
            format: format, argumentArray: format.contains("%@") ? [[second]] : nil)
        let answers = { (context: NSManagedObjectContext) in
            try context.all("Person", predicate).map { $0.text("name") }.sorted()
        }
        #expect(try answers(moc) == wanted, "unsaved")
        #expect(try answers(Stack.child(of: moc)) == wanted, "in a child, unsaved")
        try moc.save()
        #expect(try answers(moc) == wanted, "saved")
        #expect(try answers(Stack.child(of: moc)) == wanted, "in a child")
        let all = try moc.all("Person")
        #expect(
            all.filter { predicate.evaluate(with: $0) }.map { $0.text("name") }.sorted() == wanted,
            "in memory")
    }
}

@Suite struct AnyOfOneValuePlanTests {
    @Test func an_index_is_used_as_without() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        for number in 0..<300 { stack.context.make("Item", ["name": "n\(number)"]) }
        try stack.context.save()
        func plan(_ format: String, _ list: [String]) throws -> String {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(format: format, list)
            #expect(try stack.context.fetch(request).map { $0.text("name") }.sorted() == list)
            return try stack.context.explain(request)
        }
        let plain = try plan("name IN %@", ["n3", "n5"])
        #expect(plain.contains("index"))
        #expect(try plan("ANY name IN %@", ["n3", "n5"]) == plain)
        #expect(try plan("ANY name IN %@", ["n7", "n9"]).contains("index"))
    }
}
