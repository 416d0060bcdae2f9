// SPDX-License-Identifier: Apache-2.0

import Schema

/// Objects whose last reference was released.
extension NSManagedObjectContext {
    /// Takes an object out of a context's registry, from its deinit on the context's queue.
    // SAFETY: the calling thread is in a block of the context, which keeps it.
    @inline(__always)
    static func unregister(
        _ object: NSManagedObject, from context: Unmanaged<NSManagedObjectContext>
    ) {
        // Mostly that takes no look-up, when the objects of a fetch go.
        let key = object.key
        let isOut =
            key.isOfMainStore
            && context._withUnsafeGuaranteedRef { $0.registry.removeAtHand(object, for: key) }
        if !isOut { context._withUnsafeGuaranteedRef { $0.unregister(object) } }
    }

    /// Takes an object out of the registry, from its deinit on the context's queue.
    @inline(never)
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
