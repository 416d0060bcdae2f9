// SPDX-License-Identifier: Apache-2.0

import ObjectTable
import Schema
import Synchronization

/// What threads other than the context's may do with an object: release it, and ask for its
/// context.
extension NSManagedObject {
    // Held while any thread looks up an object's context, so that the context does not end
    // meanwhile.
    private static let lookers = Mutex(())

    /// Leaves the context, when the calling thread is in none of its blocks; for the deinit.
    @inline(never)
    final func depart() {
        departingThread = UInt64(ContextLock.thread)
        // SAFETY: from this exchange to the end of `unregister` or `post` the context does not go
        // on another thread: it meets the object in its cell without a context, and waits. See
        // ObjectRegistry.settle. It may go on this one, as a call may retain it for a moment in
        // which its owner lets go of it: then it has taken the object out, and is not used again.
        guard let context = leaveContext() else { return }
        // Inside already: as in a child that has the parent look something up.
        if context._withUnsafeGuaranteedRef({ $0.unregisterIfInside(self) }) { return }
        if departingThread == 0 { return }
        // Retained, as they are all that is used once the context may go.
        let (lock, departures) = context._withUnsafeGuaranteedRef { ($0.queue.lock, $0.departures) }
        if departingThread == 0 { return }
        let isInside = context._withUnsafeGuaranteedRef { $0.enterIfAtHand() }
        if isInside {
            if departingThread != 0 { context._withUnsafeGuaranteedRef { $0.unregister(self) } }
            lock.leave()
        } else if departingThread != 0 {
            departures.post(self)
        }
    }

    /// The thread that is in the object's deinit; 0 once the object was taken out on it.
    ///
    /// Stored in the place of the stamps, which are no longer read. The context may still write
    /// one, see ObjectRegistry.withObject: a deinit only asks whether this is 0, which no stamp of
    /// a context makes it.
    final var departingThread: UInt64 {
        get { UInt64(boundStamp) << 32 | UInt64(readStamp) }
        set {
            boundStamp = UInt32(truncatingIfNeeded: newValue >> 32)
            readStamp = UInt32(truncatingIfNeeded: newValue)
        }
    }

    /// Takes the context out; `nil` if that has been done already.
    // SAFETY: good for the object's deinit until it has emptied the cell or posted the object: the
    // end of the context waits for that, see ObjectRegistry.settle.
    final func leaveContext() -> Unmanaged<NSManagedObjectContext>? {
        contextWord.exchange(nil, ordering: .acquiringAndReleasing)
    }

    /// The context for a thread that may be in no block of it; `nil` if it is about to go.
    @inline(never)
    final func lookForContext() -> NSManagedObjectContext? {
        NSManagedObject.lookers.withLock { _ in
            // SAFETY: a context that goes takes itself out of its objects and then the lock.
            UncheckedTransfer(contextReference?.living)
        }.value
    }

    /// The ID for a thread that may be in no block of the context.
    final var objectIDOutsideBlocks: NSManagedObjectID {
        guard let context = lookForContext() else {
            // SAFETY: without a context an object is of no thread. Under the lock one thread at a
            // time makes its ID, which any thread may have.
            return NSManagedObject.lookers.withLock { _ in UncheckedTransfer(lastObjectID) }.value
        }
        defer { withExtendedLifetime(context) {} }
        if context.isOnQueue
            || context.queue.directUser.load(ordering: .relaxed) == ContextLock.thread
        {
            return ownObjectID
        }
        // The context's own thread keeps IDs; another one gets a new one, which is equal. The key
        // is asked for last: a save clears the reserved one only when the object has it.
        let key = reservedKey ?? self.key
        return NSManagedObjectID(key: key, runtime: runtime, store: context.home(of: key))
    }

    /// The ID of an object whose context has gone or that never had one.
    private final var lastObjectID: NSManagedObjectID {
        let key = reservedKey ?? self.key
        if let known = extras?.objectID, known.key == key { return known }
        // SAFETY: a context that goes takes itself out of its objects under the lock, which the
        // caller holds; until then it can be asked.
        let store =
            contextReference.map { $0._withUnsafeGuaranteedRef { $0.home(of: key) } }
            ?? FormerStores.store(formerStore)
        let id = NSManagedObjectID(key: key, runtime: runtime, store: store)
        requireExtras().objectID = id
        return id
    }

    /// The number of the store that a saved object is of whose context has gone, see
    /// ``FormerStores``; 0 for none.
    ///
    /// Stored in the place of a stamp: only a context reads stamps, and one that the object comes
    /// into sets them first.
    final var formerStore: UInt32 {
        get { boundStamp }
        set { boundStamp = newValue }
    }

    /// Takes a context that is about to go out of objects, while no thread looks at it.
    static func leaveContext(_ objects: [NSManagedObject]) {
        // SAFETY: the objects are used on this thread only, before `withLock` returns.
        let objects = UncheckedTransfer(objects)
        lookers.withLock { _ in
            for object in objects.value {
                let store = object.formerStore
                object.context = nil
                object.formerStore = store
            }
        }
    }
}

/// The registry of the object's context.
extension NSManagedObject: RegisteredObject {
    @inline(__always) @usableFromInline
    package final func leaveOwner() -> Bool { leaveContext() != nil }

    // Another thread may be writing the mark, but never this thread's.
    @usableFromInline
    package final var isDepartingHere: Bool { departingThread == UInt64(ContextLock.thread) }

    @usableFromInline
    package final func noteDeparture() { departingThread = 0 }

    /// Leaves the context, which cannot find the object any more when it goes.
    @usableFromInline
    package final func dismiss() {
        guard contextReference != nil else { return }
        context = nil
        draft = nil
        flags = []
    }

    /// Further stores are told which of their objects are registered.
    @usableFromInline
    package static func wantsDepartedKey(_ key: ObjectKey) -> Bool { key.isElsewhere }
}
