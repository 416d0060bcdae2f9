// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

/// The objects of one registry that were released on a thread which may not change it.
///
/// Such an object posts itself here, as the last thing it does with its owner, and stays in memory,
/// without its values, until the owner's thread has taken it out of the registry.
@usableFromInline
package final class Departures<Object: RegisteredObject>: Sendable {
    /// A deinitialised object whose memory is still there.
    // SAFETY: the object is not used: all that is left of it is an address to compare.
    @usableFromInline
    struct Entry: @unchecked Sendable {
        // SAFETY: `memory` keeps the address from being used again as long as this entry lives.
        @usableFromInline let object: Unmanaged<Object>
        @usableFromInline let key: ObjectKey
        // SAFETY: an unowned count keeps the memory of an object that is gone. Nothing reads it.
        @usableFromInline unowned let memory: Object

        @inlinable
        init(_ object: Object) {
            // SAFETY: the object is in its deinit, see `post`; only its address is used from now
            // on.
            self.object = Unmanaged.passUnretained(object)
            key = object.key
            memory = object
        }
    }

    // Any thread posts; the owner's takes.
    @usableFromInline let entries = Mutex<ContiguousArray<Entry>>([])
    // Spares the owner the lock.
    @usableFromInline let hasEntries = Atomic(false)

    /// Makes an empty list.
    @inlinable
    package init() {}

    /// Whether no object is waiting.
    ///
    /// An outdated answer does no harm: a look-up that finds a departed object waits for its entry.
    @inlinable @inline(__always)
    package var isEmpty: Bool { !hasEntries.load(ordering: .relaxed) }

    /// Posts an object from its deinit.
    @inlinable
    package func post(_ object: Object) {
        let entry = Entry(object)
        entries.withLock { entries in
            entries.append(entry)
            hasEntries.store(true, ordering: .relaxed)
        }
    }

    /// Takes all entries out; the caller keeps them until no cell holds their objects any more.
    @inlinable
    func take() -> ContiguousArray<Entry> {
        entries.withLock { entries in
            hasEntries.store(false, ordering: .relaxed)
            let taken = entries
            entries = []
            return taken
        }
    }
}
