// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Loading stores: files, memory, read-only, and everything that may be wrong with a file.
@Suite struct ContainerTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("ContainerTests-\(UUID().uuidString)")
    private var url: URL { directory.appendingPathComponent("sub/test.lode") }

    private func container(
        _ model: NSManagedObjectModel = ItemModel.make(), readOnly: Bool = false
    ) -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Test", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.isReadOnly = readOnly
        container.persistentStoreDescriptions = [description]
        return container
    }

    private func loadCode(_ container: NSPersistentContainer) -> Int? {
        code { if let error = load(container) { throw error } }
    }

    private func close(_ container: NSPersistentContainer) throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    private func clean() { try? FileManager.default.removeItem(at: directory) }

    @Test func a_new_container_describes_a_file_of_its_name() {
        let container = NSPersistentContainer(name: "Zoo", managedObjectModel: ItemModel.make())
        #expect(
            container.persistentStoreDescriptions.map { $0.url?.lastPathComponent } == ["Zoo.lode"])
        #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
        #expect(container.newBackgroundContext().concurrencyType == .privateQueueConcurrencyType)
        #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
    }

    @Test func creates_missing_directories_and_tells_each_description() throws {
        defer { clean() }
        let container = container()
        var calls: [String] = []
        container.loadPersistentStores { description, error in
            calls.append("\(description.url!.lastPathComponent) \(error == nil)")
        }
        #expect(calls == ["test.lode true"])
        container.loadPersistentStores { _, _ in calls.append("again") }
        #expect(calls.count == 1)
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        #expect(store.type == NSSQLiteStoreType)
        #expect(store.url == url)
        #expect(!store.isReadOnly)
        #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
    }

    @Test func the_identity_survives_reopening() throws {
        defer { clean() }
        var identities: [String] = []
        for _ in 0..<2 {
            let container = container()
            #expect(load(container) == nil)
            identities += container.persistentStoreCoordinator.persistentStores.map(\.identifier)
            try close(container)
        }
        #expect(identities.count == 2)
        #expect(identities[0] == identities[1])
    }

    @Test func a_read_only_store_can_be_read_but_not_saved() throws {
        defer { clean() }
        let writer = container()
        #expect(load(writer) == nil)
        writer.viewContext.make("Item", ["name": "a"])
        try writer.viewContext.save()
        try close(writer)
        let reader = container(readOnly: true)
        #expect(load(reader) == nil)
        #expect(reader.persistentStoreCoordinator.persistentStores[0].isReadOnly)
        let context = reader.viewContext
        #expect(try context.names("Item", "TRUEPREDICATE") == ["a"])
        let item = try #require(try context.named("a", "Item"))
        item.setValue("b", forKey: "name")
        #expect(code { try context.save() } == 134030)
        #expect(item.isUpdated)
        context.make("Item", ["name": "c"])
        #expect(code { try context.save() } == 134030)
        #expect(context.insertedObjects.count == 1)
        context.rollback()
        #expect(item.text("name") == "a")
    }

    @Test func a_missing_file_cannot_be_opened_read_only() {
        defer { clean() }
        #expect(loadCode(container(readOnly: true)) != nil)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test(arguments: ["/dev/null", NSInMemoryStoreType])
    func a_memory_store_starts_empty_and_keeps_what_is_saved(_ kind: String) throws {
        for _ in 0..<2 {
            let container = NSPersistentContainer(
                name: "Test", managedObjectModel: ItemModel.make())
            let description = container.persistentStoreDescriptions[0]
            if kind == "/dev/null" {
                description.url = URL(fileURLWithPath: kind)
            } else {
                description.type = kind
            }
            #expect(load(container) == nil)
            #expect(try container.viewContext.count("Item") == 0)
            container.viewContext.make("Item", ["name": "a"])
            try container.viewContext.save()
            #expect(try container.newBackgroundContext().count("Item") == 1)
        }
    }

    @Test func a_foreign_file_is_refused_and_left_alone() throws {
        defer { clean() }
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        for text in ["hello", String(repeating: "x", count: 20_000)] {
            try Data(text.utf8).write(to: url)
            #expect(loadCode(container()) == 134080)
            #expect(try Data(contentsOf: url) == Data(text.utf8))
        }
    }

    @Test func a_truncated_file_is_refused() throws {
        defer { clean() }
        let writer = container()
        #expect(load(writer) == nil)
        for number in 0..<2_000 { writer.viewContext.make("Item", ["name": "item \(number)"]) }
        try writer.viewContext.save()
        try close(writer)
        let bytes = try Data(contentsOf: url)
        try bytes.prefix(4_096).write(to: url)
        let found = loadCode(container())
        #expect(found == 134080 || found == 134070)
        #expect(try Data(contentsOf: url).count == 4_096)
    }

    @Test func a_store_of_another_model_is_refused_and_left_alone() throws {
        defer { clean() }
        let writer = container()
        #expect(load(writer) == nil)
        writer.viewContext.make("Item", ["name": "a"])
        try writer.viewContext.save()
        try close(writer)
        let bytes = try Data(contentsOf: url)
        let other = Build.model(Build.entity("Item", [Build.attribute("title")]))
        let refused = container(other)
        refused.persistentStoreDescriptions[0].shouldMigrateStoreAutomatically = false
        let error = load(refused) as? CocoaError
        #expect(error?.errorCode == 134100)
        #expect(error?.userInfo["reason"] as? String == error?.message)
        let metadata = error?.userInfo["metadata"] as? [String: Any]
        #expect(metadata?[NSStoreTypeKey] as? String == "SQLite")
        #expect((metadata?[NSStoreModelVersionHashesKey] as? [String: Data])?.count == 1)
        #expect(refused.persistentStoreCoordinator.persistentStores.isEmpty)
        #expect(try Data(contentsOf: url) == bytes)
        let reader = container()
        #expect(load(reader) == nil)
        #expect(try reader.viewContext.count("Item") == 1)
    }

    @Test func an_unknown_type_is_refused() {
        let container = container()
        container.persistentStoreDescriptions[0].type = "XML"
        #expect(loadCode(container) == 134000)
    }

    @Test func without_a_store_saving_and_fetching_throw() throws {
        let container = container()
        #expect(code { _ = try container.viewContext.all("Item") } == 134070)
        container.viewContext.make("Item")
        #expect(code { try container.viewContext.save() } == 134070)
        #expect(container.viewContext.insertedObjects.count == 1)
    }

    @Test func background_tasks_work_in_both_forms() async throws {
        defer { clean() }
        let container = container()
        #expect(load(container) == nil)
        let count = try await container.performBackgroundTask { context in
            #expect(context.concurrencyType == .privateQueueConcurrencyType)
            context.make("Item", ["name": "async"])
            try context.save()
            return try context.count("Item")
        }
        #expect(count == 1)
        await withCheckedContinuation { continuation in
            container.performBackgroundTask { context in
                context.make("Item", ["name": "block"])
                #expect(code { try context.save() } == nil)
                continuation.resume()
            }
        }
        #expect(try container.viewContext.names("Item", "TRUEPREDICATE") == ["async", "block"])
        await #expect(throws: CocoaError.self) {
            try await container.performBackgroundTask { _ in
                throw CocoaError(.coreData)
            }
        }
    }

    @Test func reading_only_creates_no_folder() {
        let folder = directory.appendingPathComponent("none")
        let reader = container()
        reader.persistentStoreDescriptions[0].url = folder.appendingPathComponent("a.lode")
        reader.persistentStoreDescriptions[0].isReadOnly = true
        #expect(loadCode(reader) == 134070)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func a_folder_that_cannot_be_created() {
        let writer = container()
        writer.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null/a/b.lode")
        #expect(loadCode(writer) == 134080)
    }
}
