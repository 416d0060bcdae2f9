// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

extension NSManagedObjectContext {
    /// The wrapper from before the framework had one.
    func performAsync<T: Sendable>(_ block: @escaping () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            perform {
                continuation.resume(with: Result { try block() })
            }
        }
    }
}

struct Loader: Sendable {
    let container: NSPersistentContainer

    func load(_ names: [String]) async throws -> [NSManagedObjectID] {
        try await container.performBackgroundTask { context in
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            let authors = names.map { name in
                let author = Author(context: context)
                author.name = name
                return author
            }
            try context.obtainPermanentIDs(for: authors)
            if context.hasChanges { try context.save() }
            return authors.map(\.objectID)
        }
    }

    func importBatch(_ names: [String]) async throws -> Int {
        let context = container.newBackgroundContext()
        return try await context.perform(schedule: .immediate) {
            var index = 0
            let request = NSBatchInsertRequest(
                entity: Author.entity(),
                managedObjectHandler: { object in
                    guard index < names.count else { return true }
                    (object as? Author)?.name = names[index]
                    index += 1
                    return false
                })
            request.resultType = .count
            let result = try context.execute(request) as? NSBatchInsertResult
            return result?.result as? Int ?? -1
        }
    }
}

@Suite struct AsyncWrapperTests {
    @Test func loads_in_the_background() async throws {
        let container = NSPersistentContainer.inMemory()
        let loader = Loader(container: container)
        let ids = try await loader.load(["Ann", "Bob"])
        #expect(ids.count == 2)
        #expect(try await loader.importBatch(["Cid"]) == 1)
        let context = container.newBackgroundContext()
        let names = try await context.performAsync {
            let request = Author.fetchRequest() as NSFetchRequest<Author>
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request).compactMap(\.name)
        }
        #expect(names == ["Ann", "Bob", "Cid"])
        let name = try await context.perform {
            (try context.existingObject(with: ids[1]) as? Author)?.name
        }
        #expect(name == "Bob")
        await #expect(throws: CocoaError.self) {
            try await context.performAsync { throw CocoaError(.userCancelled) }
        }
    }
}
