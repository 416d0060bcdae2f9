// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Temporary and permanent IDs, their URIs, and the ways from an ID to an object.
@Suite struct ObjectIDTests {
    @Test func temporary_becomes_permanent() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item")
        let temporary = item.objectID
        #expect(temporary.isTemporaryID)
        #expect(temporary.persistentStore == nil)
        #expect(temporary.entity.name == "Item")
        #expect(item.objectID == temporary)
        #expect(temporary.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Item/t"))
        try stack.context.save()
        let permanent = item.objectID
        #expect(!permanent.isTemporaryID)
        #expect(permanent != temporary)
        let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
        #expect(permanent.persistentStore === store)
        #expect(
            permanent.uriRepresentation().absoluteString
                == "x-coredata://\(store.identifier ?? "")/Item/p1")
        #expect(stack.context.registeredObject(for: permanent) === item)
        #expect(stack.context.object(with: temporary) === item)
    }

    @Test func a_uri_finds_the_object_after_reopening() throws {
        let stack = try Stack(ItemModel.make())
        let uri = try {
            let item = stack.context.make("Item", ["name": "a"])
            try stack.context.save()
            return item.objectID.uriRepresentation()
        }()
        try stack.reopen()
        let coordinator = stack.container.persistentStoreCoordinator
        let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(stack.context.object(with: id).text("name") == "a")
        #expect(try stack.context.existingObject(with: id).text("name") == "a")
    }

    @Test(arguments: [
        "x-coredata:///Item/t1", "http://example.org/Item/p1", "x-coredata://STORE/Item/p0",
        "x-coredata://STORE/Item/p", "x-coredata://STORE/Item/1", "x-coredata://STORE/None/p1",
        "x-coredata://STORE/Item/p1/p2", "x-coredata://STORE/Item", "x-coredata://other/Item/p1",
        "x-coredata://STORE/Item/p99999999999999999999", "x-coredata://STORE/Item/p-1",
    ])
    func a_uri_that_fits_nothing_has_no_id(_ text: String) throws {
        let stack = try Stack(ItemModel.make())
        let coordinator = stack.container.persistentStoreCoordinator
        let identifier: String = coordinator.persistentStores[0].identifier
        let url = try #require(
            URL(string: text.replacingOccurrences(of: "STORE", with: identifier)))
        #expect(coordinator.managedObjectID(forURIRepresentation: url) == nil)
    }

    @Test(arguments: ["/Item/p1", "/I%74em/p1", "/Item/p%31", ":80/Item/p1", "/Item/p1?a#b"])
    func a_uri_may_be_written_in_several_ways(_ path: String) throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        let coordinator = stack.container.persistentStoreCoordinator
        let identifier: String = coordinator.persistentStores[0].identifier
        for store in [identifier.uppercased(), identifier.lowercased()] {
            let url = try #require(URL(string: "x-coredata://\(store)\(path)"))
            #expect(coordinator.managedObjectID(forURIRepresentation: url) == item.objectID)
        }
    }

    @Test func ids_of_two_contexts_are_equal_and_hash_alike() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        let twin = other.object(with: item.objectID)
        #expect(twin !== item)
        #expect(twin.objectID == item.objectID)
        #expect(Set([twin.objectID, item.objectID]).count == 1)
        #expect(twin != item)
    }

    @Test func temporary_ids_of_two_contexts_differ() throws {
        let stack = try Stack(ItemModel.make())
        let other = stack.container.newBackgroundContext()
        let mine = stack.context.make("Item")
        let theirs = other.make("Item")
        #expect(mine.objectID != theirs.objectID)
        #expect(other.registeredObject(for: mine.objectID) == nil)
        #expect(other.object(with: mine.objectID) !== theirs)
        #expect(mine.objectID.uriRepresentation() != theirs.objectID.uriRepresentation())
    }

    @Test func object_with_id_never_fails() throws {
        let stack = try Stack(ItemModel.make())
        let identifier: String =
            stack.container.persistentStoreCoordinator.persistentStores[0].identifier
        let url = try #require(URL(string: "x-coredata://\(identifier)/Item/p777"))
        let coordinator = stack.container.persistentStoreCoordinator
        let id = try #require(coordinator.managedObjectID(forURIRepresentation: url))
        let ghost = stack.context.object(with: id)
        #expect(ghost.isFault)
        #expect(ghost.objectID == id)
        #expect(stack.context.object(with: id) === ghost)
        #expect(stack.context.registeredObject(for: id) === ghost)
        #expect(code { _ = try stack.context.existingObject(with: id) } == 133000)
        #expect(ghost.value(forKey: "name") == nil)
        #expect(!ghost.isFault)
        #expect(code { _ = try stack.context.existingObject(with: id) } == 133000)
    }

    @Test func existing_object_of_an_unknown_temporary_id_throws() throws {
        let stack = try Stack(ItemModel.make())
        let mine = stack.context.make("Item")
        let other = stack.container.newBackgroundContext()
        #expect(code { _ = try other.existingObject(with: mine.objectID) } == 133000)
        #expect(try stack.context.existingObject(with: mine.objectID) === mine)
    }

    @Test func registered_object_does_not_look_at_the_store() throws {
        let stack = try Stack(ItemModel.make())
        let id = try {
            let item = stack.context.make("Item")
            try stack.context.save()
            return item.objectID
        }()
        #expect(stack.context.registeredObject(for: id) == nil)
        let object = try stack.context.existingObject(with: id)
        #expect(stack.context.registeredObject(for: id) === object)
    }

    @Test func a_row_is_never_used_again() throws {
        let stack = try Stack(ItemModel.make())
        var rows: [String] = []
        for _ in 0..<3 {
            let item = stack.context.make("Item")
            try stack.context.save()
            rows.append(item.objectID.uriRepresentation().lastPathComponent)
            stack.context.delete(item)
            try stack.context.save()
            try stack.reopen()
        }
        #expect(rows == ["p1", "p2", "p3"])
    }

    @Test func permanent_ids_before_the_save() throws {
        let stack = try Stack(PeopleModel.make())
        let context = stack.context
        let person = context.make("Person", ["name": "Ann"])
        let department = context.make("Department", ["name": "Sales"])
        person.setValue(department, forKey: "department")
        let temporary = department.objectID
        try context.obtainPermanentIDs(for: [department, department, person])
        let permanent = department.objectID
        #expect(!permanent.isTemporaryID && permanent != temporary)
        #expect(department.isInserted)
        #expect(context.object(with: temporary) === department)
        #expect(context.object(with: permanent) === department)
        #expect(context.registeredObject(for: permanent) === department)
        #expect(try context.existingObject(with: permanent) === department)
        let tag = context.make("Tag", ["name": "red"])
        tag.setValue([person] as Set, forKey: "people")
        try context.obtainPermanentIDs(for: [department])
        #expect(department.objectID == permanent)
        #expect(try context.names("Person", "department == %@", department) == ["Ann"])
        #expect(try context.names("Person", "department == %@", permanent) == ["Ann"])
        #expect(try context.names("Person", "department == %@", temporary) == ["Ann"])
        #expect(try context.names("Department", "SELF == %@", permanent) == ["Sales"])
        try context.save()
        #expect(department.objectID == permanent)
        #expect(person.one("department") === department)
        #expect(try context.names("Person", "department == %@", permanent) == ["Ann"])
        #expect(try context.names("Person", "department == %@", temporary) == ["Ann"])
        try stack.reopen()
        let read = try #require(try stack.context.named("Ann", "Person"))
        #expect(read.one("department")?.text("name") == "Sales")
        #expect(read.names("tags") == ["red"])
    }

    @Test func permanent_ids_then_rollback() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item")
        try stack.context.obtainPermanentIDs(for: [item])
        let id = item.objectID
        stack.context.rollback()
        #expect(code { _ = try stack.context.existingObject(with: id) } == 133000)
        stack.context.make("Item")
        try stack.context.save()
        #expect(try stack.context.all("Item").first?.objectID != id)
    }

    @Test func an_id_of_another_store_names_nothing_here() throws {
        let model = ItemModel.make()
        let (one, two) = (try Stack(model), try Stack(model))
        let item = one.context.make("Item", ["name": "one"])
        try one.context.save()
        two.context.make("Item", ["name": "two"])
        try two.context.save()
        #expect(two.context.registeredObject(for: item.objectID) == nil)
        #expect(code { _ = try two.context.existingObject(with: item.objectID) } == 133000)
        #expect(try one.context.existingObject(with: item.objectID) === item)
        let id = item.objectID
        try one.reopen()
        #expect(try one.context.existingObject(with: id).text("name") == "one")
    }
}
