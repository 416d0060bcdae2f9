// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

actor LibraryStore {
    private let container: NSPersistentContainer
    private let context: NSManagedObjectContext
    private var ids: [String: NSManagedObjectID] = [:]

    init(container: NSPersistentContainer = .inMemory()) {
        self.container = container
        context = container.newBackgroundContext()
    }

    @discardableResult
    func add(_ name: String) throws -> NSManagedObjectID {
        let id = try context.performAndWait {
            let author = Author(context: context)
            author.name = name
            try context.save()
            return author.objectID
        }
        ids[name] = id
        return id
    }

    func rename(_ name: String, to new: String) async throws {
        guard let id = ids.removeValue(forKey: name) else { return }
        try await context.perform { [context] in
            let author = try context.existingObject(with: id) as? Author
            author?.name = new
            try context.save()
        }
        ids[new] = id
    }

    func names() throws -> [String] {
        try context.performAndWait {
            let request = NSFetchRequest<NSDictionary>(entityName: "Author")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name"]
            return try context.fetch(request).compactMap { $0["name"] as? String }.sorted()
        }
    }
}

@MainActor final class LibraryViewModel {
    private(set) var count = 0
    private let container: NSPersistentContainer

    init(container: NSPersistentContainer) { self.container = container }

    func refresh() {
        count = (try? container.viewContext.count(for: Author.fetchRequest())) ?? 0
    }
}

@Suite struct ActorTests {
    @Test func keeps_its_context_to_itself() async throws {
        let container = NSPersistentContainer.inMemory()
        let store = LibraryStore(container: container)
        try await store.add("Ann")
        try await store.add("Bob")
        try await store.rename("Ann", to: "Zoe")
        #expect(try await store.names() == ["Bob", "Zoe"])
        let model = await LibraryViewModel(container: container)
        await model.refresh()
        #expect(await model.count == 2)
    }
}
