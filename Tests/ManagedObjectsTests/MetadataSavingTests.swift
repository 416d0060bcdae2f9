// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Metadata is written by the next save, whether or not objects have changed.
@Suite struct MetadataSavingTests {
    init() {
        PropertyListStore.register()
        TableStore.register()
    }

    private func metadata(_ url: URL, _ type: String = NSSQLiteStoreType) throws -> String? {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)["mark"]
            as? String
    }

    private func mark(_ store: NSPersistentStore, _ text: String) {
        store.persistentStoreCoordinator?.setMetadata(["mark": text], for: store)
    }

    @Test func a_save_without_changes_writes_metadata() throws {
        let stack = try Stack(ItemModel.make())
        let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
        mark(store, "one")
        try stack.context.save()
        try stack.reopen()
        #expect(try metadata(stack.url) == "one")
        let again = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
        #expect(again.metadata["mark"] as? String == "one")
        mark(again, "two")
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        mark(again, "three")
        // An equal value: the save has no object to write.
        item.setValue("a", forKey: "name")
        try stack.context.save()
        try stack.reopen()
        #expect(try metadata(stack.url) == "three")
        #expect(try stack.context.count("Item") == 1)
    }

    @Test func a_child_writes_none() throws {
        let stack = try Stack(ItemModel.make())
        let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
        mark(store, "one")
        let child = Stack.child(of: stack.context)
        try child.performAndWait { try child.save() }
        let second = try stack.secondContainer()
        let twin = try #require(second.persistentStoreCoordinator.persistentStores.first)
        #expect(twin.metadata["mark"] == nil)
        try stack.context.save()
        #expect(twin.metadata["mark"] as? String == "one")
    }

    @Test func each_store_of_a_coordinator_keeps_its_own() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil), ("c.plist", nil)])
        for name in ["a.lode", "b.lode", "c.plist"] { mark(try folder.store(name), name) }
        context.make("Note", ["text": "in the first"])
        try context.save()
        #expect(try metadata(folder.url("a.lode")) == "a.lode")
        #expect(try metadata(folder.url("b.lode")) == "b.lode")
        #expect(try metadata(folder.url("c.plist"), "PropertyList") == "c.plist")
        mark(try folder.store("c.plist"), "again")
        try context.save()
        #expect(try metadata(folder.url("c.plist"), "PropertyList") == "again")
    }

    @Test func an_incremental_store_is_asked_to_save_metadata() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.table", nil)])
        let store = try #require(try folder.store("a.table") as? TableStore)
        try context.save()
        #expect(!store.log.contains { $0.hasPrefix("save") })
        mark(store, "one")
        try context.save()
        #expect(store.log.filter { $0.hasPrefix("save") } == ["save 0 0 0"])
        try context.save()
        #expect(store.log.filter { $0.hasPrefix("save") } == ["save 0 0 0"])
    }

    @Test func a_history_tells_nothing_of_metadata() throws {
        let stack = try Stack(ItemModel.make())
        try stack.reopen {
            $0.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        }
        let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
        mark(store, "one")
        try stack.context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        let result = try stack.context.execute(request) as? NSPersistentHistoryResult
        #expect((result?.result as? [NSPersistentHistoryTransaction])?.isEmpty == true)
    }

    @Test func a_read_only_store_refuses_and_stays_as_it_is() throws {
        let stack = try Stack(ItemModel.make())
        try stack.reopen { $0.isReadOnly = true }
        let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
        mark(store, "one")
        #expect(code { try stack.context.save() } == 134030)
        try stack.reopen()
        #expect(try metadata(stack.url) == nil)
    }
}
