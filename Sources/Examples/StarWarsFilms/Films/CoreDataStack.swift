// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The store and its view context.
public struct CoreDataStack: Sendable {
    /// The container.
    public let container: NSPersistentContainer

    /// Opens a store, creating it if need be.
    ///
    /// - Parameter url: Where the file is; nil for a store in memory.
    public init(url: URL? = nil) throws {
        container = NSPersistentContainer(name: "Films", managedObjectModel: Film.model)
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: url ?? URL(fileURLWithPath: "/dev/null"))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        container.viewContext.automaticallyMergesChangesFromParent = true
        container.viewContext.undoManager = nil
    }
}
