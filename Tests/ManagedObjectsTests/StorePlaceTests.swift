// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Places where no store can be, and other names of those where one is.
@Suite struct StorePlaceTests {
    private typealias Coordinator = NSPersistentStoreCoordinator

    private func filled() throws -> Stack {
        let stack = try Stack(ItemModel.make())
        stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        return stack
    }

    private func isPipe(_ url: URL) -> Bool {
        var status = stat()
        return stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    @Test func what_is_no_regular_file_stays() throws {
        let stack = try filled()
        let pipe = stack.directory.appendingPathComponent("pipe")
        let link = stack.directory.appendingPathComponent("link")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: pipe)
        let coordinator = Coordinator(managedObjectModel: stack.model)
        for url in [pipe, link] {
            let forced = [NSPersistentStoreForceDestroyOption: true as NSNumber]
            #expect(
                code {
                    try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: forced)
                } == 134070)
            #expect(
                code {
                    try coordinator.replacePersistentStore(
                        at: url, withPersistentStoreFrom: stack.url, type: .sqlite)
                } == 134070)
            #expect(isPipe(url))
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == pipe.path)
    }

    /// A type of the program's own may keep a folder; a device or a pipe it has not made.
    @Test func the_folder_of_an_own_type_goes() throws {
        TableStore.register()
        let stack = try filled()
        let coordinator = Coordinator(managedObjectModel: stack.model)
        let forced = [NSPersistentStoreForceDestroyOption: true as NSNumber]
        let folder = stack.directory.appendingPathComponent("folder")
        let inside = folder.appendingPathComponent("table")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data([1]).write(to: inside)
        #expect(
            code {
                try coordinator.destroyPersistentStore(at: folder, type: .sqlite, options: forced)
            } == 134070)
        #expect(FileManager.default.fileExists(atPath: inside.path))
        try coordinator.destroyPersistentStore(at: folder, ofType: "Table", options: forced)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    /// Whatever the type: files are copied and deleted.
    @Test func an_own_type_does_not_touch_files_for_a_server() throws {
        TableStore.register()
        let stack = try filled()
        let server = try #require(URL(string: "http://localhost" + stack.url.path))
        let coordinator = Coordinator(managedObjectModel: stack.model)
        let before = try Data(contentsOf: stack.url)
        #expect(
            code {
                try coordinator.replacePersistentStore(
                    at: server, withPersistentStoreFrom: stack.url, ofType: "Table")
            } == 134080)
        let forced = [NSPersistentStoreForceDestroyOption: true as NSNumber]
        try coordinator.destroyPersistentStore(at: server, ofType: "Table", options: forced)
        #expect(try Data(contentsOf: stack.url) == before)
    }

    @Test func a_url_of_a_server_names_no_file_here() throws {
        let stack = try filled()
        let other = try #require(URL(string: "http://localhost" + stack.url.path))
        let new = try #require(URL(string: "http://localhost" + stack.url.path + "-new"))
        let coordinator = Coordinator(managedObjectModel: stack.model)
        let own = stack.container.persistentStoreCoordinator
        let attempts: [() throws -> Void] = [
            { _ = try Coordinator.metadataForPersistentStore(type: .sqlite, at: other) },
            { try Coordinator.setMetadata([:], type: .sqlite, at: other) },
            { _ = try NSManagedObjectModel.stored(at: other) },
            { try NSPersistentStore.verify(at: other) },
            { try coordinator.destroyPersistentStore(at: other, type: .sqlite) },
            {
                try coordinator.replacePersistentStore(
                    at: new, withPersistentStoreFrom: stack.url, type: .sqlite)
            },
            {
                try coordinator.replacePersistentStore(
                    at: stack.url, withPersistentStoreFrom: other, type: .sqlite)
            },
            {
                try own.migratePersistentStore(
                    #require(own.persistentStores.first), to: new, type: .sqlite)
            },
        ]
        for attempt in attempts { #expect(code(attempt) == 134080) }
        #expect(try stack.context.count("Item") == 1)
        #expect(!FileManager.default.fileExists(atPath: new.path))
    }

    @Test func metadata_of_an_open_store_is_read_by_each_of_its_names() throws {
        let stack = try filled()
        let symbolic = stack.directory.appendingPathComponent("symbolic")
        let hard = stack.directory.appendingPathComponent("hard")
        try FileManager.default.createSymbolicLink(at: symbolic, withDestinationURL: stack.url)
        try FileManager.default.linkItem(at: stack.url, to: hard)
        let identity = try #require(
            stack.container.persistentStoreCoordinator.persistentStores.first?.identifier)
        for url in [stack.url, symbolic, hard] {
            let metadata = try Coordinator.metadataForPersistentStore(type: .sqlite, at: url)
            #expect(metadata[NSStoreUUIDKey] as? String == identity)
            #expect(try NSManagedObjectModel.stored(at: url).entities.count == 1)
        }
    }
}
