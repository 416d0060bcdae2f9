// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

enum Status: Int16 {
    case draft, active, retired
}

extension Author {
    var status: Status {
        get { Status(rawValue: statusValue) ?? .draft }
        set { statusValue = newValue.rawValue }
    }

    var wrappedName: String { name ?? "Unknown" }

    var booksArray: [Book] {
        let set = books as? Set<Book> ?? []
        return set.sorted { ($0.title ?? "") < ($1.title ?? "") }
    }

    /// Accessors as the framework's documentation shows them.
    var doubledAge: Int {
        get {
            willAccessValue(forKey: "age")
            defer { didAccessValue(forKey: "age") }
            return (primitiveValue(forKey: "age") as? Int ?? 0) * 2
        }
        set {
            willChangeValue(forKey: "age")
            setPrimitiveValue(newValue / 2, forKey: "age")
            didChangeValue(forKey: "age")
        }
    }

    convenience init(name: String, status: Status = .active, context: NSManagedObjectContext) {
        self.init(context: context)
        self.name = name
        self.status = status
    }
}

extension Book {
    /// Has a default, so that it looks like the framework's own initialiser when it is left out.
    convenience init(title: String = "untitled", context: NSManagedObjectContext) {
        self.init(context: context)
        self.title = title
    }
}

/// Fetches whenever it is read.
@propertyWrapper struct Fetched<Result: NSManagedObject> {
    private let context: NSManagedObjectContext
    private let request: NSFetchRequest<Result>

    init(
        _ context: NSManagedObjectContext, sort: [NSSortDescriptor] = [],
        predicate: NSPredicate? = nil
    ) {
        self.context = context
        request = NSFetchRequest<Result>(entityName: "\(Result.self)")
        request.sortDescriptors = sort
        request.predicate = predicate
    }

    var wrappedValue: [Result] { (try? context.fetch(request)) ?? [] }
    var projectedValue: NSFetchRequest<Result> { request }
}

/// Keeps the object of another context by its ID.
@propertyWrapper struct InContext<Object: NSManagedObject> {
    let context: NSManagedObjectContext
    private var id: NSManagedObjectID?

    init(_ context: NSManagedObjectContext) { self.context = context }

    var wrappedValue: Object? {
        get { id.flatMap { context.object(with: $0) as? Object } }
        set { id = newValue?.objectID }
    }
}

struct Desk {
    @Fetched var active: [Author]
    @InContext var chosen: Author?

    init(_ context: NSManagedObjectContext) {
        _active = Fetched(
            context, sort: [NSSortDescriptor(key: "name", ascending: true)],
            predicate: NSPredicate(format: "statusValue == %d", Status.active.rawValue))
        _chosen = InContext(context)
    }
}

@Suite struct PropertyWrapperTests {
    @Test func read_and_write() throws {
        let container = NSPersistentContainer.inMemory()
        let context = container.viewContext
        let ann = Author(name: "Ann", context: context)
        _ = Author(name: "Bob", status: .retired, context: context)
        #expect(ann.status == .active && ann.wrappedName == "Ann")
        ann.doubledAge = 42
        #expect(ann.age == 21 && ann.doubledAge == 42)
        ann.books = NSSet(array: [
            Book(title: "Two", context: context), Book(title: "One", context: context),
        ])
        #expect(ann.booksArray.map(\.title) == ["One", "Two"])
        #expect(Book(context: context).title == nil)
        try context.save()
        var desk = Desk(container.newBackgroundContext())
        #expect(desk.active.map(\.name) == ["Ann"])
        #expect(desk.$active.entityName == "Author")
        desk.chosen = ann
        #expect(desk.chosen?.name == "Ann" && desk.chosen !== ann)
    }
}
