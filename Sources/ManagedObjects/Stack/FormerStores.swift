// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Synchronization

/// The stores of objects that have outlived their contexts.
///
/// Such an object keeps a number, as it has no room for more; it is asked for only when the
/// object's ID is. Without it the ID would name the object of the same row in any store of the
/// model. An entry is a few bytes and stays, so that there is one for each store with such objects.
enum FormerStores {
    private struct Entry {
        let identity: String
        /// The store, or what stands for it once it has gone.
        weak var store: NSPersistentStore?
    }

    private struct Table {
        var entries: [Entry] = []
        var positions: [String: Int] = [:]
    }

    // Contexts of any thread end, and any thread asks for an object's ID.
    private static let table = Mutex(Table())

    /// The number of a store, greater than 0.
    static func number(of store: NSPersistentStore) -> UInt32 { number(of: store.identity, store) }

    /// The number of the store of an identity.
    static func number(of identity: String, _ store: NSPersistentStore? = nil) -> UInt32 {
        table.withLock { table in
            let position = table.positions[identity] ?? table.entries.count
            if position == table.entries.count {
                table.positions[identity] = position
                table.entries.append(Entry(identity: identity))
            }
            if let store { table.entries[position].store = store }
            return UInt32(position + 1)
        }
    }

    /// The store of a number; `nil` for 0.
    ///
    /// Once it has gone, another one with its identity stands for it: that is enough to tell its
    /// objects from others, and to find them in the same file opened again.
    static func store(_ number: UInt32) -> NSPersistentStore? {
        let known = table.withLock { table in
            table.entries[safe: Int(number) - 1].map { ($0.identity, $0.store) }
        }
        guard let (identity, store) = known else { return nil }
        if let store { return store }
        let made = NSPersistentStore(
            persistentStoreCoordinator: nil, configurationName: nil,
            at: URL(fileURLWithPath: "/dev/null"))
        made.change {
            $0.identifier = identity
            $0.url = nil
        }
        return table.withLock { table in
            let other = table.entries[Int(number) - 1].store
            table.entries[Int(number) - 1].store = other ?? made
            return other ?? made
        }
    }
}

extension NSManagedObjectContext {
    /// Lets objects go that outlive the context; they remember their stores.
    final func dismiss(_ objects: [NSManagedObject]) {
        var (mainNumber, last): (UInt32?, (tag: Int, number: UInt32)) = (nil, (0, 0))
        for object in objects {
            let key = object.storedKey
            if key.isTemporary { continue }
            if key.isElsewhere {
                if key.tag != last.tag { last = (key.tag, number(for: key)) }
                object.formerStore = last.number
            } else {
                let number = mainNumber ?? number(for: key)
                mainNumber = number
                object.formerStore = number
            }
        }
        NSManagedObject.leaveContext(objects)
    }

    /// Has objects of removed stores remember them, before anyone asks for their IDs.
    ///
    /// - Parameter lostMainCount: How many main stores had been removed when the objects were read.
    final func rememberRemovedStores(of objects: [NSManagedObject], _ lostMainCount: Int) {
        for object in objects {
            let key = object.storedKey
            if object.extras?.objectID?.key == key { continue }
            guard let number = formerNumber(for: key, lostMainCount) else { continue }
            object.requireExtras().objectID = NSManagedObjectID(
                key: key, runtime: object.runtime, store: FormerStores.store(number))
        }
    }

    private final func number(for key: ObjectKey) -> UInt32 {
        store(of: key).map(FormerStores.number(of:))
            ?? formerNumber(for: key, readPoint.lostMainCount) ?? 0
    }

    /// The number of a removed store that a key was of.
    private final func formerNumber(for key: ObjectKey, _ lostMainCount: Int) -> UInt32? {
        persistentStoreCoordinator?.formerIdentity(of: key, lostMainCount)
            .map { FormerStores.number(of: $0) }
    }
}

extension NSPersistentStoreCoordinator {
    fileprivate final func formerIdentity(of key: ObjectKey, _ lostMainCount: Int) -> String? {
        stores.withLock { stores in
            key.isElsewhere
                ? stores.identifiers[safe: key.tag - 1] : stores.formerMains[safe: lostMainCount]
        }
    }
}
