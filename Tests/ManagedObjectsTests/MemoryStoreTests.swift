// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import ManagedObjects

/// Stores in memory.
@Suite struct MemoryStoreTests {
    private static func container() -> NSPersistentContainer {
        let container = NSPersistentContainer(
            name: "Memory", managedObjectModel: LibraryModel.make())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
        ]
        return container
    }

    @Test func eachHasObjectsOfItsOwn() throws {
        let (first, second) = (MemoryStoreTests.container(), MemoryStoreTests.container())
        #expect(load(first) == nil && load(second) == nil)
        first.viewContext.make("Note", ["text": "one"])
        try first.viewContext.save()
        let other = first.newBackgroundContext()
        let count = try other.performAndWait { try other.count("Note") }
        #expect(count == 1)
        #expect(try second.viewContext.count("Note") == 0)
        let store = try #require(first.persistentStoreCoordinator.persistentStores.first)
        #expect(store.isInMemory && !store.isReadOnly)
    }

    /// More than the first map of a small store, so that it has to grow.
    @Test func itGrows() throws {
        let container = MemoryStoreTests.container()
        #expect(load(container) == nil)
        let context = container.viewContext
        for number in 0..<200 {
            context.make(
                "Book", ["title": "\(number)", "cover": Data(repeating: 7, count: 100_000)])
        }
        try context.save()
        context.reset()
        #expect(try context.count("Book") == 200)
        let book = try #require(try context.all("Book", NSPredicate(format: "title == '99'")).first)
        #expect((book.value(forKey: "cover") as? Data)?.count == 100_000)
    }

    /// Nothing with a name is left, wherever the process is killed.
    @Test(arguments: [0, 200, 1000])
    func aKilledProcessLeavesNothing(microseconds: UInt32) async throws {
        try await withTemporaryDirectory { directory in
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [directory = directory as String, microseconds = microseconds as UInt32] in
                setenv("TMPDIR", directory, 1)
                let container = MemoryStoreTests.container()
                #expect(load(container) == nil)
                container.viewContext.make("Note", ["text": "secret"])
                try container.viewContext.save()
                usleep(microseconds)
                withExtendedLifetime(container) { _ = kill(getpid(), SIGKILL) }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(names == [])
        }
        // Where names may be for a moment, those of other tests too.
        var left: [String] = []
        for _ in 0..<500 {
            let names = try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")
            left = names?.filter { $0.hasPrefix("lode-") } ?? []
            if left.isEmpty { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(left == [])
    }
}
