// SPDX-License-Identifier: Apache-2.0

import Schema

/// Objects whose last reference was released.
extension NSManagedObjectContext {
    /// Takes an object out of the registry, from its deinit on the context's queue.
    @inline(__always)
    final func unregister(_ object: NSManagedObject) {
        registry.remove(object, for: object.key)
        if object.key.isElsewhere { didUnregister(object.key) }
    }

    /// Takes an object out of the registry if the calling thread has entered the context.
    final func unregisterIfInside(_ object: NSManagedObject) -> Bool {
        guard queue.lock.isHeldByCurrentThread else { return false }
        unregister(object)
        return true
    }

    /// Enters the context if the calling thread is the one that uses it outside blocks, and no
    /// other thread is in a block.
    final func enterIfAtHand() -> Bool {
        queue.directUser.load(ordering: .relaxed) == ContextLock.thread && queue.lock.tryToEnter()
    }

    /// Takes objects out of the registry that have gone on other threads.
    @inline(__always)
    final func noticeDepartures() {
        if !departures.isEmpty || !registry.departedKeys.isEmpty { settleDepartures() }
    }

    @inline(never)
    private final func settleDepartures() {
        registry.drain()
        for key in registry.takeDepartedKeys() { didUnregister(key) }
    }
}
