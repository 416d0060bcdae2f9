// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

/// A store of a coordinator beside its main one: a second file, or a store of the program's own.
final class FurtherStore: Sendable {
    /// How the store's objects are reached.
    enum Content: Sendable {
        /// A file, read in place and written by the save of the main store.
        case file(FileMapping)
        /// Questions to the store itself.
        case incremental(NSIncrementalStore)
    }

    let tag: Int
    let store: NSPersistentStore
    let content: Content
    /// Which context saved an object last, for stores that do not keep versions of their own.
    // Contexts of any thread save.
    let lastSavers = Mutex<[ObjectKey: ObjectIdentifier]>([:])

    init(tag: Int, _ store: NSPersistentStore, _ content: Content) {
        self.tag = tag
        self.store = store
        self.content = content
    }

    /// The way of a context to the store's objects.
    func makeRows(for context: NSManagedObjectContext) -> any FurtherRows {
        switch content {
        case .incremental(let store): return IncrementalRows(context, self, store)
        case .file(let file):
            if let atomic = store as? NSAtomicStore {
                return AtomicRows(context, self, file, atomic)
            }
            return FileRows(context, self, file)
        }
    }
}
