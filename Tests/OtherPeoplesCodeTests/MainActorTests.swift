// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// A view model, as many programs have it: all of it on the main actor.
@MainActor private final class AuthorList {
    private let container: NSPersistentContainer
    private(set) var names: [String] = []

    init(_ container: NSPersistentContainer) { self.container = container }

    func add(_ name: String) async throws {
        try await container.performBackgroundTask { context in
            let author = Author(context: context)
            author.name = name
            try context.save()
        }
    }

    func count() async throws -> Int {
        try await container.performBackgroundTask { try $0.count(for: Author.fetchRequest()) }
    }

    func reload() async throws {
        let context = container.newBackgroundContext()
        names = try await context.perform {
            try context.fetch(Author.fetchRequest()).compactMap(\.name).sorted()
        }
    }

    func storeCount() async -> Int {
        let coordinator = container.persistentStoreCoordinator
        return await coordinator.perform { coordinator.persistentStores.count }
    }
}

/// What runs elsewhere may be asked for on the main actor.
@Suite struct MainActorTests {
    @Test @MainActor func a_view_model_works_in_the_background() async throws {
        let list = AuthorList(.inMemory())
        try await list.add("Bob")
        try await list.add("Ann")
        #expect(try await list.count() == 2)
        try await list.reload()
        #expect(list.names == ["Ann", "Bob"])
        #expect(await list.storeCount() == 1)
    }
}
