// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// Keeps nothing, and overrides the initialiser as one does with the framework.
final class NoticeStore: NSAtomicStore, @unchecked Sendable {
    let notice: String

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
        configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        notice = "for \(url.lastPathComponent)"
        super.init(
            persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        [NSStoreTypeKey: "Notice", NSStoreUUIDKey: "notice"]
    }

    override var type: String { "Notice" }
    override func load() throws {}
    override func save() throws {}
}

/// Has a property, and leaves the initialiser as it is.
final class EmptyStore: NSIncrementalStore, @unchecked Sendable {
    private let lock = NSLock()
    private(set) var requests = 0

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: "Empty", NSStoreUUIDKey: "empty"]
    }

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        lock.withLock { requests += 1 }
        return [Any]()
    }
}

@Suite struct StoreSubclassTests {
    private func add(_ type: NSPersistentStore.Type, _ name: String) throws -> NSPersistentStore {
        NSPersistentStoreCoordinator.registerStoreClass(type, forStoreType: name)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: .library)
        let store = try coordinator.addPersistentStore(
            ofType: name, configurationName: nil, at: URL(fileURLWithPath: "/nowhere/\(name)"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let found = try context.performAndWait {
            try context.fetch(NSFetchRequest<Author>(entityName: "Author"))
        }
        #expect(found.isEmpty)
        return store
    }

    @Test func with_an_initialiser() throws {
        let store = try add(NoticeStore.self, "Notice") as? NoticeStore
        #expect(store?.notice == "for Notice" && store?.type == "Notice")
    }

    @Test func without_an_initialiser() throws {
        let store = try add(EmptyStore.self, "Empty") as? EmptyStore
        #expect(store?.requests == 1)
    }
}
