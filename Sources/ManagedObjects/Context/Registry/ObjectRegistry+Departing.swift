// SPDX-License-Identifier: Apache-2.0

import CSwiftRuntime
import Foundation
import Schema

/// Objects whose last reference was released on another thread than the context's.
///
/// Two sides may empty the cell of such an object: its deinit, which posts the object to
/// ``Departures``, or a look-up that finds the object in the cell. Each first takes the context out
/// of the object's `contextWord` by an atomic exchange, and the first one wins. If the deinit comes
/// second, it finds no context and leaves it alone. So
/// - the memory of the object in a cell is there: a deinit returns, and frees it, only once it has
///   emptied the cell, found it emptied, or posted an entry, which keeps the memory until the cell
///   is empty;
/// - no deinit touches a context that has emptied all its cells, as the end of a context does.
extension ObjectRegistry {
    /// Empties the cell of an object that is not living.
    // SAFETY: the caller has found the object in a cell, so its memory is there until this thread
    // takes what the deinit has posted.
    @inline(never)
    mutating func settle(_ object: Unmanaged<NSManagedObject>, _ key: ObjectKey) {
        // SAFETY: the deinit has not returned or an entry keeps the memory. Once an exchange has
        // come first the deinit may return at any time, hence a count of its own.
        swift_unownedRetain(object.toOpaque())
        let context = object._withUnsafeGuaranteedRef { $0.leaveContext() }
        // A deinit further up on this thread, which has held the last reference to the context for
        // a moment, cannot be waited for: it goes on when this returns, and finds the mark.
        let isOwn = context == nil && isDepartingHere(object)
        if isOwn { object._withUnsafeGuaranteedRef { $0.departingThread = 0 } }
        swift_unownedRelease(object.toOpaque())
        if context != nil || isOwn { return depart(object, key) }
        // Between its exchange and its post a deinit runs no other code and does not wait.
        while !drain(until: object) { sched_yield() }
    }

    /// Whether the calling thread is in the deinit of an object.
    // SAFETY: `settle` keeps the memory. Another thread may be writing the mark, but never this
    // thread's.
    private func isDepartingHere(_ object: Unmanaged<NSManagedObject>) -> Bool {
        object._withUnsafeGuaranteedRef { $0.departingThread } == UInt64(ContextLock.thread)
    }

    /// Empties the cells of the objects that were posted; whether an awaited one is among them.
    // SAFETY: an address to compare.
    @discardableResult
    mutating func drain(until awaited: Unmanaged<NSManagedObject>? = nil) -> Bool {
        var isDone = false
        let entries = departures.take()
        for entry in entries {
            depart(entry.object, entry.key)
            if entry.object.toOpaque() == awaited?.toOpaque() { isDone = true }
        }
        // SAFETY: no cell holds the objects any more when their memory goes with the entries.
        withExtendedLifetime(entries) {}
        return isDone
    }
}
