// SPDX-License-Identifier: Apache-2.0

import Lode

extension NSPersistentContainer {
    /// A container whose store is in memory.
    static func inMemory(
        _ name: String, _ model: NSManagedObjectModel
    ) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: name, managedObjectModel: model)
        container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }
}
