// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

class Repository<T: NSManagedObject> {
    let context: NSManagedObjectContext

    init(context: NSManagedObjectContext) { self.context = context }

    var entityName: String { T.entity().name ?? String(describing: T.self) }

    func request(
        _ predicate: NSPredicate? = nil, sortedBy key: String? = nil
    ) -> NSFetchRequest<T> {
        let request = NSFetchRequest<T>(entityName: entityName)
        request.predicate = predicate
        request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return request
    }

    @discardableResult
    func create(_ configure: (T) throws -> Void = { _ in }) rethrows -> T {
        let object = T(context: context)
        try configure(object)
        return object
    }

    func insert() -> T {
        let object = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context)
        return object as? T ?? T(context: context)
    }

    func all() throws -> [T] { try context.fetch(request()) }

    func first(where predicate: NSPredicate) throws -> T? {
        let request = request(predicate)
        request.fetchLimit = 1
        return try context.fetch(request).first
    }

    func count() throws -> Int { try context.count(for: request()) }

    func object(_ id: NSManagedObjectID) throws -> T? { try context.existingObject(with: id) as? T }

    func deleteAll() throws {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entityName)
        let deletion = NSBatchDeleteRequest(fetchRequest: request)
        deletion.resultType = .resultTypeObjectIDs
        let result = try context.execute(deletion) as? NSBatchDeleteResult
        let ids = result?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
    }
}

final class AuthorRepository: Repository<Author> {
    func named(_ name: String) throws -> [Author] {
        try context.fetch(request(NSPredicate(format: "%K == %@", keyName, name)))
    }

    private var keyName: String { "name" }
}

@Suite struct RepositoryTests {
    @Test func of_any_class() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        let books = Repository<Book>(context: context)
        let authors = AuthorRepository(context: context)
        let author = authors.create { $0.name = "Ann" }
        books.create {
            $0.title = "One"
            $0.author = author
        }
        books.insert().title = "Two"
        try context.save()
        #expect(books.entityName == "Book")
        #expect(try books.count() == 2)
        #expect(try books.first(where: NSPredicate(format: "author.name == 'Ann'"))?.title == "One")
        #expect(try context.fetch(books.request(sortedBy: "title")).map(\.title) == ["One", "Two"])
        #expect(try authors.named("Ann") == [author])
        #expect(try authors.object(author.objectID) === author)
        try books.deleteAll()
        #expect(try books.all().isEmpty)
        #expect(author.books?.count == 0)
    }
}
