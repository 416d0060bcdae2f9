// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// Two contexts on one store, both of which have read the same items.
final class ConflictPair {
    let stack: Stack
    let other: NSManagedObjectContext
    private var mine: [String: NSManagedObject] = [:]
    private var theirs: [String: NSManagedObject] = [:]

    /// Makes a store with items of the names and the numbers 1, 2, 3….
    init(_ names: [String], policy: Any = NSErrorMergePolicy) throws {
        stack = try Stack(ItemModel.make())
        other = stack.container.newBackgroundContext()
        for (index, name) in names.enumerated() {
            mine[name] = stack.context.make("Item", ["name": name, "number": index + 1])
        }
        try stack.context.save()
        for (name, object) in mine {
            _ = object.text("name")
            theirs[name] = try other.existingObject(with: object.objectID)
        }
        stack.context.mergePolicy = policy
    }

    var context: NSManagedObjectContext { stack.context }

    func mine(_ name: String) -> NSManagedObject { known(mine, name) }
    func theirs(_ name: String) -> NSManagedObject { known(theirs, name) }

    private func known(_ items: [String: NSManagedObject], _ name: String) -> NSManagedObject {
        guard let item = items[name] else { preconditionFailure("no item \(name)") }
        return item
    }

    /// Name and number of an item as a new context reads them; empty when it is gone.
    func stored(_ name: String) throws -> [String] {
        let key = mine(name).objectID.uriRepresentation().lastPathComponent
        return try stack.reading { context in
            try context.all("Item")
                .filter { $0.objectID.uriRepresentation().lastPathComponent == key }
                .map { "\($0.text("name")) \($0.number("number"))" }
        }
    }
}

extension Stack {
    /// Reads with a new context, which objects do not keep alive by themselves.
    func reading<Result>(_ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
        let context = container.newBackgroundContext()
        return try withExtendedLifetime(context) { try body(context) }
    }

    /// Another coordinator on the same file, as another process would have.
    func secondContainer() throws -> NSPersistentContainer {
        let second = NSPersistentContainer(name: "Second", managedObjectModel: model)
        second.persistentStoreDescriptions = [makeDescription()]
        if let error = load(second) { throw error }
        return second
    }
}
