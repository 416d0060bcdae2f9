// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// IDs that a fetch or a relationship gives are those of the objects that it would give.
@Suite struct FetchedIDTests {
    private func stack() throws -> Stack {
        let book = Build.entity(
            "Book", [Build.attribute("name"), Build.attribute("number", .integer64AttributeType)])
        let novel = Build.entity("Novel", [])
        let shelf = Build.entity("Shelf", [Build.attribute("name")])
        book.subentities = [novel]
        Build.inverse(
            Build.relationship("shelf", of: book, to: shelf, max: 1),
            Build.relationship("books", of: shelf, to: book, max: 0))
        return try Stack(Build.model(book, novel, shelf))
    }

    /// Twenty books of two entities on two shelves, saved.
    private func fill(_ context: NSManagedObjectContext) throws {
        let shelves = ["a", "b"].map { context.make("Shelf", ["name": $0]) }
        for number in 0..<20 {
            context.make(
                number % 3 == 0 ? "Novel" : "Book",
                ["name": "\(number)", "number": number, "shelf": shelves[number % 2]])
        }
        try context.save()
    }

    private func request(_ format: String? = nil) -> NSFetchRequest<NSManagedObjectID> {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        request.resultType = .managedObjectIDResultType
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
        return request
    }

    private func names(
        _ context: NSManagedObjectContext, _ request: NSFetchRequest<NSManagedObjectID>
    ) throws -> [String] {
        let ids = try context.fetch(request)
        return try ids.map { try context.existingObject(with: $0).text("name") }
    }

    @Test func aFetchGivesTheIDsOfItsObjectsInOrder() throws {
        let stack = try stack()
        let context = stack.context
        try fill(context)
        context.reset()
        let limited = request("number > 3")
        (limited.fetchOffset, limited.fetchLimit) = (2, 3)
        #expect(try names(context, limited) == ["17", "16", "15"])
        #expect(context.registeredObjects.isEmpty)
        let plain = request("number < 4")
        plain.includesSubentities = false
        #expect(try names(context, plain) == ["2", "1"])
        let kinds = try context.fetch(request("number IN {3, 4}")).map(\.entity.name)
        #expect(kinds == ["Book", "Novel"])
    }

    @Test func unsavedChangesCountUnlessTheyAreLeftOut() throws {
        let stack = try stack()
        let context = stack.context
        try fill(context)
        let fresh = context.make("Novel", ["name": "new", "number": 100])
        context.delete(try #require(try context.named("19", "Book")))
        let last = request("number > 17")
        #expect(try names(context, last) == ["new", "18"])
        #expect(try context.fetch(last).first == fresh.objectID)
        last.includesPendingChanges = false
        #expect(try context.fetch(last).count == 2)
        let child = Stack.child(of: context)
        let inChild = try child.performAndWait { try names(child, request("number > 17")) }
        #expect(inChild == ["new", "18"])
    }

    @Test func anObjectThatIsHeldHasTheIDThatItHad() throws {
        let stack = try stack()
        let context = stack.context
        try fill(context)
        let book = try #require(try context.named("7", "Book"))
        let id = book.objectID
        #expect(try context.fetch(request("number == 7")).first === id)
        #expect(book.one("shelf")?.objectIDs(forRelationshipNamed: "books").contains(id) == true)
    }

    @Test func aRelationshipGivesIDsOfSavedAndUnsavedMembers() throws {
        let stack = try stack()
        let context = stack.context
        try fill(context)
        context.reset()
        let shelf = try #require(try context.named("a", "Shelf"))
        let ids = shelf.objectIDs(forRelationshipNamed: "books")
        #expect(ids.count == 10)
        // The shelf alone: no member became an object.
        #expect(context.registeredObjects == [shelf])
        #expect(Set(ids) == Set(shelf.many("books").map(\.objectID)))
        #expect(ids.allSatisfy { $0.persistentStore != nil && !$0.isTemporaryID })
        let added = context.make("Book", ["name": "new", "number": 50, "shelf": shelf])
        #expect(shelf.objectIDs(forRelationshipNamed: "books").count == 11)
        #expect(shelf.objectIDs(forRelationshipNamed: "books").contains(added.objectID))
        let former = try #require(try context.named("0", "Book"))
        former.setValue(nil, forKey: "shelf")
        #expect(!shelf.objectIDs(forRelationshipNamed: "books").contains(former.objectID))
    }
}
