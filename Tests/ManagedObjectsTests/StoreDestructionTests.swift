// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// What is left of a store that is destroyed, and who may still use it.
@Suite struct StoreDestructionTests {
    private func exists(_ url: URL, _ suffix: String = "") -> Bool {
        FileManager.default.fileExists(atPath: url.path + suffix)
    }

    private func filled() throws -> Stack {
        let stack = try Stack(ItemModel.make())
        stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        return stack
    }

    @Test func an_empty_file_is_left_that_can_be_removed() throws {
        let stack = try filled()
        let coordinator = stack.container.persistentStoreCoordinator
        try coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        #expect(exists(stack.url) && !exists(stack.url, "-lock") && !exists(stack.url, "-open"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: stack.directory.path).count == 1)
        try FileManager.default.removeItem(at: stack.url)
        #expect(!exists(stack.url))
    }

    @Test func what_a_killed_process_left_goes_with_the_next_replacement() throws {
        let stack = try filled()
        let coordinator = stack.container.persistentStoreCoordinator
        let name = stack.url.lastPathComponent
        let left = ".\(name).new-0F0E0D0C-0B0A-4908-8706-050403020100"
        let others = [
            ".\(name).new-1", "\(name)-0F0E0D0C-0B0A-4908-8706-050403020100", left + "-x",
        ]
        for file in [left, left + "-lock", left + "-open"] + others {
            try Data("x".utf8).write(to: stack.directory.appendingPathComponent(file))
        }
        try coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: stack.directory.path).sorted()
                == (others + [name]).sorted())
    }

    /// As where another process is just making its copy.
    @Test func what_a_living_process_makes_stays() throws {
        let stack = try filled()
        let coordinator = stack.container.persistentStoreCoordinator
        let other = ".\(stack.url.lastPathComponent).new-0F0E0D0C-0B0A-4908-8706-050403020100"
        try Data("x".utf8).write(to: stack.directory.appendingPathComponent(other))
        let folder = open(stack.directory.path, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        try #require(flock(folder, LOCK_SH | LOCK_NB) == 0)
        try coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        #expect(exists(stack.directory.appendingPathComponent(other)))
    }

    /// Destroying a store is what makes room there.
    @Test func a_store_on_a_full_disk_is_destroyed() async throws {
        let stack = try Stack(ItemModel.make())
        let folder = stack.directory.appendingPathComponent("disk").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            guard let disk = SmallDisk(on: folder, byteCount: 1 << 20) else { return }
            let url = URL(fileURLWithPath: folder + "/items.lode")
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ItemModel.make())
            try coordinator.addPersistentStore(type: .sqlite, at: url)
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            context.make("Item", ["name": "a"])
            try context.save()
            disk.fill()
            let copy = URL(fileURLWithPath: folder + "/copy.lode")
            do {
                try coordinator.replacePersistentStore(
                    at: copy, withPersistentStoreFrom: url, type: .sqlite)
                Issue.record("there was no room")
            } catch let error as CocoaError {
                #expect(
                    error.message == copy.path + ": Copying failed: No space left on device. "
                        + "Free some disk space, then repeat the write.")
            }
            try coordinator.destroyPersistentStore(at: url, type: .sqlite)
            try coordinator.destroyPersistentStore(at: url, type: .sqlite)
            #expect(
                code {
                    _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                        type: .sqlite, at: url)
                } == 134080)
            // It had a quarter of this disk.
            try coordinator.addPersistentStore(type: .sqlite, at: url)
            #expect(try context.count("Item") == 0)
            context.make("Item")
            try context.save()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4)
        }
    }

    @Test func an_empty_file_is_no_store_until_one_is_added() throws {
        let stack = try filled()
        let coordinator = stack.container.persistentStoreCoordinator
        try coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        #expect(
            code {
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    type: .sqlite, at: stack.url)
            } == 134080)
        try coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        try stack.reopen()
        #expect(try stack.context.count("Item") == 0)
        stack.context.make("Item")
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.count("Item") == 1)
    }

    @Test func a_store_that_is_open_with_other_options_is_destroyed() throws {
        let stack = try filled()
        try stack.reopen { $0.isReadOnly = true }
        let other = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try other.destroyPersistentStore(at: stack.url, type: .sqlite)
        // A program that has it open keeps its contents.
        #expect(try stack.context.count("Item") == 1)
        try other.addPersistentStore(type: .sqlite, at: stack.url)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = other
        #expect(try context.count("Item") == 0)
    }

    @Test func a_context_that_goes_is_not_in_the_way() throws {
        let stack = try filled()
        let holder = NSPersistentContainer(name: "Holder", managedObjectModel: stack.model)
        let description = NSPersistentStoreDescription(url: stack.url)
        description.isReadOnly = true
        holder.persistentStoreDescriptions = [description]
        for store in stack.container.persistentStoreCoordinator.persistentStores {
            try stack.container.persistentStoreCoordinator.remove(store)
        }
        #expect(load(holder) == nil)
        let context = holder.newBackgroundContext()
        let items = try context.performAndWait { try context.all("Item") }
        try stack.container.persistentStoreCoordinator.destroyPersistentStore(
            at: stack.url, type: .sqlite)
        context.performAndWait { #expect(items.map { $0.text("name") } == ["a"]) }
        try stack.reopen()
        #expect(try stack.context.count("Item") == 0)
    }

    @Test func a_destroyed_store_is_replaced_and_migrated_to() throws {
        let stack = try filled()
        let coordinator = stack.container.persistentStoreCoordinator
        let place = stack.directory.appendingPathComponent("place.lode")
        let store = try coordinator.addPersistentStore(type: .sqlite, at: place)
        try coordinator.remove(store)
        try coordinator.destroyPersistentStore(at: place, type: .sqlite)
        let main = try #require(coordinator.persistentStores.first)
        let moved = try coordinator.migratePersistentStore(main, to: place, type: .sqlite)
        #expect(moved.url == place)
        #expect(try stack.container.newBackgroundContext().count("Item") == 1)
        try coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        try coordinator.replacePersistentStore(
            at: stack.url, withPersistentStoreFrom: place, type: .sqlite)
        try stack.reopen()
        #expect(try stack.context.count("Item") == 1)
    }

    @Test func a_file_behind_a_link_is_emptied() throws {
        let stack = try filled()
        let link = stack.directory.appendingPathComponent("link.lode")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: stack.url)
        let coordinator = stack.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try coordinator.destroyPersistentStore(at: link, type: .sqlite)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) != "")
        try stack.reopen()
        #expect(try stack.context.count("Item") == 0)
    }

    @Test func a_store_behind_a_link_is_replaced() throws {
        let stack = try filled()
        let place = stack.directory.appendingPathComponent("place.lode")
        let link = stack.directory.appendingPathComponent("link.lode")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try coordinator.remove(try coordinator.addPersistentStore(type: .sqlite, at: place))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place)
        try coordinator.replacePersistentStore(
            at: link, withPersistentStoreFrom: stack.url, type: .sqlite)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) != "")
        for url in [place, link] {
            let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            #expect(try context.performAndWait { try context.count("Item") } == 1)
            try coordinator.remove(store)
        }
    }

    @Test func a_store_that_replaces_itself_by_a_link_is_kept() throws {
        let stack = try filled()
        let link = stack.directory.appendingPathComponent("link.lode")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: stack.url)
        let coordinator = stack.container.persistentStoreCoordinator
        try coordinator.replacePersistentStore(
            at: link, withPersistentStoreFrom: stack.url, type: .sqlite)
        try stack.reopen()
        #expect(try stack.context.count("Item") == 1)
    }

    @Test func a_file_keeps_its_permissions() throws {
        let stack = try filled()
        func mode(_ url: URL) throws -> Int? {
            let found = try FileManager.default.attributesOfItem(atPath: url.path)
            return (found[.posixPermissions] as? NSNumber)?.intValue
        }
        func protect(_ url: URL) throws {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: url.path)
        }
        let coordinator = stack.container.persistentStoreCoordinator
        let place = stack.directory.appendingPathComponent("place.lode")
        try coordinator.replacePersistentStore(
            at: place, withPersistentStoreFrom: stack.url, type: .sqlite)
        try protect(place)
        try coordinator.replacePersistentStore(
            at: place, withPersistentStoreFrom: stack.url, type: .sqlite)
        #expect(try mode(place) == 0o600)
        try protect(stack.url)
        let moved = stack.directory.appendingPathComponent("moved.lode")
        let main = try #require(coordinator.persistentStores.first)
        try coordinator.migratePersistentStore(main, to: moved, type: .sqlite)
        #expect(try mode(moved) == 0o600)
        try coordinator.destroyPersistentStore(at: moved, type: .sqlite)
        #expect(try mode(moved) == 0o600)
    }

    @Test func what_cannot_be_copied_leaves_no_folder() throws {
        let stack = try filled()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        let folder = stack.directory.appendingPathComponent("folder")
        #expect(throws: CocoaError.self) {
            try coordinator.replacePersistentStore(
                at: folder.appendingPathComponent("a.lode"),
                withPersistentStoreFrom: stack.directory.appendingPathComponent("none.lode"),
                type: .sqlite)
        }
        #expect(!exists(folder))
    }

    @Test func what_is_open_is_not_what_the_path_leads_to() throws {
        let stack = try filled()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        // The stack's own coordinator still has the former file open.
        func identity() throws -> String? {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(
                type: .sqlite, at: stack.url)[NSStoreUUIDKey] as? String
        }
        #expect(throws: CocoaError.self) { try identity() }
        #expect(throws: CocoaError.self) { try NSManagedObjectModel.stored(at: stack.url) }
        let place = stack.directory.appendingPathComponent("place.lode")
        #expect(throws: CocoaError.self) {
            try coordinator.replacePersistentStore(
                at: place, withPersistentStoreFrom: stack.url, type: .sqlite)
        }
        let new = try coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        #expect(try identity() == new.identifier)
        try NSPersistentStoreCoordinator.setMetadata(["a": 1], type: .sqlite, at: stack.url)
        #expect(coordinator.metadata(for: new)["a"] as? Int == 1)
        #expect(try stack.context.count("Item") == 1)
    }
}
