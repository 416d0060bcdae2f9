// SPDX-License-Identifier: Apache-2.0

import CoreData
import Films
import Synchronization
import Testing

/// A server, a store in memory, a provider between them, and a list that is being watched.
final class Cinema: Sendable {
    let server: LoopbackServer
    let stack: CoreDataStack
    let provider: DataProvider
    private let texts = Mutex<[String]>([])

    private init() throws {
        server = try LoopbackServer()
        stack = try CoreDataStack()
        provider = DataProvider(stack: stack, repository: ApiRepository(url: try server.url))
    }

    /// Runs a body while the list is shown; it has three films unless `isEmpty` says otherwise.
    static func open(isEmpty: Bool = false, _ body: (Cinema) async throws -> Void) async throws {
        let cinema = try Cinema()
        defer { cinema.server.stop() }
        let view = cinema.stack.container.viewContext
        let list = FilmList(stack: cinema.stack) { text in
            cinema.texts.withLock { $0.append(text) }
        }
        try await view.perform { try list.start() }
        if !isEmpty {
            cinema.server.set(.body(FilmFixture.answer(.second, .third, .first)))
            try await cinema.sync(writes: 3)
        }
        _ = await cinema.written()
        do {
            try await body(cinema)
        } catch {
            await view.perform { list.stop() }
            throw error
        }
        // Its objects go on their queue.
        await view.perform { list.stop() }
    }

    /// Syncs, which writes so many films.
    func sync(
        writes expected: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let count = try await provider.sync()
        #expect(count == expected, sourceLocation: sourceLocation)
    }

    /// What the list has written since the last call, once the view context has merged all saves.
    func written() async -> [String] {
        let view = stack.container.viewContext
        return await view.perform(schedule: .enqueued) { [self] in
            view.processPendingChanges()
            return texts.withLock { texts in
                defer { texts = [] }
                return texts
            }
        }
    }

    /// Compares the titles in the store, as a context of its own reads them.
    func expect(
        stored titles: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let context = stack.container.newBackgroundContext()
        let found = try await context.perform {
            let request = NSFetchRequest<Film>(entityName: "Film")
            request.sortDescriptors = [NSSortDescriptor(key: "episode", ascending: true)]
            return try context.fetch(request).map(\.title)
        }
        #expect(found == titles, sourceLocation: sourceLocation)
    }
}
