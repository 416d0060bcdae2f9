// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

protocol DomainModel: Sendable {
    associatedtype Entity: NSManagedObject
    init?(_ entity: Entity)
    func update(_ entity: Entity)
}

extension DomainModel {
    @discardableResult
    func store(in context: NSManagedObjectContext) -> Entity {
        let entity = Entity(context: context)
        update(entity)
        return entity
    }

    static func all(in context: NSManagedObjectContext) throws -> [Self] {
        let request = NSFetchRequest<Entity>(entityName: Entity.entity().name ?? "")
        return try context.fetch(request).compactMap(Self.init)
    }
}

struct AuthorValue: DomainModel, Hashable {
    var name: String
    var age: Int
    var titles: Set<String> = []

    init(name: String, age: Int) { (self.name, self.age) = (name, age) }

    init?(_ entity: Author) {
        guard let name = entity.name else { return nil }
        self.init(name: name, age: Int(entity.age))
        titles = Set((entity.books as? Set<Book> ?? []).compactMap(\.title))
    }

    func update(_ entity: Author) {
        entity.name = name
        entity.age = Int16(age)
        guard let context = entity.managedObjectContext else { return }
        for title in titles {
            let book = Book(context: context)
            book.title = title
            entity.addToBooks(book)
        }
    }
}

/// Erases which class it stores.
struct AnyWriter {
    private let write: (NSManagedObjectContext) -> NSManagedObject

    init<Value: DomainModel>(_ value: Value) { write = value.store }

    func callAsFunction(_ context: NSManagedObjectContext) -> NSManagedObject { write(context) }
}

@Suite struct ValueMappingTests {
    @Test func there_and_back() throws {
        let container = NSPersistentContainer.inMemory()
        var value = AuthorValue(name: "Ann", age: 40)
        value.titles = ["One", "Two"]
        _ = AnyWriter(value)(container.viewContext)
        AuthorValue(name: "Bob", age: 20).store(in: container.viewContext)
        try container.viewContext.save()
        let reader = container.newBackgroundContext()
        let read = try reader.performAndWait { try AuthorValue.all(in: reader) }
        #expect(Set(read) == [value, AuthorValue(name: "Bob", age: 20)])
    }
}
