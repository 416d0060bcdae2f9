// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

/// Relationships between objects that have no context yet.
@Suite struct DetachedRelationshipTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack(DetachedModel.make()) }

    /// An object without a context, with a name.
    private func make(_ entity: String, _ name: String) throws -> NSManagedObject {
        let description = try #require(stack.model.entitiesByName[entity])
        let object = NSManagedObject(entity: description, insertInto: nil)
        object.setValue(name, forKey: "name")
        return object
    }

    /// Saves, checks the file, and gives the names that an object of it leads to.
    private func saved(_ entity: String, _ name: String, _ key: String) throws -> [String] {
        try context.save()
        try stack.reopenChecked()
        let object = try #require(try context.named(name, entity))
        if let ordered = object.value(forKey: key) as? NSOrderedSet {
            return ordered.map { ($0 as? NSManagedObject)?.text("name") ?? "-" }
        }
        if let one = object.value(forKey: key) as? NSManagedObject { return [one.text("name")] }
        return object.names(key)
    }

    @Test func each_side_sees_the_other_at_once() throws {
        let (author, book) = (try make("Author", "a"), try make("Book", "b"))
        book.setValue(author, forKey: "author")
        #expect(book.one("author") === author)
        #expect(author.many("books") == [book])
        #expect(author.objectIDs(forRelationshipNamed: "books") == [book.objectID])
        #expect(book.objectIDs(forRelationshipNamed: "author") == [author.objectID])
        #expect(book.snapshot().objectIDs(forRelationshipNamed: "author") == [author.objectID])
        #expect(book.value(forKeyPath: "author.name") as? String == "a")
    }

    @Test func both_inserted() throws {
        let (author, book) = (try make("Author", "a"), try make("Book", "b"))
        book.setValue(author, forKey: "author")
        let id = author.objectID
        context.insert(author)
        context.insert(book)
        #expect(author.objectID === id)
        #expect(book.one("author") === author && author.many("books") == [book])
        #expect(context.insertedObjects == [author, book])
        #expect(try saved("Author", "a", "books") == ["b"])
        #expect(try saved("Book", "b", "author") == ["a"])
    }

    @Test(arguments: ["Author", "Book"])
    func one_inserted_takes_the_other_along(inserted: String) throws {
        let (author, book) = (try make("Author", "a"), try make("Book", "b"))
        let other = try make("Book", "c")
        for book in [book, other] { book.setValue(author, forKey: "author") }
        context.insert(inserted == "Author" ? author : book)
        #expect(context.insertedObjects == [author, book, other])
        #expect(try saved("Author", "a", "books") == ["b", "c"])
    }

    @Test func a_thousand_books_of_one_author() throws {
        let author = try make("Author", "a")
        let books = try (0..<1_000).map { try make("Book", "\($0)") }
        for book in books { book.setValue(author, forKey: "author") }
        context.insert(books[500])
        try context.save()
        try stack.reopenChecked()
        #expect(try context.named("a", "Author")?.many("books").count == 1_000)
        #expect(try context.names("Book", "author.name == 'a'").count == 1_000)
    }

    @Test(arguments: ["set", "mutable", "primitive", "several"])
    func members_by_any_way(way: String) throws {
        let author = try make("Author", "a")
        let (one, two) = (try make("Book", "b"), try make("Book", "c"))
        switch way {
        case "set": author.setValue([one, two] as Set, forKey: "books")
        case "mutable": author.mutableSetValue(forKey: "books").addObjects(from: [one, two])
        case "primitive": author.setPrimitiveValue([one, two] as Set, forKey: "books")
        default:
            author.setValue([one] as Set, forKey: "books")
            author.setValue([one, two] as Set, forKey: "books")
        }
        #expect(author.many("books") == [one, two])
        #expect(one.one("author") === (way == "primitive" ? nil : author))
        context.insert(author)
        #expect(one.one("author") === author)
        #expect(try saved("Author", "a", "books") == ["b", "c"])
        #expect(try saved("Book", "c", "author") == ["a"])
    }

    @Test func an_order_is_kept() throws {
        let shelf = try make("Shelf", "s")
        let books = try ["b", "c", "d"].map { try make("Book", $0) }
        let members = shelf.mutableOrderedSetValue(forKey: "books")
        members.addObjects(from: [books[2], books[0]])
        members.insert(books[1], at: 0)
        members.exchangeObject(at: 0, withObjectAt: 2)
        members.insert(books[0], at: 0)
        #expect(members.array as? [NSManagedObject] == [books[0], books[2], books[1]])
        context.insert(shelf)
        #expect(members.array as? [NSManagedObject] == [books[0], books[2], books[1]])
        members.sort(using: [NSSortDescriptor(key: "name", ascending: false)])
        #expect(books[0].one("shelf") === shelf)
        #expect(try saved("Shelf", "s", "books") == ["d", "c", "b"])
    }

    @Test func an_order_is_sorted_without_a_context() throws {
        let shelf = try make("Shelf", "s")
        let books = try ["b", "d", "c"].map { try make("Book", $0) }
        shelf.setValue(NSOrderedSet(array: books), forKey: "books")
        shelf.mutableOrderedSetValue(forKey: "books")
            .sort(using: [NSSortDescriptor(key: "name", ascending: true)])
        context.insert(books[1])
        #expect(try saved("Shelf", "s", "books") == ["b", "c", "d"])
    }

    @Test func custom_accessors_keep_the_inverse() throws {
        let (author, other) = (try make("Author", "a"), try make("Author", "o"))
        let book = try make("Book", "b")
        for author in [author, other] {
            book.willChangeValue(forKey: "author")
            book.setPrimitiveValue(author, forKey: "author")
            book.didChangeValue(forKey: "author")
        }
        #expect(author.many("books").isEmpty && other.many("books") == [book])
        context.insert(author)
        #expect(context.insertedObjects == [author])
        context.insert(book)
        #expect(try saved("Author", "o", "books") == ["b"])
    }

    @Test func a_way_in_one_direction() throws {
        let (author, book) = (try make("Author", "a"), try make("Book", "b"))
        book.setValue(author, forKey: "editor")
        context.insert(author)
        #expect(context.insertedObjects == [author])
        try context.save()
        #expect(book.one("editor") === author)
        context.insert(book)
        #expect(book.one("editor") === author)
        #expect(try saved("Book", "b", "editor") == ["a"])
    }

    @Test func what_is_taken_back_stays_outside() throws {
        let (author, book) = (try make("Author", "a"), try make("Book", "b"))
        book.setValue(author, forKey: "author")
        book.setValue(nil, forKey: "author")
        #expect(author.many("books").isEmpty)
        author.setValue([book] as Set, forKey: "books")
        author.mutableSetValue(forKey: "books").remove(book)
        #expect(book.one("author") == nil)
        context.insert(author)
        #expect(context.insertedObjects == [author] && book.managedObjectContext == nil)
        #expect(try saved("Author", "a", "books") == [])
    }

    @Test func the_first_hook_sees_the_others() throws {
        let (author, book) = (try make("Author", "a"), try make("Book", "b"))
        let log = DetachedLog(
            entity: try #require(stack.model.entitiesByName["Log"]), insertInto: nil)
        book.setValue(author, forKey: "author")
        log.setValue(book, forKey: "book")
        context.insert(log)
        #expect(log.seen == "b a")
    }

    @Test func those_that_relate_keep_one_another_alive_until_they_are_parted() throws {
        weak var author: NSManagedObject?
        weak var book: NSManagedObject?
        do {
            let kept = try make("Book", "b")
            try kept.setValue(make("Author", "a"), forKey: "author")
            (author, book) = (kept.one("author"), kept)
            #expect(author?.text("name") == "a")
            kept.setValue(nil, forKey: "author")
            #expect(author == nil)
        }
        #expect(book == nil)
        do {
            let inserted = try make("Book", "c")
            try inserted.setValue(make("Author", "d"), forKey: "author")
            (author, book) = (inserted.one("author"), inserted)
            context.insert(inserted)
            try context.save()
        }
        #expect(author == nil && book == nil)
    }

    @Test func through_a_child() throws {
        let (author, book) = (try make("Author", "a"), try make("Book", "b"))
        book.setValue(author, forKey: "author")
        let child = Stack.child(of: context)
        child.insert(book)
        try child.save()
        #expect(try saved("Author", "a", "books") == ["b"])
    }

    @Test func undone_and_done_again() throws {
        context.undoManager = UndoManager()
        let (author, book) = (try make("Author", "a"), try make("Book", "b"))
        book.setValue(author, forKey: "author")
        context.insert(author)
        context.processPendingChanges()
        context.undo()
        #expect(context.insertedObjects.isEmpty)
        context.redo()
        #expect(context.insertedObjects == [author, book])
        #expect(try saved("Author", "a", "books") == ["b"])
    }

    @Test func an_object_that_left_comes_back_with_new_company() throws {
        let author = try make("Author", "a")
        context.insert(author)
        try context.save()
        context.delete(author)
        try context.save()
        let book = try make("Book", "b")
        author.setValue("again", forKey: "name")
        book.setValue(author, forKey: "author")
        #expect(book.one("author") === author)
        context.insert(book)
        #expect(author.managedObjectContext === context)
        #expect(try saved("Author", "again", "books") == ["b"])
    }

    @Test func a_predicate_tells_them_apart() throws {
        let (one, two) = (try make("Book", "b"), try make("Book", "c"))
        let isOne = NSPredicate(format: "SELF == %@", one)
        #expect(isOne.evaluate(with: one) && !isOne.evaluate(with: two))
        let author = try make("Author", "a")
        one.setValue(author, forKey: "author")
        let isByAuthor = NSPredicate(format: "author == %@", author)
        #expect(isByAuthor.evaluate(with: one) && !isByAuthor.evaluate(with: two))
        let isAny = NSPredicate(format: "SELF IN %@", [two])
        #expect(!isAny.evaluate(with: one) && isAny.evaluate(with: two))
        context.insert(one)
        context.insert(two)
        #expect(try context.all("Book", isOne) == [one])
        try context.save()
        #expect(try context.all("Book", isOne) == [one])
        #expect(try context.all("Book", isByAuthor) == [one])
        #expect(try context.all("Book", isAny) == [two])
    }
}

/// Notes in its first hook what relationships lead to.
final class DetachedLog: NSManagedObject {
    private(set) var seen: String?

    override func awakeFromInsert() {
        super.awakeFromInsert()
        let book = one("book")
        seen = "\(book?.text("name") ?? "-") \(book?.one("author")?.text("name") ?? "-")"
    }
}

/// Authors, books, shelves and logs.
private enum DetachedModel {
    static func make() -> NSManagedObjectModel {
        let author = Build.entity("Author", [Build.attribute("name")])
        let book = Build.entity("Book", [Build.attribute("name")])
        let shelf = Build.entity("Shelf", [Build.attribute("name")])
        let log = Build.entity("Log", [Build.attribute("name")], class: DetachedLog.self)
        Build.inverse(
            Build.relationship("author", of: book, to: author, max: 1),
            Build.relationship("books", of: author, to: book, max: 0))
        let members = Build.relationship("books", of: shelf, to: book, max: 0)
        members.isOrdered = true
        Build.inverse(members, Build.relationship("shelf", of: book, to: shelf, max: 1))
        Build.relationship("editor", of: book, to: author, max: 1)
        Build.relationship("book", of: log, to: book, max: 1)
        return Build.model(author, book, shelf, log)
    }
}
