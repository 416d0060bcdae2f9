// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store
import Synchronization

/// The files that this process has open, so that their metadata is read without a second opening.
enum LoadedStores {
    /// A loaded store's entry; it goes with its owner.
    final class Entry: Sendable {
        // Cleared when the store is removed; any thread may look.
        private let opened: Mutex<Store?>

        fileprivate init(_ store: Store) { opened = Mutex(store) }

        var store: Store? { opened.withLock { $0 } }

        func clear() { opened.withLock { $0 = nil } }
    }

    /// Only the entry is weak: a weak reference to a store would slow down its users.
    private struct WeakEntry {
        weak var entry: Entry?
    }

    // Guards the list, to which coordinators of any thread add.
    private static let entries = Mutex<[WeakEntry]>([])

    static func add(_ store: Store) -> Entry {
        let entry = Entry(store)
        entries.withLock { known in
            known.removeAll { $0.entry == nil }
            known.append(WeakEntry(entry: entry))
        }
        return entry
    }

    /// The open store of the file that is at a path, however that is written; or none.
    static func store(at path: String) -> Store? {
        let known = entries.withLock { $0.compactMap(\.entry) }
        return known.lazy.compactMap(\.store).first { $0.isFile(at: path) }
    }
}
