// SPDX-License-Identifier: Apache-2.0

import CoreData

// The model and the stack of the programs in this folder, as Xcode and its template write them.

final class Author: NSManagedObject {
    @nonobjc class func fetchRequest() -> NSFetchRequest<Author> {
        NSFetchRequest<Author>(entityName: "Author")
    }

    @Managed var name: String?
    @Managed var age: Int16
    @Managed var statusValue: Int16
    @Managed var books: NSSet?
    @Managed var favourite: Data?
}

class Book: NSManagedObject {
    @nonobjc class func fetchRequest() -> NSFetchRequest<Book> {
        NSFetchRequest<Book>(entityName: "Book")
    }

    @Managed var title: String?
    @Managed var author: Author?
}

extension Author: Identifiable {}

extension NSManagedObjectModel {
    static let library: NSManagedObjectModel = {
        let author = NSEntityDescription(entityName: "Author")
        let book = NSEntityDescription(entityName: "Book")
        let books = NSRelationshipDescription()
        books.name = "books"
        books.destinationEntity = book
        books.isOptional = true
        let writer = NSRelationshipDescription()
        writer.name = "author"
        writer.destinationEntity = author
        writer.maxCount = 1
        writer.inverseRelationship = books
        books.inverseRelationship = writer
        author.properties = [
            NSAttributeDescription(name: "name", ofType: .stringAttributeType),
            NSAttributeDescription(name: "age", ofType: .integer16AttributeType),
            NSAttributeDescription(name: "statusValue", ofType: .integer16AttributeType),
            NSAttributeDescription(name: "favourite", ofType: .binaryDataAttributeType), books,
        ]
        book.properties = [
            NSAttributeDescription(name: "title", ofType: .stringAttributeType), writer,
        ]
        return NSManagedObjectModel(of: [author, book])
    }()

    private convenience init(of entities: [NSEntityDescription]) {
        self.init()
        self.entities = entities
    }
}

extension NSEntityDescription {
    fileprivate convenience init(entityName: String) {
        self.init()
        name = entityName
        // With its module, as other test targets have classes of the same names.
        managedObjectClassName = "OtherPeoplesCodeTests.\(entityName)"
    }
}

extension NSAttributeDescription {
    fileprivate convenience init(name: String, ofType type: NSAttributeType) {
        self.init()
        self.name = name
        attributeType = type
        isOptional = true
        if type == .integer16AttributeType { defaultValue = 0 }
    }
}

extension NSPersistentContainer {
    /// A container in memory, as for tests and previews.
    static func inMemory(
        _ model: NSManagedObjectModel = .library
    ) -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
        container.loadPersistentStores { description, error in
            if let error { fatal("\(description): \(error)") }
        }
        return container
    }
}

private func fatal(_ message: String) -> Never {
    print(message)
    exit(1)
}
