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
        /// What the store was, as far as it was seen.
        var type = ""
        var url: URL?
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
    static func number(of store: NSPersistentStore) -> UInt32 {
        let (type, url) = (store.type, store.url)
        return change(store.identity) { entry in
            (entry.type, entry.url, entry.store) = (type, url, store)
        }
    }

    /// The number of the store of an identity.
    static func number(of identity: String) -> UInt32 { change(identity) { _ in } }

    /// Remembers a store that is about to be removed, for what will stand for it.
    ///
    /// Not the store itself: it has no coordinator any more, and one of the same file may come.
    static func note(_ store: NSPersistentStore) {
        let (type, url) = (store.type, store.url)
        _ = change(store.identity) { ($0.type, $0.url) = (type, url) }
    }

    /// Changes the entry of an identity, which is made if need be; returns its number.
    private static func change(_ identity: String, _ body: (inout Entry) -> Void) -> UInt32 {
        table.withLock { table in
            let position = table.positions[identity] ?? table.entries.count
            if position == table.entries.count {
                table.positions[identity] = position
                table.entries.append(Entry(identity: identity))
            }
            body(&table.entries[position])
            return UInt32(position + 1)
        }
    }

    /// The store of a number; `nil` for 0.
    ///
    /// Once it has gone, another one with its identity, type and place stands for it: that is
    /// enough to tell its objects from others, and to find them in the same file opened again.
    static func store(_ number: UInt32) -> NSPersistentStore? {
        let known = table.withLock { table in
            table.entries[safe: Int(number) - 1]
        }
        guard let known else { return nil }
        if let store = known.store { return store }
        let made = NSPersistentStore(
            persistentStoreCoordinator: nil, configurationName: nil,
            at: URL(fileURLWithPath: "/dev/null"))
        made.change {
            ($0.identifier, $0.type, $0.url) = (known.identity, known.type, known.url)
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
        // Mostly all are of one store.
        var last: (tag: Int, number: UInt32)?
        for object in objects {
            let key = object.storedKey
            if key.isTemporary { continue }
            let tag = key.isElsewhere ? key.tag : 0
            if last?.tag != tag { last = (tag, home(of: key).map(FormerStores.number(of:)) ?? 0) }
            object.formerStore = last?.number ?? 0
        }
        NSManagedObject.leaveContext(objects)
    }

    /// Has objects of removed stores remember them, before anyone asks for their IDs.
    ///
    /// - Parameter lostMainCount: How many main stores had been removed when the objects were read.
    final func rememberRemovedStores(of objects: [NSManagedObject], _ lostMainCount: Int) {
        for object in objects {
            let key = object.storedKey
            let known = object.extras?.objectID
            if known?.key == key, known?.store != nil { continue }
            guard let store = home(of: key, lostMainCount) else { continue }
            object.requireExtras().objectID = NSManagedObjectID(
                key: key, runtime: object.runtime, store: store)
        }
    }

    /// The store that the context has read the object of a permanent key from, for IDs.
    ///
    /// Once that was removed, what stands for it: another main store may have come in its place,
    /// which the context has not looked at yet. May be asked on any thread.
    final func home(of key: ObjectKey) -> NSPersistentStore? { home(of: key, seenMainLosses) }

    /// The number of that store; 0 for none.
    final func storeNumber(of key: ObjectKey) -> UInt32 {
        key.isTemporary ? 0 : home(of: key).map(FormerStores.number(of:)) ?? 0
    }

    private final func home(of key: ObjectKey, _ lostMainCount: Int) -> NSPersistentStore? {
        switch askCoordinator({ $0.home(of: key, lostMainCount) }) ?? nil {
        case .store(let store): store
        case .removed(let identity): FormerStores.store(FormerStores.number(of: identity))
        case nil: nil
        }
    }
}

extension NSPersistentStoreCoordinator {
    fileprivate enum Home {
        case store(NSPersistentStore)
        /// The identity of a store that was removed.
        case removed(String)
    }

    fileprivate final func home(of key: ObjectKey, _ lostMainCount: Int) -> Home? {
        stores.withLock { stores in
            guard key.isElsewhere else {
                return stores.formerMains[safe: lostMainCount].map(Home.removed)
                    ?? stores.main.map(Home.store)
            }
            return stores.further[safe: key.tag - 1].flatMap { $0 }.map { .store($0.store) }
                ?? stores.identifiers[safe: key.tag - 1].map(Home.removed)
        }
    }

    /// Whether a tag was given for a store: keys with it are of no other one here.
    final func hasTag(_ tag: Int, for store: NSPersistentStore) -> Bool {
        stores.withLock { $0.identifiers[safe: tag - 1] } == store.identity
    }
}
