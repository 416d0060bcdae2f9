// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Stores that move to another file, take another's place, or become another kind.
@Suite struct MovingStoreTests {
    init() { PropertyListStore.register() }

    private func filled(_ folder: StoreFolder, _ name: String) throws -> NSManagedObjectContext {
        let context = try folder.open([(name, nil)])
        let author = context.make("Author", ["name": "Austen"])
        let emma = context.make("Book", ["title": "Emma", "year": 1815])
        emma.setValue(author, forKey: "author")
        emma.setValue(
            NSOrderedSet(array: [context.make("Book", ["title": "Sequel"]), emma]),
            forKey: "sequels")
        try context.save()
        return context
    }

    private func check(_ context: NSManagedObjectContext) throws {
        let emma = try #require(
            try context.all("Book", NSPredicate(format: "year == 1815")).first)
        #expect(emma.one("author")?.text("name") == "Austen")
        let sequels = (emma.value(forKey: "sequels") as? NSOrderedSet)?.array ?? []
        #expect(sequels.map { ($0 as? NSManagedObject)?.text("title") } == ["Sequel", "Emma"])
        #expect(try context.count("Book") == 2)
    }

    @Test func a_file_is_saved_under_another_name() throws {
        let folder = try StoreFolder()
        let context = try filled(folder, "a.lode")
        let old = try folder.store("a.lode")
        let emma = try #require(try context.all("Book", NSPredicate(format: "year > 0")).first)
        let uri = emma.objectID.uriRepresentation()
        let new = try folder.coordinator.migratePersistentStore(
            old, to: folder.url("b.lode"), type: .sqlite)
        #expect(folder.coordinator.persistentStores == [new])
        #expect(new.url == folder.url("b.lode") && new.identifier == old.identifier)
        #expect(emma.managedObjectContext == nil)
        try check(context)
        let id = try #require(folder.coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(try context.existingObject(with: id).text("title") == "Emma")
        context.make("Note", ["text": "new"])
        try context.save()
        #expect(
            code {
                try folder.coordinator.migratePersistentStore(
                    new, to: folder.url("a.lode"), type: .sqlite)
            } == 134070)
        #expect(try folder.open([("a.lode", nil)]).count("Note") == 0)
    }

    @Test(arguments: ["b.lode", "b.plist"])
    func metadata_that_was_not_saved_goes_along(name: String) throws {
        let folder = try StoreFolder()
        _ = try folder.open([("a.lode", nil)])
        let old = try folder.store("a.lode")
        folder.coordinator.setMetadata(["colour": "red"], for: old)
        let type = name.hasSuffix("plist") ? "PropertyList" : NSSQLiteStoreType
        let new = try folder.coordinator.migratePersistentStore(
            old, to: folder.url(name), withType: type)
        #expect(new.metadata["colour"] as? String == "red")
        if name.hasSuffix("lode") {
            #expect(
                try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: type, at: folder.url(name))["colour"] as? String == "red")
            _ = try folder.open([(name, nil)])
            #expect(try folder.store(name).metadata["colour"] as? String == "red")
        }
        _ = try folder.open([("a.lode", nil)])
        #expect(try folder.store("a.lode").metadata["colour"] == nil)
    }

    @Test func memory_becomes_a_file() throws {
        let folder = try StoreFolder()
        let context = try filled(folder, "a.memory")
        let old = try #require(folder.coordinator.persistentStores.first)
        try folder.coordinator.migratePersistentStore(
            old, to: folder.url("kept.lode"), withType: NSSQLiteStoreType)
        try check(context)
        try check(try folder.open([("kept.lode", nil)]))
    }

    @Test func kinds_change_object_by_object() throws {
        let folder = try StoreFolder()
        let context = try filled(folder, "a.lode")
        let list = try folder.coordinator.migratePersistentStore(
            try folder.store("a.lode"), to: folder.url("a.plist"), withType: "PropertyList")
        #expect(folder.coordinator.persistentStores == [list])
        try check(context)
        let again = try folder.open([("a.plist", nil)])
        try check(again)
        try folder.coordinator.migratePersistentStore(
            try folder.store("a.plist"), to: folder.url("b.lode"), type: .sqlite)
        try check(again)
        try check(try folder.open([("b.lode", nil)]))
    }

    @Test func a_copy_takes_the_place_of_a_store() throws {
        let folder = try StoreFolder()
        _ = try filled(folder, "a.lode")
        let other = try folder.open([("b.lode", nil)])
        other.make("Note", ["text": "lost"])
        try other.save()
        let coordinator = folder.coordinator
        try coordinator.replacePersistentStore(
            at: folder.url("b.lode"), withPersistentStoreFrom: folder.url("a.lode"),
            ofType: NSSQLiteStoreType)
        #expect(coordinator.persistentStores.isEmpty)
        try check(try folder.open([("b.lode", nil)]))
        #expect(
            code {
                try coordinator.replacePersistentStore(
                    at: folder.url("b.lode"), withPersistentStoreFrom: folder.url("none.lode"),
                    type: .sqlite)
            } != nil)
        try check(try folder.open([("b.lode", nil)]))
        try check(try folder.open([("a.lode", nil)]))
    }

    @Test func the_place_of_an_own_store_changes() throws {
        let folder = try StoreFolder()
        let context = try filled(folder, "a.plist")
        let store = try folder.store("a.plist")
        #expect(folder.coordinator.setURL(folder.url("b.plist"), for: store))
        context.make("Note", ["text": "x"])
        try context.save()
        #expect(FileManager.default.fileExists(atPath: folder.url("b.plist").path))
        let file = try folder.open([("c.lode", nil)])
        #expect(!folder.coordinator.setURL(folder.url("d"), for: try folder.store("c.lode")))
        #expect(try file.count("Note") == 0)
        try folder.coordinator.destroyPersistentStore(
            at: folder.url("b.plist"), ofType: "PropertyList")
        #expect(!FileManager.default.fileExists(atPath: folder.url("b.plist").path))
    }

    @Test func a_store_in_memory_beside_a_file() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("cache.memory", nil)])
        let cache = try #require(folder.coordinator.persistentStores.last)
        let kept = context.make("Note", ["text": "kept"])
        let cached = context.make("Note", ["text": "cached"])
        context.assign(cached, to: cache)
        try context.save()
        #expect(kept.objectID.persistentStore !== cache)
        #expect(try folder.makeContext().values("text", of: "Note") == ["cached", "kept"])
        #expect(try folder.open([("a.lode", nil)]).values("text", of: "Note") == ["kept"])
    }
}
