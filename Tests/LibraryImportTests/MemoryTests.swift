// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import ManagedObjects
import Testing

/// What an import holds in memory depends on the size of its batches, not of its files.
@Suite struct MemoryTests {
    /// Counts the objects that a context of one store knows at each of its saves.
    // Sendable because the thread that imports is the only one that posts, and is the test's.
    private final class Counter: @unchecked Sendable {
        private(set) var most = 0
        private(set) var saves = 0
        private var token: (any NSObjectProtocol)?

        init(_ folder: String) {
            token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
            ) { [unowned self] note in
                guard let context = note.object as? NSManagedObjectContext,
                    let url = context.persistentStoreCoordinator?.persistentStores.first?.url,
                    url.path.hasPrefix(folder)
                else { return }
                most = max(most, context.registeredObjects.count)
                saves += 1
            }
        }

        deinit { token.map { NotificationCenter.default.removeObserver($0) } }
    }

    /// Authors, and ten times as many books, each of an author and a sequel of an earlier book.
    private func files(books: Int) -> [String: String] {
        var authors = "AuthorId,Name\n"
        for row in 1...books / 10 { authors += "\(row),Author \(row)\n" }
        var text = "BookId,Title,AuthorId\n"
        for row in 1...books { text += "\(row),Title \(row),\(1 + row % (books / 10))\n" }
        return ["Author.csv": authors, "Book.csv": text]
    }

    private func most(books: Int) throws -> (objects: Int, saves: Int) {
        var result = (objects: 0, saves: 0)
        try withWorkplace { place throws in
            let files = files(books: books)
            let counts = ["Author \(books / 10)/0/0/0", "Book \(books)/0/0/0"]
            let none = Counter(place.folder)
            #expect(try place.load(files, batchSize: 100).counts == counts)
            // A new store gets records without objects.
            #expect(none.saves == 0)
            try place.remakeStore()
            let counter = Counter(place.folder)
            #expect(try place.load(files, batchSize: 100).counts == counts)
            let again = try place.load(files, batchSize: 100)
            #expect(again.counts == ["Author 0/0/\(books / 10)/0", "Book 0/0/\(books)/0"])
            result = (counter.most, counter.saves)
        }
        return result
    }

    @Test func aFileTenTimesAsLargeNeedsNoMoreObjects() throws {
        let (small, large) = (try most(books: 500), try most(books: 5_000))
        #expect(small.saves >= 6 && large.saves >= 55)
        // A batch, and as many authors as its books have.
        #expect(small.objects <= 200)
        #expect(large.objects <= 200)
    }
}
