// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData
import Synchronization

/// Books in a store that may keep a history and tell of the commits of other processes.
public final class HistoryBooks {
    private let container: NSPersistentContainer
    private let context: NSManagedObjectContext
    private var books: [Book] = []

    /// Opens a file, creating it if there is none.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - keepsHistory: Whether transactions are remembered.
    ///   - tellsOfOthers: Whether remote changes are posted.
    ///   - isSynced: Whether a commit waits for the disk.
    public init(
        path: String, keepsHistory: Bool, tellsOfOthers: Bool = false, isSynced: Bool
    ) throws {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
        description.setOption(keepsHistory as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(
            tellsOfOthers as NSNumber,
            forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        description.setOption(
            (isSynced ? "full" : "none") as NSString, forKey: LodeDurabilityOption)
        container = try NSPersistentContainer(LodeModel.make(), at: [description])
        context = container.newBackgroundContext()
        context.transactionAuthor = "benchmark"
    }

    /// Adds books and saves; returns the seconds of the save.
    public func save(_ rows: ArraySlice<BookRow>, keeps: Bool = false) throws -> Double {
        try context.performAndWait {
            for row in rows {
                let book = Book(context: context)
                book.fill(from: row)
                book.shelf = row.shelf
                if keeps { books.append(book) }
            }
            return try Stopwatch.time { try context.save() }.seconds
        }
    }

    /// Changes one property of the books that were kept; returns the seconds of the save.
    public func saveChanges() throws -> Double {
        try context.performAndWait {
            for book in books { book.year += 1 }
            return try Stopwatch.time { try context.save() }.seconds
        }
    }

    /// Asks to forget the whole history; returns the seconds.
    public func purge() throws -> Double {
        let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
        return try context.performAndWait {
            try Stopwatch.time { _ = try context.execute(request) }.seconds
        }
    }

    /// How many transactions are in the file, purged or not.
    public func historyEntries() throws -> Int {
        let stores = container.persistentStoreCoordinator.persistentStores
        return try stores.reduce(0) { count, store in
            count
                + (try store.statistics().tables.filter { $0.kind == .history }
                    .reduce(0) { $0 + $1.entries })
        }
    }

    /// Runs a body and returns when remote changes were told meanwhile, in monotonic nanoseconds.
    public func noteRemoteChanges(_ body: () throws -> Void) rethrows -> [UInt64] {
        let times = Arrivals()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: container.persistentStoreCoordinator, queue: nil
        ) { _ in times.add(DispatchTime.now().uptimeNanoseconds) }
        defer { NotificationCenter.default.removeObserver(observer) }
        try body()
        // The last one may still be on its way.
        Thread.sleep(forTimeInterval: 0.2)
        return times.all
    }

    /// Lets the coordinator close its store.
    public func close() throws {
        context.performAndWait {
            books = []
            context.reset()
        }
        try container.close()
    }
}

/// When notifications came, on the queue that posts them.
private final class Arrivals: Sendable {
    private let times = Mutex<[UInt64]>([])

    func add(_ time: UInt64) { times.withLock { $0.append(time) } }

    var all: [UInt64] { times.withLock { $0 } }
}
