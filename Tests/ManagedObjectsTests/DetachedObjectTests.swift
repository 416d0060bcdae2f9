// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Objects that have no context, or are about to lose it to another object of their ID.
@Suite struct DetachedObjectTests {
    private func libraryModel() -> NSManagedObjectModel { LibraryModel.make() }

    /// Two related objects that outlive their model.
    private func orphans() throws -> (author: NSManagedObject, book: NSManagedObject) {
        let model = libraryModel()
        let author = try #require(model.entitiesByName["Author"])
        let book = try #require(model.entitiesByName["Book"])
        return (
            NSManagedObject(entity: author, insertInto: nil),
            NSManagedObject(entity: book, insertInto: nil)
        )
    }

    @Test func relationships_work_without_the_model() throws {
        let (author, book) = try orphans()
        // Memory of what went with the model is used again.
        let others = (0..<8).map { _ in libraryModel() }
        book.setValue(author, forKey: "author")
        let relationship = book.entity.relationshipsByName["author"]
        #expect(relationship?.destinationEntity === author.entity)
        #expect(author.entity.name == "Author" && book.entity.name == "Book")
        #expect(others.count == 8)
    }

    @Test func an_object_that_comes_back_takes_the_place_of_a_fault() throws {
        let stack = try Stack(ItemModel.make())
        var ghost: NSManagedObject?
        do {
            let context = stack.container.newBackgroundContext()
            context.undoManager = UndoManager()
            let item = context.make("Item", ["name": "a"])
            try context.save()
            context.undoManager?.removeAllActions()
            let id = item.objectID
            context.delete(item)
            try context.save()
            ghost = context.object(with: id)
            #expect(ghost !== item)
            context.undo()
            try context.save()
            #expect(item.objectID == id && item.text("name") == "a")
            #expect(context.object(with: id) === item)
            #expect(ghost?.managedObjectContext == nil)
        }
        #expect(ghost?.managedObjectContext == nil)
        #expect(ghost?.hasChanges == false)
    }

    @Test func an_id_of_an_object_that_was_never_inserted_finds_nothing() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let entity = try #require(stack.model.entitiesByName["Item"])
        let id = NSManagedObject(entity: entity, insertInto: nil).objectID
        #expect(context.registeredObject(for: id) == nil)
        for number in 0..<40 { context.make("Item", ["number": number]) }
        try context.save()
        #expect(context.registeredObject(for: id) == nil)
        let all = try context.all("Item")
        #expect(all.count == 40)
        #expect(context.registeredObject(for: id) == nil)
    }

    @Test func each_has_an_id_of_its_own_and_keeps_it() throws {
        let stack = try Stack(ItemModel.make())
        let entity = try #require(stack.model.entitiesByName["Item"])
        let one = NSManagedObject(entity: entity, insertInto: nil)
        let other = NSManagedObject(entity: entity, insertInto: nil)
        let id = one.objectID
        #expect(id.isTemporaryID && id.persistentStore == nil && id.entity === entity)
        #expect(one.objectID === id)
        #expect(
            id != other.objectID && id.uriRepresentation() != other.objectID.uriRepresentation())
        stack.context.insert(one)
        #expect(one.objectID === id)
        #expect(stack.context.object(with: id) === one)
        #expect(stack.context.registeredObject(for: other.objectID) == nil)
        one.setValue("a", forKey: "name")
        try stack.context.save()
        #expect(one.objectID != id && !one.objectID.isTemporaryID)
        #expect(stack.context.object(with: id) === one)
        #expect(try stack.context.all("Item") == [one])
    }

    @Test func an_id_that_was_asked_for_goes_through_a_child() throws {
        let stack = try Stack(ItemModel.make())
        let child = Stack.child(of: stack.context)
        let entity = try #require(stack.model.entitiesByName["Item"])
        let item = NSManagedObject(entity: entity, insertInto: nil)
        let id = item.objectID
        child.insert(item)
        try child.save()
        #expect(stack.context.object(with: id).isInserted)
        #expect(item.objectID == id)
        try stack.context.save()
        #expect(item.objectID == stack.context.object(with: id).objectID)
        #expect(child.object(with: id) === item)
    }

    @Test func ids_never_meet_those_of_contexts() throws {
        let stack = try Stack(ItemModel.make())
        let entity = try #require(stack.model.entitiesByName["Item"])
        var ids: Set<NSManagedObjectID> = []
        for _ in 0..<500 {
            ids.insert(NSManagedObject(entity: entity, insertInto: nil).objectID)
            ids.insert(stack.context.make("Item").objectID)
        }
        #expect(ids.count == 1_000)
    }
}
