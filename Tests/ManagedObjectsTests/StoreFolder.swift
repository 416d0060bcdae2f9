// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import _TestSupport

/// Authors with books, and notes: two configurations.
enum LibraryModel {
    static func make(isUnique: Bool = false) -> NSManagedObjectModel {
        let author = Build.entity("Author", [Build.attribute("name")])
        let book = Build.entity(
            "Book",
            [
                Build.attribute("title"),
                Build.attribute("year", .integer32AttributeType, default: 0),
                Build.attribute("cover", .binaryDataAttributeType),
            ])
        let note = Build.entity(
            "Note",
            [
                Build.attribute("text"),
                Build.attribute("number", .integer64AttributeType, default: 0),
            ])
        Build.inverse(
            Build.relationship("author", of: book, to: author, max: 1),
            Build.relationship("books", of: author, to: book, max: 0, rule: .cascadeDeleteRule))
        let sequels = Build.relationship("sequels", of: book, to: book, max: 0)
        sequels.isOrdered = true
        if isUnique { note.uniquenessConstraints = [["text"]] }
        let model = Build.model(author, book, note)
        model.setEntities([author, book], forConfigurationName: "Catalogue")
        model.setEntities([note], forConfigurationName: "Notes")
        return model
    }
}

/// A directory of store files, and a coordinator for some of them at a time.
final class StoreFolder {
    let directory: URL
    private(set) var coordinator: NSPersistentStoreCoordinator

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("StoreFolder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
    }

    deinit { removeAtExit(directory.path) }

    func url(_ name: String) -> URL { directory.appendingPathComponent(name) }

    /// Removes the stores and adds others, of types by their files' names, to a new coordinator.
    func open(
        _ stores: [(name: String, configuration: String?)],
        model: NSManagedObjectModel = LibraryModel.make(),
        options: [AnyHashable: Any] = [LodeDurabilityOption: "none"]
    ) throws -> NSManagedObjectContext {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for (name, configuration) in stores { try add(name, configuration, options: options) }
        return makeContext()
    }

    @discardableResult
    func add(
        _ name: String, _ configuration: String? = nil,
        options: [AnyHashable: Any] = [LodeDurabilityOption: "none"]
    ) throws -> NSPersistentStore {
        let type =
            switch (name as NSString).pathExtension {
            case "plist": "PropertyList"
            case "memory": NSInMemoryStoreType
            case "table": "Table"
            default: NSSQLiteStoreType
            }
        return try coordinator.addPersistentStore(
            ofType: type, configurationName: configuration, at: url(name), options: options)
    }

    func makeContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func store(_ name: String) throws -> NSPersistentStore {
        guard let found = coordinator.persistentStore(for: url(name)) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return found
    }
}

extension NSManagedObjectContext {
    /// The values of an attribute of all objects, in the order of a key.
    func values(
        _ key: String, of entity: String, by order: String? = nil, _ predicate: NSPredicate? = nil,
        in stores: [NSPersistentStore]? = nil
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.affectedStores = stores
        request.sortDescriptors = [NSSortDescriptor(key: order ?? key, ascending: true)]
        return try fetch(request).map { $0.text(key) }
    }
}

extension StoreFolder {
    /// A read-only file with three books of two authors, and one to write to.
    func shipped() throws -> NSManagedObjectContext {
        let first = try open([("shipped.lode", nil)])
        let austen = first.make("Author", ["name": "Austen"])
        let stoker = first.make("Author", ["name": "Stoker"])
        for (title, year) in [("Emma", 1815), ("Persuasion", 1817), ("Dracula", 1897)] {
            let book = first.make("Book", ["title": title, "year": year])
            book.setValue(year < 1820 ? austen : stoker, forKey: "author")
        }
        try first.save()
        let context = try open([("user.lode", nil)])
        try add("shipped.lode", options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
        return context
    }
}
