// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import _TestSupport

/// A store file in a directory of its own, which goes with the stack.
final class Stack {
    let directory: URL
    let model: NSManagedObjectModel
    private(set) var container: NSPersistentContainer
    private let configuration: String?

    init(_ model: NSManagedObjectModel) throws {
        configuration = StackPlace.current.configure(model)
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("ManagedObjectsTests-\(UUID().uuidString)")
        self.model = model
        container = NSPersistentContainer(name: "Test", managedObjectModel: model)
        try reopen()
    }

    deinit { removeAtExit(directory.path) }

    var url: URL { directory.appendingPathComponent("test.lode") }
    var context: NSManagedObjectContext { container.viewContext }

    /// A private-queue child of a context.
    static func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        return child
    }

    /// How to open the file.
    func makeDescription() -> NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription(url: url)
        description.setOption("none" as NSString, forKey: LodeDurabilityOption)
        description.configuration = configuration
        return description
    }

    /// Closes the file and opens it anew.
    func reopen(_ adjust: (NSPersistentStoreDescription) -> Void = { _ in }) throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        container = NSPersistentContainer(name: "Test", managedObjectModel: model)
        let description = makeDescription()
        adjust(description)
        container.persistentStoreDescriptions = [description]
        if let error = load(container) { throw error }
    }
}

extension Stack {
    /// Opens the file anew with all checks: checksums, indexes, and both ends of relationships.
    func reopenChecked() throws {
        try reopen { $0.setOption("records" as NSString, forKey: LodeVerifyOption) }
    }
}

/// Loads a container's stores; returns the error.
func load(_ container: NSPersistentContainer) -> (any Error)? {
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error ?? failure }
    return failure
}

/// The code of the Cocoa error that a block throws; `nil` when it throws none.
func code(_ body: () throws -> Void) -> Int? {
    do {
        try body()
        return nil
    } catch {
        return (error as? CocoaError)?.errorCode ?? -1
    }
}

extension NSManagedObjectContext {
    /// Inserts an object with values.
    @discardableResult
    func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func all(_ entity: String, _ predicate: NSPredicate? = nil) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        return try fetch(request)
    }

    func count(_ entity: String) throws -> Int {
        try count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }

    /// The names of matches, sorted.
    func names(_ entity: String, _ format: String, _ arguments: Any?...) throws -> [String] {
        try all(entity, NSPredicate(format: format, argumentArray: arguments))
            .map { $0.text("name") }.sorted()
    }

    /// The object of a name.
    func named(_ name: String, _ entity: String) throws -> NSManagedObject? {
        try all(entity, NSPredicate(format: "name == %@", name)).first
    }
}

extension NSManagedObject {
    func text(_ key: String) -> String { value(forKey: key) as? String ?? "-" }
    func number(_ key: String) -> Int { (value(forKey: key) as? NSNumber)?.intValue ?? -1 }
    func one(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }
    func many(_ key: String) -> Set<NSManagedObject> {
        value(forKey: key) as? Set<NSManagedObject> ?? []
    }
    /// The names of a to-many relationship's destinations, sorted.
    func names(_ key: String) -> [String] { many(key).map { $0.text("name") }.sorted() }
}
