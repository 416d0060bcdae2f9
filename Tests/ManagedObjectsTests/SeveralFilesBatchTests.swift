// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Batch requests that name objects of the second of two files.
@Suite struct SeveralFilesBatchTests {
    private let folder: StoreFolder
    private let context: NSManagedObjectContext
    private let stores: [NSPersistentStore]
    private let authors: [NSManagedObject]

    /// An author with two books in each file.
    init() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let stores = folder.coordinator.persistentStores
        authors = zip(["Austen", "Stoker"], stores).map { name, store in
            let author = context.make("Author", ["name": name])
            context.assign(author, to: store)
            for number in 1...2 {
                let book = context.make("Book", ["title": "\(name) \(number)", "year": number])
                book.setValue(author, forKey: "author")
            }
            return author
        }
        try context.save()
        (self.folder, self.context, self.stores) = (folder, context, stores)
    }

    private func titles() throws -> [String] {
        try folder.makeContext().values("title", of: "Book")
    }

    @Test(arguments: [0, 1]) func an_update_finds_the_books_of_an_author(of store: Int) throws {
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.predicate = NSPredicate(format: "author == %@", authors[store])
        request.propertiesToUpdate = ["year": 2000]
        request.resultType = .updatedObjectsCountResultType
        #expect((try context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 2)
        let late = NSPredicate(format: "year == 2000")
        let found = try folder.makeContext().values("title", of: "Book", by: nil, late)
        let name = authors[store].text("name")
        #expect(found == ["\(name) 1", "\(name) 2"])
    }

    @Test func a_deletion_finds_the_books_of_an_author() throws {
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
        fetch.predicate = NSPredicate(format: "author IN %@", [authors[1].objectID])
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeCount
        #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 2)
        #expect(try titles() == ["Austen 1", "Austen 2"])
    }

    @Test func the_stores_of_the_fetch_count() throws {
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
        fetch.affectedStores = [stores[1]]
        try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        #expect(try titles() == ["Austen 1", "Austen 2"])
    }

    @Test func a_limit_is_for_one_store() throws {
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
        fetch.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        fetch.fetchLimit = 1
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        #expect(code { try context.execute(request) } == 134_070)
        #expect(try titles().count == 4)
        request.affectedStores = [stores[1]]
        try context.execute(request)
        #expect(try titles() == ["Austen 1", "Austen 2", "Stoker 2"])
    }

    @Test func an_update_refers_to_objects_of_its_file_only() throws {
        let other = context.make("Author", ["name": "Other"])
        context.assign(other, to: stores[1])
        try context.save()
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.affectedStores = [stores[1]]
        request.predicate = NSPredicate(format: "year == 1")
        request.propertiesToUpdate = ["author": other.objectID]
        try context.execute(request)
        let reader = folder.makeContext()
        let author = reader.object(with: other.objectID)
        #expect(author.many("books").map { $0.text("title") } == ["Stoker 1"])
        for (store, foreign) in [(stores[1], authors[0]), (stores[0], authors[1])] {
            request.affectedStores = [store]
            request.propertiesToUpdate = ["author": foreign.objectID]
            #expect(code { try context.execute(request) } == 133_000)
        }
    }
}
