// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Relationships that are set while the store is away, so that nobody knows what they replace.
@Suite struct RelationshipsAwayTests {
    /// What is done with the objects of two authors, Ann of books 1 and 2 and Bob of book 3.
    private struct Library {
        let ann: NSManagedObject
        let bob: NSManagedObject
        let books: [NSManagedObject]
    }

    /// Makes the library, takes the store away, has `change` work on faults, gives the store back
    /// and saves; returns the titles by author as another context reads them, and in this one.
    private func titles(
        isOrdered: Bool = false, inChild: Bool = false, readsFirst: Bool = false,
        _ change: (Library) -> Void
    ) throws -> [String: [String]] {
        try withTemporaryDirectory { directory in
            let shelf = try ShelfOfStores(directory, isOrdered: isOrdered)
            let ids = try fill(shelf)
            let root = shelf.container.newBackgroundContext()
            let context = inChild ? Stack.child(of: root) : root
            try shelf.removeAll()
            let own: [String: [String]] = try context.performAndWait {
                let all = ids.map(context.object(with:))
                change(Library(ann: all[0], bob: all[1], books: Array(all[2...])))
                try shelf.add("a.lode")
                // An accessor reads the values before the save does.
                if readsFirst { for book in all[2...] { _ = book.value(forKey: "title") } }
                if readsFirst { #expect(all[0].text("name") == "Ann") }
                let unsaved = readsFirst ? try describe(context, isOrdered) : nil
                try context.save()
                let own = try describe(context, isOrdered)
                if let unsaved { #expect(unsaved == own) }
                return own
            }
            if inChild { try root.performAndWait { try root.save() } }
            let other = shelf.container.newBackgroundContext()
            let stored = try other.performAndWait { try describe(other, isOrdered) }
            #expect(own == stored)
            return stored
        }
    }

    private func fill(_ shelf: ShelfOfStores) throws -> [NSManagedObjectID] {
        let context = shelf.container.newBackgroundContext()
        return try context.performAndWait {
            let authors = ["Ann", "Bob"].map { context.make("Author", ["name": $0]) }
            let books = ["1", "2", "3"].map { context.make("Book", ["title": $0]) }
            for (book, author) in [(0, 0), (1, 0), (2, 1)] {
                books[book].setValue(authors[author], forKey: "author")
            }
            books[0].setValue(books[1], forKey: "sequel")
            try context.save()
            return (authors + books).map(\.objectID)
        }
    }

    /// The books by author, from both sides, and sequels.
    private func describe(
        _ context: NSManagedObjectContext, _ isOrdered: Bool
    ) throws -> [String: [String]] {
        var result: [String: [String]] = [:]
        for author in try context.all("Author") {
            let books =
                isOrdered
                ? (author.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject]
                    ?? []
                : author.many("books").sorted { $0.text("title") < $1.text("title") }
            result[author.text("name")] = books.map { $0.text("title") }
            #expect(books.allSatisfy { $0.one("author") === author })
        }
        for book in try context.all("Book") {
            if let author = book.one("author") {
                #expect(result[author.text("name")]?.contains(book.text("title")) == true)
            }
            guard let sequel = book.one("sequel") else { continue }
            #expect(sequel.one("prequel") === book)
            result["after " + book.text("title")] = [sequel.text("title")]
        }
        return result
    }

    @Test(arguments: [false, true], [false, true])
    func a_new_destination_takes_the_former_ones_place(inChild: Bool, readsFirst: Bool) throws {
        let found = try titles(inChild: inChild, readsFirst: readsFirst) {
            $0.books[0].setValue($0.bob, forKey: "author")
        }
        #expect(found == ["Ann": ["2"], "Bob": ["1", "3"], "after 1": ["2"]])
    }

    @Test(arguments: [false, true])
    func no_destination_takes_its_place(readsFirst: Bool) throws {
        let found = try titles(readsFirst: readsFirst) {
            $0.books[0].setValue(nil, forKey: "author")
            $0.books[2].setValue(nil, forKey: "author")
        }
        #expect(found == ["Ann": ["2"], "Bob": [], "after 1": ["2"]])
    }

    @Test(arguments: [false, true])
    func the_destination_that_is_stored_stays(readsFirst: Bool) throws {
        let found = try titles(readsFirst: readsFirst) {
            $0.books[0].setValue($0.ann, forKey: "author")
            $0.bob.mutableSetValue(forKey: "books").add($0.books[2])
        }
        #expect(found == ["Ann": ["1", "2"], "Bob": ["3"], "after 1": ["2"]])
    }

    /// The owner's side takes note of each step, although it cannot be read.
    @Test(arguments: [false, true], [false, true])
    func an_owner_that_is_taken_given_and_taken_again(isOrdered: Bool, readsFirst: Bool) throws {
        let found = try titles(isOrdered: isOrdered, readsFirst: readsFirst) { library in
            library.books[0].setValue(nil, forKey: "author")
            library.books[0].setValue(library.ann, forKey: "author")
            library.books[0].setValue(nil, forKey: "author")
        }
        #expect(found["Ann"] == ["2"])
        #expect(found["Bob"] == ["3"])
    }

    @Test(arguments: [false, true], [false, true])
    func an_added_member_leaves_its_former_owner(inChild: Bool, readsFirst: Bool) throws {
        let found = try titles(inChild: inChild, readsFirst: readsFirst) {
            $0.bob.mutableSetValue(forKey: "books").add($0.books[1])
        }
        #expect(found == ["Ann": ["1"], "Bob": ["2", "3"], "after 1": ["2"]])
    }

    @Test(arguments: [false, true])
    func a_removed_member_has_no_owner(readsFirst: Bool) throws {
        let found = try titles(readsFirst: readsFirst) {
            $0.ann.mutableSetValue(forKey: "books").remove($0.books[1])
            // Not there at all.
            $0.ann.mutableSetValue(forKey: "books").remove($0.books[2])
        }
        #expect(found == ["Ann": ["1"], "Bob": ["3"], "after 1": ["2"]])
    }

    @Test(arguments: [false, true], [false, true])
    func a_set_takes_the_place_of_what_is_stored(inChild: Bool, readsFirst: Bool) throws {
        let found = try titles(inChild: inChild, readsFirst: readsFirst) {
            $0.ann.setValue(Set([$0.books[1], $0.books[2]]), forKey: "books")
        }
        #expect(found == ["Ann": ["2", "3"], "Bob": [], "after 1": ["2"]])
    }

    @Test func a_set_after_changes_takes_the_place_of_what_is_stored() throws {
        let found = try titles {
            let books = $0.ann.mutableSetValue(forKey: "books")
            books.remove($0.books[1])
            $0.ann.setValue(Set([$0.books[1]]), forKey: "books")
            books.remove($0.books[1])
            books.add($0.books[1])
        }
        #expect(found == ["Ann": ["2"], "Bob": ["3"], "after 1": ["2"]])
    }

    @Test(arguments: [false, true])
    func an_empty_set_takes_the_place_of_what_is_stored(isOrdered: Bool) throws {
        let found = try titles(isOrdered: isOrdered) {
            let empty: Any = isOrdered ? NSOrderedSet() : NSSet()
            $0.ann.setValue(empty, forKey: "books")
        }
        #expect(found == ["Ann": [], "Bob": ["3"], "after 1": ["2"]])
    }

    @Test(arguments: [false, true])
    func an_order_takes_the_place_of_what_is_stored(readsFirst: Bool) throws {
        let found = try titles(isOrdered: true, readsFirst: readsFirst) {
            $0.ann.setValue(NSOrderedSet(array: [$0.books[2], $0.books[0]]), forKey: "books")
        }
        #expect(found == ["Ann": ["3", "1"], "Bob": [], "after 1": ["2"]])
    }

    @Test(arguments: [false, true])
    func one_to_one_both_former_partners_are_told(readsFirst: Bool) throws {
        let found = try titles(readsFirst: readsFirst) {
            $0.books[2].setValue($0.books[1], forKey: "sequel")
        }
        #expect(found == ["Ann": ["1", "2"], "Bob": ["3"], "after 3": ["2"]])
    }

    @Test func a_deleted_object_lets_go_of_what_was_set() throws {
        let found = try titles {
            $0.books[0].setValue($0.bob, forKey: "author")
            $0.books[0].managedObjectContext?.delete($0.books[0])
        }
        #expect(found == ["Ann": ["2"], "Bob": ["3"]])
    }
}
