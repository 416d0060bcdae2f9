// SPDX-License-Identifier: Apache-2.0

import CoreData

extension NSPersistentContainer {
    /// Opens stores, creating the files that are not there.
    convenience init(
        _ model: NSManagedObjectModel, at descriptions: [NSPersistentStoreDescription]
    ) throws {
        self.init(name: "Benchmark", managedObjectModel: model)
        persistentStoreDescriptions = descriptions
        var failure: (any Error)?
        loadPersistentStores { _, error in failure = failure ?? error }
        if let failure { throw failure }
    }

    /// Opens a store with default options, creating the file if there is none.
    convenience init(_ model: NSManagedObjectModel, at path: String) throws {
        try self.init(model, at: [NSPersistentStoreDescription(url: URL(fileURLWithPath: path))])
    }

    /// Lets the coordinator close its stores.
    func close() throws {
        let coordinator = persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}
