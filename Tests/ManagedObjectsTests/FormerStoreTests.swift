// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Objects that outlive their contexts, or their containers, are still of their own store.
@Suite struct FormerStoreTests {
    private static func model() -> NSManagedObjectModel {
        Build.model(Build.entity("Book", [Build.attribute("title")]))
    }

    private func open(_ path: String) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(
            name: "Test", managedObjectModel: FormerStoreTests.model())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
        ]
        if let error = load(container) { throw error }
        return container
    }

    @discardableResult
    private func save(_ title: String, _ context: NSManagedObjectContext) throws -> NSManagedObject
    {
        let object = context.make("Book", ["title": title])
        try context.save()
        return object
    }

    /// A book whose context and container have gone.
    private func orphan(_ path: String, _ title: String) throws -> NSManagedObject {
        try save(title, open(path).viewContext)
    }

    private func titles(
        _ context: NSManagedObjectContext, _ format: String, _ value: Any
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: format, argumentArray: [value])
        return try context.fetch(request).map { $0.text("title") }
    }

    @Test func anObjectOfAClosedFileIsNotThatOfItsRowInAnother() throws {
        try withTemporaryDirectory { directory in
            let lost = try orphan("\(directory)/a.lode", "lost")
            let context = try open("\(directory)/b.lode").viewContext
            let other = try save("other", context)
            #expect(
                lost.objectID.uriRepresentation().lastPathComponent
                    == other.objectID.uriRepresentation().lastPathComponent)
            #expect(lost.objectID != other.objectID)
            #expect(context.registeredObject(for: lost.objectID) == nil)
            #expect(throws: CocoaError.self) {
                try context.existingObject(with: lost.objectID)
            }
            for value in [lost, lost.objectID] as [Any] {
                #expect(try titles(context, "SELF == %@", value) == [])
                #expect(try titles(context, "SELF IN %@", [value]) == [])
                #expect(try titles(context, "SELF != %@", value) == ["other"])
            }
            let delete = NSBatchDeleteRequest(objectIDs: [lost.objectID])
            #expect(throws: CocoaError.self) { try context.execute(delete) }
            #expect(try titles(context, "title == %@", "other") == ["other"])
        }
    }

    @Test func theSameFileOpenedAgainKnowsItsObjects() throws {
        try withTemporaryDirectory { directory in
            let lost = try orphan("\(directory)/a.lode", "kept")
            let container = try open("\(directory)/a.lode")
            let context = container.viewContext
            let found = try context.existingObject(with: lost.objectID)
            #expect(found.text("title") == "kept")
            #expect(found.objectID == lost.objectID)
            #expect(try titles(context, "SELF == %@", lost) == ["kept"])
        }
    }

    @Test func anObjectWhoseContextAloneHasGoneIsFoundInOthers() throws {
        try withTemporaryDirectory { directory in
            let container = try open("\(directory)/a.lode")
            let store = container.persistentStoreCoordinator.persistentStores.first
            var context: NSManagedObjectContext? = container.newBackgroundContext()
            let object = try #require(
                try context.map { inner in try inner.performAndWait { try save("kept", inner) } })
            context = nil
            #expect(object.managedObjectContext == nil)
            #expect(object.objectID.persistentStore === store)
            let found = try container.viewContext.existingObject(with: object.objectID)
            #expect(found.text("title") == "kept")
            #expect(try titles(container.viewContext, "SELF == %@", object) == ["kept"])
        }
    }

    @Test func anObjectOfARemovedStoreIsNotThatOfItsRowInTheNext() throws {
        try withTemporaryDirectory { directory in
            let container = try open("\(directory)/a.lode")
            let (coordinator, context) = (
                container.persistentStoreCoordinator, container.viewContext
            )
            let lost = try save("lost", context)
            let store = try #require(coordinator.persistentStores.first)
            try coordinator.remove(store)
            _ = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil,
                at: URL(fileURLWithPath: "\(directory)/b.lode"), options: nil)
            let other = try save("other", context)
            #expect(lost.objectID != other.objectID)
            #expect(lost.objectID.persistentStore?.identifier == store.identifier)
            #expect(context.registeredObject(for: lost.objectID) == nil)
            #expect(try titles(context, "SELF == %@", lost) == [])
            #expect(try titles(context, "SELF == %@", lost.objectID) == [])
        }
    }

    @Test(arguments: [0, 1, 2])
    func aChildNotToldOfTheRemovalKnowsTheFormerStore(asking: Int) throws {
        try withTemporaryDirectory { directory in
            let container = try open("\(directory)/a.lode")
            let (coordinator, context) = (
                container.persistentStoreCoordinator, container.viewContext
            )
            let store = try #require(coordinator.persistentStores.first)
            try save("lost", context)
            context.reset()
            var child: NSManagedObjectContext? = Stack.child(of: context)
            let found = try child.map { child in
                try child.performAndWait { try child.all("Book").first }
            }
            let lost = try #require(found.flatMap { $0 })
            try coordinator.remove(store)
            if asking == 0 { _ = child?.performAndWait { lost.objectID } }
            _ = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil,
                at: URL(fileURLWithPath: "\(directory)/b.lode"), options: nil)
            if asking == 1 { _ = child?.performAndWait { lost.objectID } }
            let other = try save("other", context)
            child = nil
            #expect(lost.objectID.persistentStore?.identifier == store.identifier)
            #expect(lost.objectID != other.objectID)
            #expect(throws: CocoaError.self) { try context.existingObject(with: lost.objectID) }
            #expect(try titles(context, "SELF == %@", lost) == [])
        }
    }

    @Test func anObjectOfAFurtherFileIsNotThatOfItsRowInAnotherContainers() throws {
        try withTemporaryDirectory { directory in
            var kept: [NSPersistentContainer] = []
            func both(_ name: String) throws -> NSManagedObject {
                let container = try open("\(directory)/\(name)1.lode")
                let coordinator = container.persistentStoreCoordinator
                let second = try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil,
                    at: URL(fileURLWithPath: "\(directory)/\(name)2.lode"), options: nil)
                let book = container.viewContext.make("Book", ["title": name])
                container.viewContext.assign(book, to: second)
                try container.viewContext.save()
                kept.append(container)
                return book
            }
            let lost = try both("a")
            kept = []
            let other = try both("b")
            let context = try #require(kept.first).viewContext
            #expect(lost.objectID != other.objectID)
            #expect(throws: CocoaError.self) { try context.existingObject(with: lost.objectID) }
            #expect(context.registeredObject(for: lost.objectID) == nil)
            #expect(try titles(context, "SELF == %@", lost) == [])
            #expect(try titles(context, "SELF == %@", other) == ["b"])
        }
    }

    @Test func anyThreadMayAskForTheIDOfAnObjectWhoseContextGoes() throws {
        try withTemporaryDirectory { directory in
            let context = try open("\(directory)/b.lode").viewContext
            for round in 0..<40 {
                var first: NSPersistentContainer? = try open("\(directory)/\(round % 4).lode")
                let objects = try (0..<8).compactMap { index in
                    try first.map { try save("\(index)", $0.viewContext) }
                }
                let identity = first?.persistentStoreCoordinator.persistentStores.first?.identifier
                // SAFETY: the threads ask for IDs alone, which any thread may.
                nonisolated(unsafe) let shared = objects
                let asking = DispatchGroup()
                for _ in 0..<2 {
                    DispatchQueue.global().async(group: asking) {
                        for object in shared {
                            #expect(object.objectID.persistentStore?.identifier == identity)
                        }
                    }
                }
                first = nil
                asking.wait()
                for object in objects {
                    #expect(object.objectID.persistentStore?.identifier == identity)
                    #expect(throws: CocoaError.self) {
                        try context.existingObject(with: object.objectID)
                    }
                }
            }
        }
    }

    /// Kept since before the first save, and used where another file is open.
    @Test(arguments: [false, true])
    func aTemporaryIDThatWasKeptIsOfItsFile(obtainsFirst: Bool) throws {
        try withTemporaryDirectory { directory in
            func orphanID() throws -> NSManagedObjectID {
                let context = try open("\(directory)/a.lode").viewContext
                let object = context.make("Book", ["title": "lost"])
                let id = object.objectID
                #expect(id.isTemporaryID)
                if obtainsFirst { try context.obtainPermanentIDs(for: [object]) }
                try context.save()
                #expect(try context.existingObject(with: id) === object)
                return id
            }
            let id = try orphanID()
            do {
                let context = try open("\(directory)/b.lode").viewContext
                try save("other", context)
                #expect(context.registeredObject(for: id) == nil)
                #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
                #expect(try titles(context, "SELF == %@", id) == [])
                #expect(try titles(context, "SELF != %@", id) == ["other"])
                let delete = NSBatchDeleteRequest(objectIDs: [id])
                #expect(throws: CocoaError.self) { try context.execute(delete) }
                #expect(try titles(context, "title == %@", "other") == ["other"])
            }
            let context = try open("\(directory)/a.lode").viewContext
            #expect(try context.existingObject(with: id).text("title") == "lost")
            #expect(try titles(context, "SELF == %@", id) == ["lost"])
        }
    }

    /// Two files were open one after the other, and none is now.
    @Test func idsOfTwoRemovedStoresAreOfTwoObjects() throws {
        try withTemporaryDirectory { directory in
            let shelf = try ShelfOfStores(directory)
            let first = try shelf.fill("first")
            try shelf.removeAll()
            try shelf.add("b.lode")
            let second = try shelf.fill("second")
            try shelf.removeAll()
            let context = shelf.container.newBackgroundContext()
            try context.performAndWait {
                let one = context.object(with: first[0])
                let two = context.object(with: second[0])
                #expect(one !== two)
                #expect(one.objectID == first[0] && two.objectID == second[0])
                #expect(context.registeredObject(for: first[0]) === one)
                #expect(context.registeredObject(for: second[0]) == nil)
                #expect(two.managedObjectContext == nil && two.value(forKey: "title") == nil)
                #expect(throws: CocoaError.self) { try context.existingObject(with: second[0]) }
                try shelf.add("a.lode")
                #expect(one.text("title") == "first")
                try shelf.add("b.lode")
                #expect(try context.existingObject(with: second[0]).text("title") == "second")
                #expect(two.value(forKey: "title") == nil)
            }
        }
    }
}
