// SPDX-License-Identifier: Apache-2.0

import CSwiftRuntime
import Schema

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Objects whose last reference was released on another thread than the owner's.
///
/// Two sides may empty the cell of such an object: its deinit, which posts the object to
/// ``Departures``, or a look-up that finds the object in the cell. Each first takes the owner out
/// of the object by an atomic exchange, and the first one wins. If the deinit comes second, it
/// finds no owner and leaves it alone. So
/// - the memory of the object in a cell is there: a deinit returns, and frees it, only once it has
///   emptied the cell, found it emptied, or posted an entry, which keeps the memory until the cell
///   is empty;
/// - no deinit touches an owner that has emptied all its cells, as the end of a context does.
extension ObjectRegistry {
    /// Empties the cell of an object that is not living.
    // SAFETY: the caller has found the object in a cell, so its memory is there until this thread
    // takes what the deinit has posted.
    @inlinable @inline(never)
    mutating func settle(_ object: Unmanaged<Object>, _ key: ObjectKey) {
        // SAFETY: the deinit has not returned or an entry keeps the memory. Once an exchange has
        // come first the deinit may return at any time, hence a count of its own.
        swift_unownedRetain(object.toOpaque())
        let hasLeft = object._withUnsafeGuaranteedRef { $0.leaveOwner() }
        // A deinit further up on this thread, which has held the last reference to the owner for
        // a moment, cannot be waited for: it goes on when this returns, and finds the mark.
        let isOwn = !hasLeft && object._withUnsafeGuaranteedRef { $0.isDepartingHere }
        if isOwn { object._withUnsafeGuaranteedRef { $0.noteDeparture() } }
        swift_unownedRelease(object.toOpaque())
        if hasLeft || isOwn { return depart(object, key) }
        // Between its exchange and its post a deinit runs no other code and does not wait.
        while !drain(until: object) { sched_yield() }
    }

    /// Empties the cell of an object that has gone on another thread.
    // SAFETY: an address to compare.
    @inlinable
    mutating func depart(_ object: Unmanaged<Object>, _ key: ObjectKey) {
        if remove(object, for: key), Object.wantsDepartedKey(key) { departedKeys.append(key) }
    }

    /// Empties the cells of the objects that were posted.
    @inlinable
    package mutating func drain() { drain(until: nil) }

    /// Empties the cells of the objects that were posted; whether an awaited one is among them.
    // SAFETY: an address to compare.
    @inlinable @discardableResult
    mutating func drain(until awaited: Unmanaged<Object>?) -> Bool {
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

    /// The keys that the owner wants, of objects that went on other threads, once.
    @inlinable
    package mutating func takeDepartedKeys() -> ContiguousArray<ObjectKey> {
        defer { departedKeys = [] }
        return departedKeys
    }
}
