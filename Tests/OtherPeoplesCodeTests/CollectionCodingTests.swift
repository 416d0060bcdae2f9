// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// Key-value coding of Foundation's collections, as programs use it on fetched objects.
@Suite struct CollectionCodingTests {
    private func authors() -> (NSPersistentContainer, [Author]) {
        let container = NSPersistentContainer.inMemory()
        let made = [("Ann", 30), ("Ben", 50), (nil, 30)].map { name, age in
            let author = Author(context: container.viewContext)
            (author.name, author.age) = (name, Int16(age))
            return author
        }
        return (container, made)
    }

    @Test func arrays_have_the_values_of_their_members() {
        let (container, authors) = authors()
        let list = authors as NSArray
        #expect(list.value(forKey: "age") as? [Int] == [30, 50, 30])
        let names = list.value(forKeyPath: "name") as? [Any]
        #expect(names?.count == 3)
        #expect(names?[1] as? String == "Ben")
        #expect(names?[2] is NSNull)
        #expect(list.value(forKeyPath: "@count") as? Int == 3)
        #expect(list.value(forKey: "@count") as? Int == 3)
        #expect(list.value(forKeyPath: "@sum.age") as? Int == 110)
        #expect(list.value(forKeyPath: "@min.age") as? Int == 30)
        #expect(list.value(forKeyPath: "@max.age") as? Int == 50)
        #expect((list.value(forKeyPath: "@avg.age") as? NSNumber)?.intValue == 36)
        #expect(list.value(forKeyPath: "@unionOfObjects.age") as? [Int] == [30, 50, 30])
        #expect(list.value(forKeyPath: "@distinctUnionOfObjects.age") as? [Int] == [30, 50])
        #expect(list.value(forKeyPath: "age.@sum.self") as? Int == 110)
        withExtendedLifetime(container) {}
    }

    @Test func a_path_goes_past_members_without_a_value() {
        let (container, authors) = authors()
        let lengths = (authors as NSArray).value(forKeyPath: "name.length") as? [Any]
        #expect(lengths?.count == 3)
        #expect(lengths?[0] as? Int == 3 && lengths?[1] as? Int == 3)
        #expect(lengths?[2] is NSNull)
        withExtendedLifetime(container) {}
    }

    @Test func sets_have_the_set_of_values() {
        let (container, authors) = authors()
        let set = NSSet(array: authors)
        #expect(set.value(forKey: "age") as? Set<Int> == [30, 50])
        #expect(set.value(forKeyPath: "name") as? Set<String> == ["Ann", "Ben"])
        #expect(set.value(forKeyPath: "@sum.age") as? Int == 110)
        let ordered = NSOrderedSet(array: authors)
        #expect((ordered.value(forKey: "age") as? NSOrderedSet)?.array as? [Int] == [30, 50])
        #expect(ordered.value(forKeyPath: "@max.age") as? Int == 50)
        withExtendedLifetime(container) {}
    }

    @Test func setting_a_value_sets_it_in_each_member() throws {
        let (container, authors) = authors()
        (authors as NSArray).setValue(7, forKey: "age")
        #expect(authors.map(\.age) == [7, 7, 7])
        NSSet(array: authors).setValue("x", forKey: "name")
        #expect(authors.map(\.name) == ["x", "x", "x"])
        NSOrderedSet(array: authors).setValue(nil, forKey: "name")
        #expect(authors.map(\.name) == [nil, nil, nil])
        // Saved, and set from then on as updates.
        try container.viewContext.save()
        NSMutableArray(array: authors).setValue(8, forKey: "age")
        #expect(authors.map(\.age) == [8, 8, 8] && authors.allSatisfy { $0.isUpdated })
        ([] as NSArray).setValue(1, forKey: "age")
    }

    @Test func setting_at_a_path_goes_through_each_member() throws {
        let (container, authors) = authors()
        let books = (0..<3).map { _ in Book(context: container.viewContext) }
        (books[0].author, books[1].author) = (authors[0], authors[1])
        (books as NSArray).setValue("y", forKeyPath: "author.name")
        #expect(authors.map(\.name) == ["y", "y", nil])
        NSSet(array: authors).setValue("t", forKeyPath: "books.title")
        #expect(books.map(\.title) == ["t", "t", nil])
        NSOrderedSet(array: books).setValue("u", forKeyPath: "title")
        #expect(books.map(\.title) == ["u", "u", "u"])
        authors[2].setValue("v", forKeyPath: "books.title")
        #expect(books.map(\.title) == ["u", "u", "u"])
    }

    /// The setter takes each member out of the set that is gone through.
    @Test func setting_may_empty_a_live_set() {
        let (container, authors) = authors()
        let books = (0..<4).map { _ in Book(context: container.viewContext) }
        let live = authors[0].mutableSetValue(forKey: "books")
        live.addObjects(from: books)
        live.setValue(nil, forKey: "author")
        #expect(live.count == 0 && books.allSatisfy { $0.author == nil })
        live.addObjects(from: books)
        live.setValue(authors[1], forKey: "author")
        #expect(authors[1].books?.count == 4 && live.count == 0)
    }

