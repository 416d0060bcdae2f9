// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A permanent ID that a context has obtained before the save is the object's ID in all contexts.
@Suite(.inBothPlaces) struct ChildReservedIDTests {
    @Test func a_child_has_the_ids_that_its_parent_has_obtained() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.obtainPermanentIDs(for: [item])
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        try child.performAndWait {
            let twin = try #require(try child.all("Item").first)
            #expect(twin.objectID == item.objectID && !twin.objectID.isTemporaryID)
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
            request.resultType = .managedObjectIDResultType
            #expect(try child.fetch(request) == [item.objectID])
        }
        let grandchild = NSManagedObjectContext(.privateQueue)
        grandchild.parent = child
        try grandchild.performAndWait {
            let twin = try #require(try grandchild.all("Item").first)
            #expect(twin.objectID == item.objectID)
            twin.setValue("b", forKey: "name")
            try grandchild.save()
        }
        try child.performAndWait { try child.save() }
        try stack.context.save()
        #expect(item.text("name") == "b")
        let fresh = stack.container.newBackgroundContext()
        #expect(try fresh.existingObject(with: item.objectID).text("name") == "b")
    }

    @Test func an_id_that_is_obtained_later_is_found_too() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        try child.performAndWait {
            let twin = try #require(try child.all("Item").first)
            let early = twin.objectID
            #expect(early.isTemporaryID && early == item.objectID)
            try stack.context.obtainPermanentIDs(for: [item])
            #expect(twin.objectID == item.objectID && !twin.objectID.isTemporaryID)
            #expect(try child.existingObject(with: item.objectID) === twin)
        }
    }

    @Test func what_a_child_has_deleted_is_not_found_under_an_obtained_id() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        let child = Stack.child(of: stack.context)
        let grandchild = Stack.child(of: child)
        try grandchild.performAndWait {
            let twin = try #require(try grandchild.all("Item").first)
            // Later, so that the twin has not taken the key over when it goes.
            try stack.context.obtainPermanentIDs(for: [item])
            grandchild.delete(twin)
            try grandchild.save()
        }
        child.performAndWait { child.rollback() }
        try stack.context.save()
        try grandchild.performAndWait {
            let twin = try #require(try grandchild.all("Item").first)
            #expect(twin.managedObjectContext === grandchild && twin.text("name") == "a")
            #expect(try grandchild.existingObject(with: item.objectID) === twin)
        }
    }
}
