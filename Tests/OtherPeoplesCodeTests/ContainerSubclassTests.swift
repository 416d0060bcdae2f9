// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

final class LibraryContainer: NSPersistentContainer, @unchecked Sendable {
    // Of all containers, from when the class is first used.
    static let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("LibraryContainer-\(UUID().uuidString)", isDirectory: true)

    override class func defaultDirectoryURL() -> URL { directory }

    private(set) var contextCount = 0

    convenience init() {
        self.init(name: "Books", managedObjectModel: .library)
    }

    override init(name: String, managedObjectModel model: NSManagedObjectModel) {
        super.init(name: name, managedObjectModel: model)
        viewContext.automaticallyMergesChangesFromParent = true
    }

    override func newBackgroundContext() -> NSManagedObjectContext {
        contextCount += 1
        let context = super.newBackgroundContext()
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        context.transactionAuthor = "background"
        return context
    }

    override func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        persistentStoreDescriptions.first?.setOption(
            true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        super.loadPersistentStores(completionHandler: block)
    }
}

@Suite struct ContainerSubclassTests {
    // Without `async`, where the form with a result would be called.
    private func addAuthor(_ container: NSPersistentContainer) {
        container.performBackgroundTask { context in
            Author(context: context).name = "Ann"
            try? context.save()
        }
    }

    @Test func is_where_it_says() async throws {
        let container = LibraryContainer()
        let url = try #require(container.persistentStoreDescriptions.first?.url)
        #expect(url.deletingLastPathComponent().lastPathComponent.hasPrefix("LibraryContainer-"))
        var errors: [any Error] = []
        container.loadPersistentStores { _, error in
            if let error { errors.append(error) }
        }
        #expect(errors.isEmpty)
        defer { try? FileManager.default.removeItem(at: LibraryContainer.directory) }
        #expect(FileManager.default.fileExists(atPath: url.path))
        addAuthor(container)
        let author = try await container.performBackgroundTask { context in
            let author = Author(context: context)
            try context.save()
            return author.objectID
        }
        #expect(container.contextCount == 2)
        #expect(!author.isTemporaryID)
        let history = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        let result = try container.viewContext.execute(history) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        #expect(transactions.last?.author == "background")
        #expect(try container.viewContext.existingObject(with: author) is Author)
    }
}
