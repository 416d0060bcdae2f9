// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import _TestSupport

/// A file that versions of a model open in turn.
final class ModelVersions {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("ModelVersions-\(UUID().uuidString)")
    private(set) var container: NSPersistentContainer?

    deinit { removeAtExit(directory.path) }

    var url: URL { directory.appendingPathComponent("test.lode") }

    var store: NSPersistentStore? {
        container?.persistentStoreCoordinator.persistentStores.first
    }

    /// Closes the file and opens it by a model.
    func open(
        _ model: NSManagedObjectModel, _ adjust: (NSPersistentStoreDescription) -> Void = { _ in }
    ) throws -> NSManagedObjectContext {
        try close()
        let next = NSPersistentContainer(name: "Test", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption("none" as NSString, forKey: LodeDurabilityOption)
        description.setOption("records" as NSString, forKey: LodeVerifyOption)
        adjust(description)
        next.persistentStoreDescriptions = [description]
        if let error = load(next) { throw error }
        container = next
        return next.viewContext
    }

    /// The error that opening the file by a model ends with; `nil` for none.
    func refusal(
        _ model: NSManagedObjectModel, _ adjust: (NSPersistentStoreDescription) -> Void = { _ in }
    ) -> CocoaError? {
        do {
            _ = try open(model, adjust)
            return nil
        } catch {
            return error as? CocoaError
        }
    }

    func close() throws {
        guard let coordinator = container?.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        container = nil
    }

    /// A book with a title and pages, and its shelf, as the first version of a program has them.
    static func first() -> NSManagedObjectModel {
        let book = Build.entity(
            "Book",
            [Build.attribute("title"), Build.attribute("pages", .integer32AttributeType)])
        let shelf = Build.entity("Shelf", [Build.attribute("name")])
        let place = Build.relationship("shelf", of: book, to: shelf, max: 1)
        Build.inverse(place, Build.relationship("books", of: shelf, to: book, max: 0))
        return Build.model(book, shelf)
    }

    /// The version after it: `pages` is `length`, books have a rating, shelves are racks, and there
    /// are authors.
    static func second() -> NSManagedObjectModel {
        let length = Build.attribute("length", .integer32AttributeType)
        length.renamingIdentifier = "pages"
        let book = Build.entity(
            "Book",
            [
                Build.attribute("title", isOptional: false, default: "untitled"), length,
                Build.attribute("rating", .doubleAttributeType, isOptional: false, default: 2.5),
            ])
        let rack = Build.entity("Rack", [Build.attribute("name")])
        rack.renamingIdentifier = "Shelf"
        let author = Build.entity("Author", [Build.attribute("name")])
        let place = Build.relationship("rack", of: book, to: rack, max: 1)
        place.renamingIdentifier = "shelf"
        Build.inverse(place, Build.relationship("books", of: rack, to: book, max: 0))
        let writers = Build.relationship("authors", of: book, to: author, max: 0)
        Build.inverse(writers, Build.relationship("books", of: author, to: book, max: 0))
        return Build.model(book, rack, author)
    }

    /// Writes two books on one shelf by the first version; returns the URI of the first one.
    func writeFirst() throws -> URL {
        let context = try open(ModelVersions.first())
        let shelf = context.make("Shelf", ["name": "window"])
        let book = context.make("Book", ["title": "Emma", "pages": 474, "shelf": shelf])
        context.make("Book", ["pages": 418, "shelf": shelf])
        try context.save()
        return book.objectID.uriRepresentation()
    }
}
