// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Saves that have nothing to write, or metadata only.
@Suite struct EmptySaveTests {
    @Test func a_save_without_changes_is_told() throws {
        let stack = try Stack(ItemModel.make())
        for context in [
            stack.container.newBackgroundContext(), Stack.child(of: stack.context),
        ] {
            let saves = SetRecorder(.NSManagedObjectContextDidSave, context)
            let identifiers = SetRecorder(.NSManagedObjectContextDidSaveObjectIDs, context)
            let starts = SetRecorder(.NSManagedObjectContextWillSave, context)
            try context.save()
            #expect(saves.sets == [[:]] && identifiers.sets == [[:]] && starts.sets.isEmpty)
        }
    }

    @Test func a_save_behind_a_merge_is_told() throws {
        let stack = try Stack(ItemModel.make())
        let (one, two) = (stack.context, stack.container.newBackgroundContext())
        let item = one.make("Item", ["name": "a"])
        try one.save()
        let twin = try two.existingObject(with: item.objectID)
        twin.setValue("b", forKey: "name")
        try two.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: [item.objectID]], into: [one])
        let saves = SetRecorder(.NSManagedObjectContextDidSave, one)
        try one.save()
        #expect(saves.sets == [[:]])
        #expect(item.text("name") == "b")
    }

    @Test(arguments: ["main.lode", "further.lode"])
    func metadata_alone_is_written(name: String) throws {
        let folder = try StoreFolder()
        let context = try folder.open([("main.lode", "Notes"), ("further.lode", "Catalogue")])
        try folder.store(name).metadata = ["colour": "red"]
        #expect(!context.hasChanges)
        try context.save()
        for store in folder.coordinator.persistentStores { try folder.coordinator.remove(store) }
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: folder.url(name))
        #expect(read["colour"] as? String == "red")
    }

    @Test(arguments: ["main.lode", "further.lode"])
    func metadata_is_written_beside_objects_of_another_store(name: String) throws {
        let folder = try StoreFolder()
        let context = try folder.open([("main.lode", "Notes"), ("further.lode", "Catalogue")])
        try folder.store(name).metadata = ["colour": "red"]
        context.make(name == "main.lode" ? "Author" : "Note")
        try context.save()
        for store in folder.coordinator.persistentStores { try folder.coordinator.remove(store) }
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: folder.url(name))
        #expect(read["colour"] as? String == "red")
    }

    @Test func metadata_of_stores_of_the_program_itself() throws {
        TableStore.register()
        PropertyListStore.register()
        let folder = try StoreFolder()
        let context = try folder.open([("notes.plist", "Notes"), ("books.table", "Catalogue")])
        let table = try #require(try folder.store("books.table") as? TableStore)
        let list = try folder.store("notes.plist")
        table.log = []
        try context.save()
        #expect(table.log.isEmpty)
        table.metadata["colour"] = "red"
        list.metadata["colour"] = "blue"
        try context.save()
        #expect(table.log == ["save 0 0 0"])
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: "PropertyList", at: folder.url("notes.plist"))
        #expect(read["colour"] as? String == "blue")
        try context.save()
        #expect(table.log == ["save 0 0 0"])
    }
}

/// Who posts what of stores.
@Suite struct StoreNotificationTests {
    @Test func a_store_that_is_about_to_go_posts_that_itself() throws {
        let stack = try Stack(ItemModel.make())
        let coordinator = stack.container.persistentStoreCoordinator
        let store = coordinator.persistentStores[0]
        // Posted and read on this thread.
        nonisolated(unsafe) var told: [NSPersistentStore] = []
        let token = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: store, queue: nil
        ) { note in
            if let store = note.object as? NSPersistentStore { told.append(store) }
        }
        try coordinator.remove(store)
        NotificationCenter.default.removeObserver(token)
        #expect(told.map(ObjectIdentifier.init) == [ObjectIdentifier(store)])
    }
}
