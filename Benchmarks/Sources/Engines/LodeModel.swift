// SPDX-License-Identifier: Apache-2.0

import CoreData

/// A book as a managed object.
final class Book: NSManagedObject {
    @Managed var title: String
    @Managed var author: String
    @Managed var year: Int32
    @Managed var rating: Double
    @Managed var isbn: String
    @Managed var available: Bool
    @Managed var shelf: Int64
}

/// The model of the benchmarks: one entity without indexes and relationships.
enum LodeModel {
    static func make() -> NSManagedObjectModel {
        let book = NSEntityDescription()
        book.name = "Book"
        // A name in full: the first NSStringFromClass of a process takes Foundation milliseconds.
        book.managedObjectClassName = "Engines.Book"
        book.properties = [
            attribute("title", .stringAttributeType), attribute("author", .stringAttributeType),
            attribute("year", .integer32AttributeType), attribute("rating", .doubleAttributeType),
            attribute("isbn", .stringAttributeType), attribute("available", .booleanAttributeType),
            attribute("shelf", .integer64AttributeType),
        ]
        let model = NSManagedObjectModel()
        model.entities = [book]
        return model
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }
}
