// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Metadata and files of stores, and what descriptions keep.
@Suite struct StoreSurfaceTests {
    private typealias Coordinator = NSPersistentStoreCoordinator

    @Test func metadata_is_written_with_the_next_save() throws {
        let stack = try Stack(ItemModel.make())
        let coordinator = stack.container.persistentStoreCoordinator
        let store = try #require(coordinator.persistentStores.first)
        let identifier = store.identifier
        coordinator.setMetadata(
            ["colour": "red", "count": 3, NSStoreUUIDKey: "mine"], for: store)
        #expect(coordinator.metadata(for: store)["colour"] as? String == "red")
        var file = try Coordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: stack.url)
        #expect(file["colour"] == nil)
        stack.context.make("Item")
        try stack.context.save()
        file = try Coordinator.metadataForPersistentStore(type: .sqlite, at: stack.url)
        #expect(file["colour"] as? String == "red" && file["count"] as? Int == 3)
        #expect(file[NSStoreUUIDKey] as? String == identifier)
        #expect(file[NSStoreTypeKey] as? String == NSSQLiteStoreType)
        let hashes = file[NSStoreModelVersionHashesKey] as? [String: Data]
        #expect(hashes == stack.model.entityVersionHashesByName)
        try stack.reopen()
        let reopened = try #require(
            stack.container.persistentStoreCoordinator.persistentStores.first)
        #expect(reopened.metadata["colour"] as? String == "red")
    }

    @Test func the_identity_is_an_implicitly_unwrapped_string() throws {
        let stack = try Stack(ItemModel.make())
        let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
        let identifier: String? = store.identifier
        store.identifier = nil
        #expect(identifier?.count == 36 && store.identifier == identifier)
        // As in Core Data's signature: this compiles for an optional or unwrapped type only.
        let path: ReferenceWritableKeyPath<NSPersistentStore, String?> = \.identifier
        #expect(store[keyPath: path] == identifier)
    }

    @Test func metadata_of_a_file_that_is_not_loaded() throws {
        let stack = try Stack(ItemModel.make())
        let coordinator = stack.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try Coordinator.setMetadata(["a": [1, 2]], type: .sqlite, at: stack.url)
        let file = try Coordinator.metadataForPersistentStore(type: .sqlite, at: stack.url)
        #expect(file["a"] as? [Int] == [1, 2])
        try Coordinator.setMetadata(
            nil, forPersistentStoreOfType: NSSQLiteStoreType, at: stack.url)
        #expect(
            try Coordinator.metadataForPersistentStore(type: .sqlite, at: stack.url)["a"] == nil)
        let nowhere = stack.directory.appendingPathComponent("none.lode")
        #expect(
            code { _ = try Coordinator.metadataForPersistentStore(type: .sqlite, at: nowhere) }
                != nil)
        #expect(
            code { _ = try Coordinator.metadataForPersistentStore(type: .binary, at: stack.url) }
                == 134000)
    }

    @Test func a_destroyed_store_is_gone() throws {
        let stack = try Stack(ItemModel.make())
        stack.context.make("Item")
        try stack.context.save()
        let coordinator = stack.container.persistentStoreCoordinator
        try coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        #expect(coordinator.persistentStores.isEmpty)
        #expect(FileManager.default.fileExists(atPath: stack.url.path))
        #expect(!FileManager.default.fileExists(atPath: stack.url.path + "-lock"))
        try coordinator.destroyPersistentStore(at: stack.url, ofType: NSSQLiteStoreType)
        try stack.reopen()
        #expect(try stack.context.count("Item") == 0)
    }

    @Test func only_a_store_is_destroyed_unless_forced() throws {
        let stack = try Stack(ItemModel.make())
        let coordinator = stack.container.persistentStoreCoordinator
        let file = stack.directory.appendingPathComponent("letter.txt")
        try Data("Dear reader".utf8).write(to: file)
        #expect(code { try coordinator.destroyPersistentStore(at: file, type: .sqlite) } == 134080)
        #expect(FileManager.default.fileExists(atPath: file.path))
        try coordinator.destroyPersistentStore(
            at: file, type: .sqlite,
            options: [NSPersistentStoreForceDestroyOption: true as NSNumber])
        #expect(try Data(contentsOf: file).range(of: Data("Dear reader".utf8)) == nil)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test func descriptions_keep_and_copy_their_settings() throws {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/a.lode"))
        #expect(description.timeout == 240 && description.sqlitePragmas.isEmpty)
        description.timeout = 3
        description.isReadOnly = true
        description.configuration = "Cloud"
        description.setValue("WAL" as NSString, forPragmaNamed: "journal_mode")
        let copy = try #require(description.copy() as? NSPersistentStoreDescription)
        description.setValue(nil, forPragmaNamed: "journal_mode")
        #expect(copy.url?.path == "/a.lode" && copy.timeout == 3 && copy.isReadOnly)
        #expect(copy.configuration == "Cloud")
        #expect(copy.sqlitePragmas == ["journal_mode": "WAL" as NSString])
        #expect(description.sqlitePragmas.isEmpty)
    }

    @Test func blocks_of_a_coordinator_return_and_throw() async throws {
        let coordinator = Coordinator(managedObjectModel: ItemModel.make())
        coordinator.name = "main"
        #expect(coordinator.name == "main")
        #expect(await coordinator.perform { 7 } == 7)
        await #expect(throws: CocoaError.self) {
            try await coordinator.perform { throw CocoaError(.coreData) }
        }
        #expect(coordinator.performAndWait { coordinator.performAndWait { 8 } } == 8)
    }
}