    @Test func collections_within_collections_and_dictionaries_are_set() {
        let (container, authors) = authors()
        let nested: NSArray = [[authors[0], authors[1]], NSNull(), NSSet(object: authors[2])]
        nested.setValue(5, forKey: "age")
        #expect(authors.map(\.age) == [5, 5, 5])
        let table = NSMutableDictionary(dictionary: ["a": 1, "authors": authors])
        table.setValue(2, forKey: "a")
        table.setValue("n", forKey: "b")
        #expect(table["a"] as? Int == 2 && table["b"] as? String == "n")
        table.setValue(nil, forKey: "a")
        #expect(table["a"] == nil && table.count == 2)
        table.setValue(6, forKeyPath: "authors.age")
        #expect(authors.map(\.age) == [6, 6, 6])
        table.setValue(6, forKeyPath: "none.age")
        (["first": authors[0]] as NSDictionary).setValue(1, forKeyPath: "first.age")
        #expect(authors.map(\.age) == [1, 6, 6])
        withExtendedLifetime(container) {}
    }

    @Test func what_cannot_be_set_ends_the_program() async {
        await #expect(processExitsWith: .failure) {
            ([NSMutableDictionary(dictionary: ["n": 1])] as NSArray).setValue(3, forKey: "n")
        }
        await #expect(processExitsWith: .failure) {
            ([1, 2] as NSArray).setValue(3, forKey: "n")
        }
        await #expect(processExitsWith: .failure) {
            (["n": 1] as NSDictionary).setValue(3, forKey: "n")
        }
        await #expect(processExitsWith: .success) {
            NSMutableDictionary(dictionary: ["n": 1]).setValue(3, forKey: "n")
        }
    }

    /// A dictionary that tells how often somebody went through it.
    private final class WalkedDictionary: NSDictionary {
        var walks = 0
        override var count: Int { 2 }
        override func object(forKey aKey: Any) -> Any? {
            switch aKey as? String {
            case "a": 3
            case "inner": self
            default: nil
            }
        }
        override func keyEnumerator() -> NSEnumerator {
            walks += 1
            return (["a", "inner"] as NSArray).objectEnumerator()
        }
    }

    @Test func no_step_of_a_path_copies_a_dictionary() {
        let table = WalkedDictionary()
        #expect(table.value(forKeyPath: "inner.inner.a") as? Int == 3)
        #expect(table.value(forKeyPath: "inner.none") == nil)
        #expect(table.walks == 0)
        // Its values are gone through once.
        #expect(table.value(forKeyPath: "inner.@count") as? Int == 2)
        #expect(table.walks == 1)
    }

    @Test func dictionaries_have_their_own_values() {
        let table: NSDictionary = ["a": ["b": 3], "list": [1, 2]]
        #expect(table.value(forKey: "list") as? [Int] == [1, 2])
        #expect(table.value(forKey: "none") == nil)
        #expect(table.value(forKeyPath: "a.b") as? Int == 3)
        #expect(table.value(forKeyPath: "list.@sum.self") as? Int == 3)
        #expect(table.value(forKeyPath: "@count") as? Int == 2)
        let rows: NSArray = [["n": 1], ["n": 4], [:]] as [[String: Int]] as NSArray
        #expect(rows.value(forKeyPath: "@sum.n") as? Int == 5)
        let counts: NSDictionary = ["x": 2, "y": 5]
        #expect(counts.value(forKeyPath: "@max.self") as? Int == 5)
    }

    /// Foundation's hash of some decimal numbers never ends.
    @Test func sets_of_decimals() throws {
        let tenth = try #require(Decimal(string: "0.1"))
        let table: [String: Any] = ["prices": Set([tenth, 3])]
        #expect(NSPredicate(format: "ANY prices > 2").evaluate(with: table))
        #expect(!NSPredicate(format: "ALL prices > 2").evaluate(with: table))
        #expect(NSPredicate(format: "prices.@count == 2").evaluate(with: table))
        #expect(NSPredicate(format: "prices.@sum.self == 3.1").evaluate(with: table))
        let prices = NSExpression(format: "prices").expressionValue(with: table, context: nil)
        #expect((prices as? Set<AnyHashable>)?.count == 2)
        let sum = NSExpression(format: "sum:(prices)").expressionValue(with: table, context: nil)
        #expect((sum as? NSNumber)?.doubleValue == 3.1)
        let within = NSPredicate(format: "SELF == 3 OR SELF < 1")
        #expect(within.evaluate(with: tenth))
        #expect(NSPredicate(format: "ANY SELF == 3").evaluate(with: Set([tenth, 3])))
        let own = NSExpression(format: "max:(SELF)")
        let largest = own.expressionValue(with: Set([tenth, 3]), context: nil)
        #expect((largest as? NSNumber)?.intValue == 3)
    }

    @Test func evaluation_may_be_allowed() throws {
        let predicate = NSPredicate(format: "age > 1")
        predicate.allowEvaluation()
        NSCompoundPredicate(notPredicateWithSubpredicate: predicate).allowEvaluation()
        (predicate as? NSComparisonPredicate)?.leftExpression.allowEvaluation()
        NSSortDescriptor(key: "age", ascending: true).allowEvaluation()
        #expect(predicate.evaluate(with: ["age": 2]))
    }

    @Test func expressions_of_key_paths() {
        #expect(NSExpression(forKeyPath: \Author.name) == NSExpression(forKeyPath: "name"))
        #expect(NSExpression(forKeyPath: \Book.author?.name).keyPath == "author.name")
    }
}
