// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

extension NSManagedObjectContext {
    @discardableResult
    func saveOrRollback() -> Bool {
        guard hasChanges else { return false }
        do {
            try save()
            return true
        } catch {
            rollback()
            return false
        }
    }

    func performChanges(block: @escaping () -> Void) {
        perform {
            block()
            self.saveOrRollback()
        }
    }

    func fetchAll<T: NSManagedObject>(_ type: T.Type, where predicate: NSPredicate? = nil) -> [T] {
        let request = T.fetchRequest() as NSFetchRequest<any NSFetchRequestResult>
        request.predicate = predicate
        return (try? fetch(request)) as? [T] ?? []
    }

    func inspect<R>(_ request: NSFetchRequest<R>) -> String { request.entityName ?? "none" }

    func results<R: NSFetchRequestResult>(of request: NSFetchRequest<R>) throws -> [R] {
        try fetch(request)
    }

    func make<T: NSManagedObject>(_ type: T.Type = T.self) -> T { T(context: self) }

    func get<T>(_ block: () throws -> T) rethrows -> T {
        var result: T?
        try performAndWait { result = try block() }
        return result!
    }

    convenience init(reading container: NSPersistentContainer, name: String) {
        self.init(concurrencyType: .privateQueueConcurrencyType)
        persistentStoreCoordinator = container.persistentStoreCoordinator
        automaticallyMergesChangesFromParent = true
        mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        undoManager = nil
        self.name = name
    }
}

@Suite struct ContextExtensionTests {
    @Test func saves_or_rolls_back() async throws {
        let context = NSPersistentContainer.inMemory().newBackgroundContext()
        let isSaved = context.performAndWait { context.saveOrRollback() }
        #expect(!isSaved)
        context.performChanges { context.make(Author.self).name = "Ann" }
        let names = await context.perform { context.fetchAll(Author.self).map(\.name) }
        #expect(names == ["Ann"])
        let bobs = await context.perform {
            context.fetchAll(Author.self, where: NSPredicate(format: "name == 'Bob'")).count
        }
        #expect(bobs == 0)
    }

    @Test func requests_of_any_result_go_through_generic_functions() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        let author: Author = context.make()
        author.name = "Ann"
        #expect(context.inspect(Author.fetchRequest() as NSFetchRequest<Author>) == "Author")
        let untyped = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
        #expect(context.inspect(untyped) == "Author")
        #expect(try context.results(of: untyped).map { $0 as? Author } == [author])
        #expect(try context.results(of: Author.fetchRequest()) == [author])
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Author")
        ids.resultType = .managedObjectIDResultType
        try context.save()
        #expect(try context.results(of: ids) == [author.objectID])
        let rows = NSFetchRequest<NSDictionary>(entityName: "Author")
        rows.resultType = .dictionaryResultType
        rows.propertiesToFetch = ["name"]
        #expect(try context.results(of: rows) == [["name": "Ann"]])
    }

    @Test func values_come_out_of_blocks() throws {
        let context = NSPersistentContainer.inMemory().newBackgroundContext()
        #expect(context.get { context.make(Author.self).age } == 0)
        #expect(throws: CocoaError.self) {
            try context.get { throw CocoaError(.fileNoSuchFile) }
        }
        let run: (() -> Void) -> Void = context.performAndWait
        var count = 0
        run { count += 1 }
        let later: (@escaping () -> Void) -> Void = context.perform
        let waiter = DispatchSemaphore(value: 0)
        later { waiter.signal() }
        waiter.wait()
        #expect(count == 1)
    }

    @Test func an_initialiser_sets_a_context_up() throws {
        let container = NSPersistentContainer.inMemory()
        let reader = NSManagedObjectContext(reading: container, name: "reader")
        let author: Author = container.viewContext.make()
        author.name = "Ann"
        try container.viewContext.save()
        let id = author.objectID
        let read = reader.performAndWait { reader.object(with: id) as? Author }
        #expect(reader.performAndWait { read?.name } == "Ann")
        author.name = "Bob"
        try container.viewContext.save()
        #expect(reader.performAndWait { read?.name } == "Bob")
        #expect(reader.name == "reader")
    }
}
