// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

// The protocol of a well-known book about the framework.

protocol ManagedEntity: AnyObject, NSFetchRequestResult {
    static var entity: NSEntityDescription { get }
    static var entityName: String { get }
    static var defaultSortDescriptors: [NSSortDescriptor] { get }
    static var defaultPredicate: NSPredicate { get }
    var managedObjectContext: NSManagedObjectContext? { get }
}

extension ManagedEntity {
    static var defaultSortDescriptors: [NSSortDescriptor] { [] }
    static var defaultPredicate: NSPredicate { NSPredicate(value: true) }

    static var sortedFetchRequest: NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>(entityName: entityName)
        request.sortDescriptors = defaultSortDescriptors
        request.predicate = defaultPredicate
        return request
    }

    static func sortedFetchRequest(with predicate: NSPredicate) -> NSFetchRequest<Self> {
        let request = sortedFetchRequest
        guard let existing = request.predicate else { return request }
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            existing, predicate,
        ])
        return request
    }
}

extension ManagedEntity where Self: NSManagedObject {
    static var entity: NSEntityDescription { entity() }
    static var entityName: String { entity.name! }

    static func findOrCreate(
        in context: NSManagedObjectContext, matching predicate: NSPredicate,
        configure: (Self) -> Void
    ) -> Self {
        guard let object = findOrFetch(in: context, matching: predicate) else {
            let newObject: Self = context.insertObject()
            configure(newObject)
            return newObject
        }
        return object
    }

    static func findOrFetch(
        in context: NSManagedObjectContext, matching predicate: NSPredicate
    ) -> Self? {
        guard let object = materializedObject(in: context, matching: predicate) else {
            return fetch(in: context) { request in
                request.predicate = predicate
                request.returnsObjectsAsFaults = false
                request.fetchLimit = 1
            }.first
        }
        return object
    }

    static func fetch(
        in context: NSManagedObjectContext, configure: (NSFetchRequest<Self>) -> Void = { _ in }
    ) -> [Self] {
        let request = NSFetchRequest<Self>(entityName: Self.entityName)
        configure(request)
        return (try? context.fetch(request)) ?? []
    }

    static func count(
        in context: NSManagedObjectContext, configure: (NSFetchRequest<Self>) -> Void = { _ in }
    ) -> Int {
        let request = NSFetchRequest<Self>(entityName: entityName)
        configure(request)
        return (try? context.count(for: request)) ?? 0
    }

    static func materializedObject(
        in context: NSManagedObjectContext, matching predicate: NSPredicate
    ) -> Self? {
        for object in context.registeredObjects where !object.isFault {
            guard let result = object as? Self, predicate.evaluate(with: result) else { continue }
            return result
        }
        return nil
    }
}

extension NSManagedObjectContext {
    func insertObject<A: NSManagedObject>() -> A where A: ManagedEntity {
        guard
            let object = NSEntityDescription.insertNewObject(
                forEntityName: A.entityName, into: self)
                as? A
        else { return A(context: self) }
        return object
    }
}

extension Author: ManagedEntity {
    static var defaultSortDescriptors: [NSSortDescriptor] {
        [NSSortDescriptor(key: "name", ascending: false)]
    }
}

extension Book: ManagedEntity {}

/// Asks for the generated method itself.
protocol Fetchable {
    static func fetchRequest() -> NSFetchRequest<Self>
}

extension Author: Fetchable {}

extension Fetchable where Self: NSManagedObject {
    static func all(in context: NSManagedObjectContext) throws -> [Self] {
        try context.fetch(fetchRequest())
    }
}

@Suite struct ManagedProtocolTests {
    @Test func finds_and_creates() throws {
        let container = NSPersistentContainer.inMemory()
        let context = container.viewContext
        func author(_ name: String) -> Author {
            .findOrCreate(in: context, matching: NSPredicate(format: "name == %@", name)) {
                $0.name = name
            }
        }
        let ann = author("Ann")
        #expect(author("Ann") === ann)
        #expect(author("Bob") !== ann)
        try context.save()
        context.reset()
        #expect(author("Ann").name == "Ann")
        #expect(Author.count(in: context) == 2)
        #expect(try context.fetch(Author.sortedFetchRequest).map(\.name) == ["Bob", "Ann"])
        let bobs = Author.sortedFetchRequest(with: NSPredicate(format: "name == 'Bob'"))
        #expect(try context.fetch(bobs).count == 1)
        #expect(try Author.all(in: context).count == 2)
        #expect(Book.fetch(in: context).isEmpty)
    }
}
