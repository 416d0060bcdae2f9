// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

/// The objects of one context that were released on a thread which was in none of its blocks.
///
/// Only the context's own thread changes its registry. So such an object posts itself here, as the
/// last thing it does with the context, and stays in memory, without its values, until the context
/// has taken it out of the registry.
final class Departures: Sendable {
    /// A deinitialised object whose memory is still there.
    // SAFETY: the object is not used: all that is left of it is an address to compare.
    struct Entry: @unchecked Sendable {
        // SAFETY: `memory` keeps the address from being used again as long as this entry lives.
        let object: Unmanaged<NSManagedObject>
        let key: ObjectKey
        // SAFETY: an unowned count keeps the memory of an object that is gone. Nothing reads it.
        private unowned let memory: NSManagedObject

        init(_ object: NSManagedObject) {
            // SAFETY: the object is in its deinit, see `post`; only its address is used from now
            // on.
            self.object = Unmanaged.passUnretained(object)
            key = object.key
            memory = object
        }
    }

    // Any thread posts; the context's own takes.
    private let entries = Mutex<ContiguousArray<Entry>>([])
    // Spares the context the lock.
    private let hasEntries = Atomic(false)

    /// Whether no object is waiting.
    ///
    /// An outdated answer does no harm: a look-up that finds a departed object waits for its entry.
    @inline(__always)
    var isEmpty: Bool { !hasEntries.load(ordering: .relaxed) }

    /// Posts an object from its deinit.
    func post(_ object: NSManagedObject) {
        let entry = Entry(object)
        entries.withLock { entries in
            entries.append(entry)
            hasEntries.store(true, ordering: .relaxed)
        }
    }

    /// Takes all entries out; the caller keeps them until no cell holds their objects any more.
    func take() -> ContiguousArray<Entry> {
        entries.withLock { entries in
            hasEntries.store(false, ordering: .relaxed)
            let taken = entries
            entries = []
            return taken
        }
    }
}
