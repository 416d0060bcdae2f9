// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The stack: on disk for the program, in memory for previews and tests.
struct Persistence {
    let container: NSPersistentContainer

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - inMemory: True for a store that is gone with the container.
    ///   - url: Where the file is, for a store on disk.
    init(
        inMemory: Bool = false,
        url: URL = NSPersistentContainer.defaultDirectoryURL()
            .appendingPathComponent("Teams.lode")
    ) throws {
        container = NSPersistentContainer(name: "Teams", managedObjectModel: TeamModel.model)
        container.persistentStoreDescriptions.first?.url =
            inMemory ? URL(fileURLWithPath: "/dev/null") : url
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        container.viewContext.automaticallyMergesChangesFromParent = true
    }

    /// Saves the view context, if there is something to save.
    func save() throws {
        guard container.viewContext.hasChanges else { return }
        try container.viewContext.save()
    }
}
