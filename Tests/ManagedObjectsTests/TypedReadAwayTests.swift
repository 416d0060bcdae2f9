// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import ManagedObjects

/// A book whose accessors read in place.
final class AwayBook: NSManagedObject {
    private static let titleKey = PropertyKey("title")
    private static let yearKey = PropertyKey("year")
    var title: String? { String.__lode_readOptional(self, AwayBook.titleKey) }
    var year: Int32 { Int32.__lode_read(self, AwayBook.yearKey) }
    var author: AwayAuthor? { one("author") as? AwayAuthor }
}

/// The author of some.
final class AwayAuthor: NSManagedObject {
    var books: Set<AwayBook> { value(forKey: "books") as? Set<AwayBook> ?? [] }
}

/// Objects that were changed while their store was away, next to typed reads of others, which do
/// nothing but load a slot where nothing else is to be done.
@Suite struct TypedReadAwayTests {
    private let container: NSPersistentContainer

    init() {
        let author = Build.entity("Author", [Build.attribute("name")], class: AwayAuthor.self)
        let book = Build.entity(
            "Book",
            [Build.attribute("title"), Build.attribute("year", .integer32AttributeType)],
            class: AwayBook.self)
        Build.inverse(
            Build.relationship("author", of: book, to: author, max: 1),
            Build.relationship("books", of: author, to: book, max: 0))
        container = NSPersistentContainer(
            name: "Test", managedObjectModel: Build.model(author, book))
    }

    /// What can be read first once the store is back.
    enum Reading: CaseIterable {
        case title, year, author, members, fetch, oldFault, firedOne, none
    }

    private func open(_ path: String) throws {
        try container.persistentStoreCoordinator.addPersistentStore(
            type: .sqlite, at: URL(fileURLWithPath: path))
    }

    private func close() throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Ann of books 1 and 2, and Bob of book 3 and of forty more.
    private func fill() throws -> [NSManagedObjectID] {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let authors = ["Ann", "Bob"].map { context.make("Author", ["name": $0]) }
            let books = (1...43).map { context.make("Book", ["title": "\($0)", "year": $0]) }
            for (place, book) in books.enumerated() {
                book.setValue(authors[place < 2 ? 0 : 1], forKey: "author")
            }
            try context.save()
            return (authors + books).map(\.objectID)
        }
    }

    @Test(arguments: Reading.allCases, [false, true])
    func theOtherSidesAreRightWhateverIsReadFirst(first: Reading, inChild: Bool) throws {
        try withTemporaryDirectory { directory in
            try open(directory + "/a.lode")
            let ids = try fill()
            let root = container.newBackgroundContext()
            let context = inChild ? Stack.child(of: root) : root
            try close()
            try context.performAndWait {
                let ann = try #require(context.object(with: ids[0]) as? AwayAuthor)
                let bob = try #require(context.object(with: ids[1]) as? AwayAuthor)
                let books = try ids[2...].map {
                    try #require(context.object(with: $0) as? AwayBook)
                }
                books[0].setValue(bob, forKey: "author")
                books[2].setValue(ann, forKey: "author")
                books[4].setValue(nil, forKey: "author")
                books[5].setValue(99, forKey: "year")
                #expect(books[20].title == nil)
                try open(directory + "/a.lode")
                switch first {
                case .title: #expect(books[9].title == "10")
                case .year: #expect(books[9].year == 10)
                case .author: #expect(books[9].author === bob)
                case .members:
                    #expect(ann.books.contains(books[1]))
                case .fetch:
                    let request = NSFetchRequest<AwayBook>(entityName: "Book")
                    request.predicate = NSPredicate(format: "year >= 40")
                    request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
                    #expect(try context.fetch(request).map(\.year) == [40, 41, 42, 43, 99])
                case .oldFault: #expect(books[20].year == 21)
                case .firedOne: #expect(books[2].title == "3")
                case .none: break
                }
                // Many plain reads, and the sides as they were set.
                for (place, book) in books.enumerated() where place > 5 {
                    #expect(book.year == Int32(place + 1) && book.title == "\(place + 1)")
                }
                try expect(ann, bob, books)
                try context.save()
                try expect(ann, bob, books)
            }
            if inChild { try root.performAndWait { try root.save() } }
            let other = container.newBackgroundContext()
            try other.performAndWait {
                let books = try ids[2...].map {
                    try #require(other.existingObject(with: $0) as? AwayBook)
                }
                try expect(
                    #require(other.existingObject(with: ids[0]) as? AwayAuthor),
                    #require(other.existingObject(with: ids[1]) as? AwayAuthor), books)
            }
            try close()
        }
    }

    private func expect(_ ann: AwayAuthor, _ bob: AwayAuthor, _ books: [AwayBook]) throws {
        #expect(Set(ann.books.map(\.year)) == [2, 3])
        #expect(
            Set(bob.books.map(\.year)) == Set([1, 4, 99] + (7...43)).subtracting([3, 5]))
        #expect(books[0].author === bob && books[2].author === ann && books[4].author == nil)
        #expect(books[5].year == 99 && books[5].author === bob && books[1].author === ann)
        #expect(books[0].title == "1" && books[5].title == "6" && books[4].year == 5)
    }
}
